"""One run of a parameter sweep: the run's number selects the parameters."""

import itertools
import json
import sys

import torch
from torch import nn

rates, widths, seeds = [0.1, 0.03, 0.01], [16, 64], [0, 1]
runs = list(itertools.product(rates, widths, seeds))  # 3 × 2 × 2 = 12
number = int(sys.argv[1])  # 0 to 11, for example SLURM_ARRAY_TASK_ID
rate, width, seed = runs[number]

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(seed)
x = torch.randn(512, 8, device=device)  # put your own training here
y = x.square().sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 1))
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
for step in range(200):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# One file for each run:
result = {"rate": rate, "width": width, "seed": seed, "loss": loss.item()}
with open(f"result-{number}.json", "w", encoding="utf-8") as file:
    json.dump(result, file)
print(f"run {number} of {len(runs)}: {result}")
