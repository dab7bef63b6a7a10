"""Accumulate gradients: four small batches yield the gradients of one large batch."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 512), nn.GELU(), nn.Linear(512, 1)).to(device)
weights = {weight.data_ptr() for weight in model.parameters()}
inputs = torch.randn(256, 64, device=device)
targets = torch.randn(256, 1, device=device)
kept = {}  # address and size of each tensor that the backward pass needs


def keep(tensor):
    kept[tensor.data_ptr()] = tensor.nbytes
    return tensor


def gradients(pieces: int) -> tuple[torch.Tensor, int]:
    """Return the gradients of this many batches, and the most bytes stored at once."""
    model.zero_grad()
    most = 0
    for x, y in zip(inputs.chunk(pieces), targets.chunk(pieces)):
        kept.clear()
        with saved_tensors_hooks(keep, lambda tensor: tensor):
            loss = nn.functional.mse_loss(model(x), y) / pieces  # mean over all batches
        loss.backward()  # adds to the gradients, and frees the activations
        most = max(most, sum(kept[address] for address in kept.keys() - weights))
    return torch.cat([weight.grad.flatten() for weight in model.parameters()]), most


whole, large = gradients(1)
summed, small = gradients(4)  # your program calls optimizer.step() after all four
error = ((summed - whole).abs().max() / whole.abs().max()).item()
assert error < 1e-5, f"the gradients differ by {error}"
print(f"1 batch of 256: {large:9,} bytes of activations")
print(f"4 batches of 64: {small:8,} bytes of activations, the same gradients")
