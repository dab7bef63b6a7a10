"""Multiply two arrays on the GPU with CuPy, which has NumPy's functions."""

try:
    import cupy as xp
except ImportError:  # the same lines on the CPU
    import numpy as xp

x, y = xp.random.default_rng(0).random((2, 1_000_000))  # created on the device
product = x * y  # stays on the device
mean = float(product.mean())  # one number is copied back
assert 0.24 < mean < 0.26
print(f"{xp.__name__}: {product.size:,} products, their mean is {mean:.2f}")
