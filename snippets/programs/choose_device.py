"""Choose the device once, and print it: a GPU from any vendor, otherwise the CPU."""

import torch

gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
print("Using:", device.type)
if device.type == "cuda":  # NVIDIA or AMD
    print("It is:", torch.cuda.get_device_name())

# Created where it is used, so nothing is copied.
x = torch.arange(6, device=device, dtype=torch.float32)
print("Sum of squares:", (x * x).sum().item())
