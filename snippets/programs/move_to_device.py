"""Move a model and its data to the device: a model moves in place, a tensor comes back as a new one."""

import torch
from torch import nn

device = (
    torch.accelerator.current_accelerator()
    if torch.accelerator.is_available()
    else torch.device("cpu")
)

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
inputs, targets = torch.randn(256, 20), torch.randn(256, 1)

model.to(device)  # in place: the module keeps its name and its parameters move
inputs = inputs.to(
    device
)  # not in place: without the assignment the tensor stays where it was
targets = targets.to(device)

optimizer = torch.optim.SGD(
    model.parameters(), lr=0.01
)  # after the move, so that it holds the moved parameters
loss = nn.functional.mse_loss(model(inputs), targets)
loss.backward()
optimizer.step()

places = {tensor.device.type for tensor in [inputs, targets, *model.parameters()]}
assert places == {device.type}, f"spread over {places}"
print(f"Model, inputs and targets are on: {places.pop()}")
print(f"Loss of the first step: {loss.item():.3f}")
