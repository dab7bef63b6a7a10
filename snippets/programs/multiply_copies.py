"""Multiply arrays on the GPU with Numba: what do the copies cost?"""

import argparse
import time

import numpy as np
from numba import cuda

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=100_000_000, help="pairs of float32")
pairs = parser.parse_args().pairs


@cuda.jit
def multiply(x, y, out):
    i = cuda.grid(1)  # this thread's number
    if i < out.size:  # the last block may extend past the end
        out[i] = x[i] * y[i]


x, y = np.random.default_rng(0).random((2, pairs), dtype=np.float32)
out = np.empty_like(x)
d_x, d_y, d_out = cuda.to_device(x), cuda.to_device(y), cuda.device_array_like(out)
launch = multiply[(pairs + 127) // 128, 128]  # blocks, and threads per block
ways = {
    "copy_everything": (6, lambda: launch(x, y, out)),  # copies each array both ways
    "copy_the_result": (1, lambda: (launch(d_x, d_y, d_out), d_out.copy_to_host(out))),
    "copy_nothing": (0, lambda: launch(d_x, d_y, d_out)),
}
for name, (copies, run) in ways.items():
    out.fill(0)
    run()  # compiles, and warms up
    cuda.synchronize()
    start = time.perf_counter()
    run()
    cuda.synchronize()  # without this, only the launch is timed
    seconds = time.perf_counter() - start
    assert np.array_equal(out if copies else d_out.copy_to_host(), x * y), name
    megabytes = copies * x.nbytes / 1e6
    print(f"{name:15} {megabytes:9.3f} MB over the link, {seconds * 1e3:9.3f} ms")
