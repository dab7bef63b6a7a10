"""Multiply two arrays: NumPy's words, on the GPU with CuPy."""

try:
    import cupy as xp
except ImportError:  # the same lines on the CPU
    import numpy as xp

x, y = xp.random.default_rng(0).random((2, 1_000_000))  # made there
product = x * y  # stays there
mean = float(product.mean())  # one number comes back
assert 0.24 < mean < 0.26
print(f"{xp.__name__}: {product.size:,} products, their mean is {mean:.2f}")
