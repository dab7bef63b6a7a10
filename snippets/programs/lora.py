"""LoRA on one linear layer: the pretrained weights stay as they are, and two small matrices learn the difference."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=4096)
args = parser.parse_args()
device = torch.device(
    torch.accelerator.current_accelerator()
    if torch.accelerator.is_available()
    else "cpu"
)


class LoRA(nn.Module):
    def __init__(self, pretrained, rank=16):
        super().__init__()
        self.pretrained = pretrained.requires_grad_(
            False
        )  # no gradients and no optimizer state
        self.down = nn.Linear(pretrained.in_features, rank, bias=False)
        self.up = nn.Linear(rank, pretrained.out_features, bias=False)
        nn.init.zeros_(
            self.up.weight
        )  # so the first result is that of the pretrained layer

    def forward(self, x):
        return self.pretrained(x) + self.up(self.down(x))


torch.manual_seed(0)
layer = LoRA(nn.Linear(args.size, args.size)).to(device)
trained = [parameter for parameter in layer.parameters() if parameter.requires_grad]
some, every = (
    sum(each.numel() for each in group) for group in (trained, layer.parameters())
)
print(f"trainable: {some:,} of {every:,} parameters ({100 * some / every:.1f}%)")
difference = (
    torch.randn(args.size, 8, device=device)
    @ torch.randn(8, args.size, device=device)
    / args.size
)
optimizer = torch.optim.AdamW(trained, lr=0.01)
for step in range(201):
    x = torch.randn(64, args.size, device=device)
    loss = nn.functional.mse_loss(layer(x), layer.pretrained(x) + x @ difference)
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.5f}")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
