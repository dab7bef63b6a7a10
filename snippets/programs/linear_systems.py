"""Solve many small linear systems and a large one: NumPy on CPUs, or CuPy on a GPU."""

import argparse
import os

import numpy as np
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--device", choices=["auto", "gpu", "cpu"], default="auto")
parser.add_argument("--small", type=int, default=20_000, help="systems of 20 equations")
parser.add_argument(
    "--large", type=int, default=8_000, help="equations of the large one"
)
args = parser.parse_args()

xp = np
if args.device != "cpu":
    try:
        import cupy

        xp = cupy if cupy.is_available() else np
    except ImportError:
        pass
if args.device == "gpu" and xp is np:
    raise SystemExit("CuPy is not installed here, or sees no GPU.")
device = "CPU" if xp is np else "GPU"
threads = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))


def solve(a, b):
    x = xp.linalg.solve(a, b)
    if xp is not np:  # the GPU runs asynchronously: wait before reading the clock
        xp.cuda.Device().synchronize()
    return x


rng = xp.random.default_rng(0)
for systems, n in ((args.small, 20), (1, args.large)):
    # Created where it is solved; the large diagonal keeps it solvable.
    a = rng.random((systems, n, n)) + n * xp.eye(n)
    b = rng.random((systems, n, 1))
    error = float(abs(a @ solve(a, b) - b).max())
    if not error < 1e-8:
        raise SystemExit(f"The solution is wrong by {error:.1e}.")
    name = f"{systems} of {n}"
    timer = Timer("solve(a, b)", globals=globals(), num_threads=threads, label=name)
    milliseconds = timer.blocked_autorange(min_run_time=0.5).median * 1e3
    print(f"{systems} x {n} equations on {device}: {milliseconds:.2f} ms, checked")
