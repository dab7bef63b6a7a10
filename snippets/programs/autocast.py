"""Mixed precision: what autocast computes in 16 bits, and what stays in float32."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(1024, 1024).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs = torch.randn(64, 1024, device=device)

with torch.autocast(device, dtype=torch.bfloat16):
    outputs = model(inputs)  # a matrix multiplication: 16 bits
    loss = nn.functional.mse_loss(outputs, inputs)  # a sum of many values: float32
loss.backward()
optimizer.step()

print("inputs: ", inputs.dtype)
print("outputs:", outputs.dtype)
print("loss:   ", loss.dtype)
print("weights:", model.weight.dtype, "and their gradients:", model.weight.grad.dtype)
