"""Count what training stores: weights, gradients, optimizer state and activations."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks


def megabytes(tensors) -> float:
    """Counts memory that several tensors share only once."""
    stores = [tensor.untyped_storage() for tensor in tensors]
    return sum({store.data_ptr(): store.nbytes() for store in stores}.values()) / 1e6


device = "cuda" if torch.cuda.is_available() else "cpu"
layers = [nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0) for _ in range(4)]
model = nn.Sequential(*layers).to(device)
optimizer = torch.optim.AdamW(model.parameters())
weights = list(model.parameters())
addresses = {weight.untyped_storage().data_ptr() for weight in weights}
saved = []


def keep(tensor):
    """PyTorch calls this for each tensor that the backward pass will need."""
    if tensor.untyped_storage().data_ptr() not in addresses:
        saved.append(tensor)
    return tensor


print("MB         weights  gradients  optimizer  activations")
for batch in 1, 4, 16:
    inputs = torch.randn(128, batch, 256, device=device)  # samples of 128 tokens
    with saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = model(inputs).square().mean()
    loss.backward()
    optimizer.step()
    gradients = [weight.grad for weight in weights]
    state = [tensor for each in optimizer.state.values() for tensor in each.values()]
    sizes = [f"{megabytes(part):9.1f}" for part in (weights, gradients, state, saved)]
    print(f"batch {batch:2} ", *sizes)
    saved.clear()
    optimizer.zero_grad()
