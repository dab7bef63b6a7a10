"""Multiply two arrays with a kernel: one thread for each element."""

import math

import numpy as np
from numba import cuda

if not cuda.is_available():
    raise SystemExit("Numba finds no GPU; try NUMBA_ENABLE_CUDASIM=1")


@cuda.jit
def multiply(x, y, out):
    i = cuda.grid(1)  # blockIdx.x * blockDim.x + threadIdx.x
    if i < out.size:  # the last block extends past the end
        out[i] = x[i] * y[i]


x, y = np.random.default_rng(0).random((2, 1000), dtype=np.float32)
d_x, d_y = cuda.to_device(x), cuda.to_device(y)  # copied over the link once
d_out = cuda.device_array_like(d_x)  # memory for the result; copies nothing

threads = 128  # per block
blocks = math.ceil(x.size / threads)
multiply[blocks, threads](d_x, d_y, d_out)

assert np.array_equal(d_out.copy_to_host(), x * y)
print(f"{x.size} products, computed by {blocks} blocks of {threads} threads")
