"""Count what training stores: weights, gradients, optimizer state and activations."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks


def megabytes(tensors) -> float:
    stores = [tensor.untyped_storage() for tensor in tensors]  # views share one
    return sum({store.data_ptr(): store.nbytes() for store in stores}.values()) / 1e6


device = "cuda" if torch.cuda.is_available() else "cpu"
layers = [nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0) for _ in range(4)]
model = nn.Sequential(*layers).to(device)
weights = list(model.parameters())
optimizer = torch.optim.AdamW(weights)
addresses = {weight.data_ptr() for weight in weights}
saved = []


def keep(tensor):
    """PyTorch calls this for each tensor that the backward pass will need."""
    if tensor.data_ptr() not in addresses:
        saved.append(tensor)
    return tensor


print("MB         weights  gradients  optimizer  activations")
for batch in 1, 4, 16:
    with saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = model(torch.randn(128, batch, 256, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    gradients = [weight.grad for weight in weights]
    state = [tensor for each in optimizer.state.values() for tensor in each.values()]
    parts = weights, gradients, state, saved
    print(f"batch {batch:2} ", *(f"{megabytes(part):9.1f}" for part in parts))
    saved.clear()
    optimizer.zero_grad()
