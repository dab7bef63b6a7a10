"""Choose the device once, and say which: a GPU of any vendor, else the CPU."""

import torch

gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
print("Using:", device.type)
if device.type == "cuda":  # NVIDIA or AMD
    print("It is:", torch.cuda.get_device_name())

# Made where it is used: nothing is copied.
x = torch.arange(6, device=device, dtype=torch.float32)
print("Sum of squares:", (x * x).sum().item())
