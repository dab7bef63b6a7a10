"""Multiply two matrices, check the product, print the median time and TFLOP/s."""

import argparse
import os

import torch
from torch.utils.benchmark import Timer

# Each precision, and the error it may have.
TOLERANCE = {
    "float64": 1e-12,
    "float32": 1e-4,
    "tf32": 5e-3,
    "bfloat16": 2e-2,
    "float16": 5e-3,
}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--device", choices=["auto", "gpu", "cpu"], default="auto")
parser.add_argument("--size", type=int, default=8192, help="rows of each square matrix")
parser.add_argument("--dtype", choices=list(TOLERANCE), default="float32")
args = parser.parse_args()

gpu = torch.accelerator.is_available() and args.device != "cpu"
if args.device == "gpu" and not gpu:
    raise SystemExit("PyTorch cannot use a GPU here. Run check_gpu.py to find out why.")
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
threads = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))

torch.manual_seed(0)
if args.dtype == "tf32":  # float32, inputs rounded to 10 bits
    torch.set_float32_matmul_precision("high")
shape = (args.size, args.size)
dtype = torch.float32 if args.dtype == "tf32" else getattr(torch, args.dtype)
a, b = (torch.randn(shape, device=device, dtype=dtype) for _ in range(2))
c = torch.empty_like(a)

torch.matmul(a, b, out=c)  # also the warm-up
reference = a[:64].double() @ b.double()
error = ((c[:64].double() - reference).abs().max() / reference.abs().max()).item()
if not error < TOLERANCE[args.dtype]:
    raise SystemExit(f"The product is wrong: relative error {error:.1e}.")

# The timer waits for the GPU before it reads the clock.
product = "torch.matmul(a, b, out=c)"
timer = Timer(product, globals=globals(), num_threads=threads, label="product")
median = timer.blocked_autorange(min_run_time=1).median
print(f"{args.size} x {args.size} {args.dtype} on {device.type}, product correct")
print(f"median {median * 1e3:.3f} ms, {2 * args.size**3 / median / 1e12:.3f} TFLOP/s")
