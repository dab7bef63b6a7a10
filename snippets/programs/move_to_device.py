"""Move a model and its data to the device: one moves in place, the other does not."""

import torch
from torch import nn

gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
inputs, targets = torch.randn(256, 20), torch.randn(256, 1)

model.to(device)  # in place: the module stays the same, its parameters move
inputs = inputs.to(device)  # a new tensor: without the assignment nothing would change
targets = targets.to(device)

# After the move, so that it holds the moved parameters.
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss = nn.functional.mse_loss(model(inputs), targets)
loss.backward()
optimizer.step()

places = {tensor.device.type for tensor in [inputs, targets, *model.parameters()]}
assert places == {device.type}, f"spread over {places}"
print(f"Model, inputs and targets are on: {device.type}")
print(f"Loss of the first step: {loss.item():.3f}")
