"""Multiply arrays element by element on the GPU with Numba: what do the copies cost?"""

import argparse
import math
import time

import numpy as np
from numba import cuda

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=100_000_000, help="of float32")
pairs = parser.parse_args().pairs
if not cuda.is_available():
    raise SystemExit(
        "No NVIDIA GPU; NUMBA_ENABLE_CUDASIM=1 runs this in a slow simulator."
    )


@cuda.jit
def multiply(x, y, out):
    i = cuda.grid(1)  # this thread's number
    if i < out.size:  # the last block may reach past the end
        out[i] = x[i] * y[i]


rng = np.random.default_rng(0)
x, y = rng.random(pairs, dtype=np.float32), rng.random(pairs, dtype=np.float32)
d_x, d_y, d_out = (
    cuda.to_device(x),
    cuda.to_device(y),
    cuda.device_array(pairs, np.float32),
)
threads = 128  # in a block
blocks = math.ceil(pairs / threads)


def on_the_cpu():
    return x * y


def copy_everything():
    out = np.empty_like(x)
    # NumPy arrays: Numba copies all three to the GPU, and all three back.
    multiply[blocks, threads](x, y, out)
    return out


def copy_the_result():
    multiply[blocks, threads](d_x, d_y, d_out)
    return d_out.copy_to_host()


def copy_nothing():
    multiply[blocks, threads](d_x, d_y, d_out)
    return d_out


ways = {on_the_cpu: 0, copy_everything: 6, copy_the_result: 1, copy_nothing: 0}
for way, copied in ways.items():
    result = way()  # compiles, and warms up
    result = result if isinstance(result, np.ndarray) else result.copy_to_host()
    assert np.array_equal(result, x * y), way.__name__
    times = []
    for _ in range(5):
        start = time.perf_counter()
        way()
        cuda.synchronize()  # without this only the launch is timed
        times.append(time.perf_counter() - start)
    link, middle = copied * x.nbytes / 1e6, sorted(times)[2] * 1e3
    print(f"{way.__name__:16} {link:9.3f} MB over the link, {middle:9.3f} ms")
