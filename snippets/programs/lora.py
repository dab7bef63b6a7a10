"""LoRA: a layer's weights stay fixed, and two small matrices learn the change."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=4096)
size = parser.parse_args().size
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")


class LoRA(nn.Module):
    def __init__(self, pretrained, rank=16):
        super().__init__()
        self.pretrained = pretrained.requires_grad_(False)  # no gradients, no optimizer
        self.down = nn.Linear(pretrained.in_features, rank, bias=False)
        self.up = nn.Linear(rank, pretrained.out_features, bias=False)
        nn.init.zeros_(self.up.weight)  # so training starts from the pretrained layer

    def forward(self, x):
        return self.pretrained(x) + self.up(self.down(x))


layer = LoRA(nn.Linear(size, size)).to(device)
difference = (torch.randn(size, 8) @ torch.randn(8, size) / size).to(device)
trained = [each for each in layer.parameters() if each.requires_grad]
some, every = (sum(p.numel() for p in group) for group in (trained, layer.parameters()))
print(f"trainable: {some:,} of {every:,} parameters ({100 * some / every:.1f}%)")
optimizer = torch.optim.AdamW(trained, lr=0.001)
for step in range(201):
    x = torch.randn(64, size, device=device)
    loss = nn.functional.mse_loss(layer(x), layer.pretrained(x) + x @ difference)
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.5f}")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
