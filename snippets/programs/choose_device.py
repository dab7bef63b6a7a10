"""Choose the device once, and say which: a GPU of any vendor if there is one, else the CPU."""

import torch

device = (
    torch.accelerator.current_accelerator()
    if torch.accelerator.is_available()
    else torch.device("cpu")
)
name = torch.cuda.get_device_name() if device.type == "cuda" else "the processor"
print(f"Using {device.type}: {name}")

x = torch.arange(
    6, device=device, dtype=torch.float32
)  # made where it is used: nothing is copied
print("Sum of squares:", (x * x).sum().item())
