"""A certificate of set-up: what this machine has for the workshop."""

import platform
import sys
from importlib.util import find_spec

needed = ["jax", "matplotlib", "numpy", "threadpoolctl", "torch", "torchvision"]
missing = [name for name in needed if not find_spec(name)]
print(f"Python {platform.python_version()} on {platform.machine()}")
if missing:
    sys.exit(f"missing: {', '.join(missing)}. Run the installation cell of notebook 0.")

import torch

try:
    import torchvision
except RuntimeError as error:  # they are from different builds
    sys.exit(f"torchvision does not fit PyTorch {torch.__version__}: {error}")

build = "the CPU only"
if torch.version.cuda:
    build = f"CUDA {torch.version.cuda}"
elif torch.version.hip:
    build = f"ROCm {torch.version.hip}"
print(f"PyTorch {torch.__version__}, built for: {build}")
print(f"torchvision {torchvision.__version__}")

device = "cuda" if torch.cuda.is_available() else "cpu"
print("GPU:", torch.cuda.get_device_name() if device == "cuda" else "none")

# Small whole numbers, so that every device must find exactly the same result.
a = torch.randint(10, (512, 512)).float()
on_device = a.to(device)
correct = torch.equal((on_device @ on_device).cpu(), a @ a)
print(f"matrix multiplication on {device}: {'correct' if correct else 'wrong'}")
if not correct:
    sys.exit("not ready: show these lines to your teacher.")
print(f"ready for the workshop on the {'GPU' if device == 'cuda' else 'CPU'}")
