"""Activation checkpointing: compute activations again instead of storing them."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
blocks = nn.ModuleList(nn.TransformerEncoderLayer(128, 4, 512) for _ in range(6))
blocks.to(device)
weights = {weight.data_ptr() for weight in blocks.parameters()}
inputs = torch.randn(64, 8, 128, device=device)


def train(recompute: bool) -> tuple[torch.Tensor, int]:
    """The gradients, and the bytes of activations that the forward pass stores."""
    torch.manual_seed(1)  # the same dropout both times
    blocks.zero_grad()
    kept = {}

    def keep(tensor):
        kept[tensor.data_ptr()] = tensor.nbytes
        return tensor

    x = inputs
    with saved_tensors_hooks(keep, lambda tensor: tensor):
        for block in blocks:
            x = checkpoint(block, x, use_reentrant=False) if recompute else block(x)
        loss = x.square().mean()
    loss.backward()
    gradients = torch.cat([weight.grad.flatten() for weight in blocks.parameters()])
    return gradients, sum(kept[address] for address in kept.keys() - weights)


stored, large = train(recompute=False)
recomputed, small = train(recompute=True)
assert torch.allclose(stored, recomputed), "the gradients differ"
print(f"store all: {large:11,} bytes of activations")
print(f"recompute: {small:11,} bytes of activations, the same gradients")
