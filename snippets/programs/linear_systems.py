"""Solve many small and one large linear system, with NumPy on the CPU or CuPy on the GPU."""

# test: --device cpu --small 200 --large 300
import argparse

import numpy as np
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--device", choices=["auto", "gpu", "cpu"], default="auto")
parser.add_argument(
    "--small", type=int, default=20_000, help="how many systems of 20 equations"
)
parser.add_argument(
    "--large", type=int, default=8_000, help="equations of the one large system"
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


def solve(a, b):
    x = xp.linalg.solve(a, b)
    if xp is not np:
        xp.cuda.Device().synchronize()  # the GPU works on its own: wait before the clock is read
    return x


rng = xp.random.default_rng(0)
for systems, n in ((args.small, 20), (1, args.large)):
    a = rng.random((systems, n, n)) + n * xp.eye(
        n
    )  # made where it is solved; the diagonal keeps it solvable
    b = rng.random((systems, n, 1))
    residual = float(abs(a @ solve(a, b) - b).max())
    assert residual < 1e-8, f"residual {residual:.1e}"
    time = (
        Timer("solve(a, b)", globals=globals()).blocked_autorange(min_run_time=0.5).median
    )
    print(
        f"{systems} x {n} equations on {'GPU' if xp is not np else 'CPU'}: {time * 1e3:.2f} ms, residual below 1e-8"
    )
