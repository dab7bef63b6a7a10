"""Multiply two arrays element by element with a kernel that Numba creates."""

import numpy as np
from numba import cuda, vectorize

gpu = cuda.is_available()


@vectorize(["float32(float32, float32)"], target="cuda" if gpu else "cpu")
def multiply(x, y):
    return x * y


x, y = np.random.default_rng(0).random((2, 1_000_000), dtype=np.float32)
product = multiply(x, y)  # on a GPU, this copies the data there and back
assert np.array_equal(product, x * y)
print(f"{product.size:,} products, computed on the {'GPU' if gpu else 'CPU'}")
