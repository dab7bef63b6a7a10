"""How fast are matrix products here? Checks the result, then prints the median time and TFLOP/s."""

# test: --size 256 --device cpu
import argparse
import os

import torch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--device", choices=["auto", "gpu", "cpu"], default="auto")
parser.add_argument(
    "--size", type=int, default=8192, help="rows and columns of each square matrix"
)
parser.add_argument(
    "--dtype", choices=["float64", "float32", "bfloat16", "float16"], default="float32"
)
args = parser.parse_args()

gpu = torch.accelerator.is_available()
if args.device == "gpu" and not gpu:
    raise SystemExit("There is no GPU that PyTorch can use; run check_gpu.py to learn why.")
device = (
    torch.accelerator.current_accelerator()
    if gpu and args.device != "cpu"
    else torch.device("cpu")
)
threads = (
    len(os.sched_getaffinity(0))
    if "OMP_NUM_THREADS" not in os.environ
    else int(os.environ["OMP_NUM_THREADS"])
)

torch.manual_seed(0)
a, b = (
    torch.randn(args.size, args.size, device=device, dtype=getattr(torch, args.dtype))
    for _ in range(2)
)
c = torch.empty_like(a)

torch.matmul(a, b, out=c)  # also the warm-up
reference = a[:64].double() @ b.double()
error = ((c[:64].double() - reference).abs().max() / reference.abs().max()).item()
tolerance = {"float64": 1e-12, "float32": 1e-4, "bfloat16": 2e-2, "float16": 5e-3}[
    args.dtype
]
if not error < tolerance:
    raise SystemExit(f"The product is wrong: relative error {error:.1e}.")

timer = Timer(
    "torch.matmul(a, b, out=c)", globals=globals(), num_threads=threads
)  # waits for the GPU before it reads the clock
measured = timer.blocked_autorange(min_run_time=1)
print(
    f"{args.size} x {args.size} {args.dtype} on {device.type}: relative error below {tolerance:g}"
)
print(
    f"median {measured.median * 1e3:.3f} ms, {2 * args.size**3 / measured.median / 1e12:.3f} TFLOP/s"
)
