"""Six puzzles on GPU kernels: replace each `pass` with code, and run this again."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def double(x, out):  # one block of 8 threads; x and out have 8 elements
    pass  # i is cuda.threadIdx.x; set out[i] to twice x[i]


@cuda.jit
def guard(x, out):  # one block of 8 threads, but only 5 elements
    pass  # as before; a thread past the end must do nothing


@cuda.jit
def blocks(x, out):  # 3 blocks of 4 threads, 10 elements
    pass  # compute i from cuda.blockIdx.x, cuda.blockDim.x and cuda.threadIdx.x


@cuda.jit
def columns(x, out):  # 2 × 2 blocks of 4 × 4 threads; x has 5 rows and 6 columns
    row, column = cuda.grid(2)
    pass  # set out[row, column] to x[row, column] plus the column's number


@cuda.jit
def stride(x, out):  # 2 blocks of 4 threads, 50 elements
    pass  # loop: start at cuda.grid(1), and advance in steps of cuda.gridsize(1)


@cuda.jit
def reverse(x, out):  # one block of 64 threads, which share the array `tile`
    tile = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    pass  # wait until all threads have written, then set out[i] to tile[63 - i]


def numbers(*shape):
    return np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)


PUZZLES = [  # kernel, blocks, threads per block, input, expected output
    (double, 1, 8, numbers(8), 2 * numbers(8)),
    (guard, 1, 8, numbers(5), 2 * numbers(5)),
    (blocks, 3, 4, numbers(10), 2 * numbers(10)),
    (columns, (2, 2), (4, 4), numbers(5, 6), numbers(5, 6) + np.arange(6)),
    (stride, 2, 4, numbers(50), 2 * numbers(50)),
    (reverse, 1, 64, numbers(64), numbers(64)[::-1]),
]

solved = 0
for kernel, grid, block, x, wanted in PUZZLES:
    name, out = kernel.py_func.__name__, np.full(x.shape, np.nan, np.float32)
    try:
        kernel[grid, block](x, out)
    except Exception as error:  # whatever your code raises
        print(f"{name}: your kernel failed: {error}")
        continue
    if np.array_equal(out, wanted):
        solved += 1
        print(f"{name}: solved")
    else:
        at = tuple(map(int, np.argwhere(out != wanted)[0]))
        print(f"{name}: not solved, out{list(at)} is {out[at]}, not {wanted[at]}")
print(f"{solved} of {len(PUZZLES)} puzzles solved")
