"""Is this a GPU build of PyTorch, and which GPUs can it use?"""

import argparse
import sys

import torch

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--expect", type=int, default=0, help="fail unless this many work")
expected = parser.parse_args().expect

build = "CPU only"
if torch.version.cuda:
    build = f"CUDA {torch.version.cuda}"
elif torch.version.hip:
    build = f"ROCm {torch.version.hip}"
count = torch.cuda.device_count() if torch.cuda.is_available() else 0
print(f"PyTorch {torch.__version__}, built for: {build}")
print(f"GPUs it can use: {count}")
for index in range(count):
    gpu = torch.cuda.get_device_properties(index)
    print(f"  {index}: {gpu.name}, {gpu.total_memory / 2**30:.1f} GiB")

if expected and build == "CPU only":
    sys.exit(
        "This is a CPU build of PyTorch: load the site's GPU module or container, "
        "or install pytorch-gpu with CONDA_OVERRIDE_CUDA set."
    )
if count < expected:
    sys.exit(
        f"PyTorch can use {count} GPU(s), not {expected}: check what the job asks for "
        "and the container's GPU option, and run nvidia-smi or amd-smi in the job."
    )
for index in range(count if expected else 0):
    try:  # a GPU that is listed can still be too old or too new for this build
        ones = torch.ones(2, 2, device=f"cuda:{index}")
        assert (ones @ ones).sum().item() == 8
    except RuntimeError as error:
        sys.exit(f"GPU {index} is listed, but this build cannot use it: {error}")
