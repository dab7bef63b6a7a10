"""A small CNN for images of 32 x 32, and an epoch of training on any batches."""

import torch
from torch import nn

gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
model = nn.Sequential(
    nn.Conv2d(3, 6, 5),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(6, 16, 5),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    *(nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU()),
    nn.Linear(84, 10),
).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)


def scale(images: torch.Tensor) -> torch.Tensor:
    """Bytes to numbers from -1 to 1."""
    return images.float().div(127.5).sub(1)


def epoch(batches) -> int:
    """Train once on every batch; return the number of images."""
    count = 0
    for inputs, targets in batches:
        inputs = inputs.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        inputs = scale(inputs) if inputs.dtype == torch.uint8 else inputs
        loss = nn.functional.cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        count += len(targets)
    return count
