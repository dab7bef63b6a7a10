"""Is this a GPU build of PyTorch, and which GPUs can it use?"""

import argparse
import sys

import torch

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--expect",
    type=int,
    default=0,
    help="end with an error unless this many GPUs can be used",
)
expected = parser.parse_args().expect

build = (
    f"CUDA {torch.version.cuda}"
    if torch.version.cuda
    else f"ROCm {torch.version.hip}"
    if torch.version.hip
    else "CPU only"
)
count = torch.cuda.device_count()
print(f"PyTorch {torch.__version__}, built for: {build}")
print(f"GPUs it can use: {count}")
for index in range(count):
    gpu = torch.cuda.get_device_properties(index)
    print(f"  {index}: {gpu.name}, {gpu.total_memory / 2**30:.1f} GiB")

if count < expected:
    if build == "CPU only":
        sys.exit(
            "This is a CPU build of PyTorch: load the site's GPU module or container, "
            "or install again with CONDA_OVERRIDE_CUDA set."
        )
    sys.exit(
        f"{expected} GPUs were expected: check what the job asks for, "
        "and run nvidia-smi or rocm-smi inside it."
    )
if expected:  # the driver may still refuse an old or new GPU, so use one
    print(
        "A first product on the GPU:",
        torch.ones(2, 2, device="cuda")
        .matmul(torch.ones(2, 2, device="cuda"))
        .sum()
        .item(),
    )
