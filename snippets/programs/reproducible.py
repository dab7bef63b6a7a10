"""Train a small network three times, and compare the weights to the last bit."""

import hashlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.use_deterministic_algorithms(True)  # an error instead of a varying result


def train(seed):
    torch.manual_seed(seed)  # decides the data, the weights, their order and dropout
    data = TensorDataset(torch.randn(1000, 20), torch.randn(1000, 1))
    model = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Dropout(), nn.Linear(50, 1))
    optimizer = torch.optim.SGD(model.to(device).parameters(), lr=0.01)
    for inputs, targets in DataLoader(data, batch_size=100, shuffle=True):
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = nn.utils.parameters_to_vector(model.parameters()).detach().cpu()
    return int(hashlib.sha256(weights.numpy()).hexdigest()[:8], base=16)


first, again, other = train(seed=0), train(seed=0), train(seed=1)
for seed, digest in [(0, first), (0, again), (1, other)]:
    print(f"on {device}, seed {seed}: {digest}")
assert first == again != other, "the same seed gave different weights"
