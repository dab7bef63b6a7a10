"""Multiply arrays element by element on the GPU with Numba: what do the copies cost?"""

# test: --pairs 500
# needs: simulator
import argparse
import time

import numpy as np
from numba import cuda

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=100_000_000, help="how many pairs of float32 to multiply")
pairs = parser.parse_args().pairs
if not cuda.is_available():
    raise SystemExit("Numba sees no NVIDIA GPU; set NUMBA_ENABLE_CUDASIM=1 to try this in its slow simulator.")


@cuda.jit
def multiply(x, y, out):
    i = cuda.grid(1)
    if i < out.size:  # the last block may reach past the end
        out[i] = x[i] * y[i]


rng = np.random.default_rng(0)
x, y = rng.random(pairs, dtype=np.float32), rng.random(pairs, dtype=np.float32)
d_x, d_y, d_out = (
    cuda.to_device(x),
    cuda.to_device(y),
    cuda.device_array(pairs, np.float32),
)
threads, blocks = 128, -(-pairs // 128)


def copy_everything():
    out = np.empty_like(x)
    multiply[blocks, threads](x, y, out)  # NumPy arrays: Numba copies all three there, and all three back
    return out


def copy_the_result():
    multiply[blocks, threads](d_x, d_y, d_out)
    return d_out.copy_to_host()


def copy_nothing():
    multiply[blocks, threads](d_x, d_y, d_out)
    return d_out


for way, copied in ((copy_everything, 6), (copy_the_result, 1), (copy_nothing, 0)):
    result = way()  # compiles, and warms up
    result = result if isinstance(result, np.ndarray) else result.copy_to_host()
    assert np.array_equal(result, x * y), way.__name__
    times = []
    for _ in range(5):
        start = time.perf_counter()
        way()
        cuda.synchronize()  # without this only the launch is timed
        times.append(time.perf_counter() - start)
    print(
        f"{way.__name__:16} {copied * x.nbytes / 1e6:9.3f} MB over the link, {3 * x.nbytes / 1e6:9.3f} MB in the GPU's memory, {sorted(times)[2] * 1e3:9.3f} ms"
    )
