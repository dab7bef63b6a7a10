"""Multiply two arrays with JAX: put them on the device once."""

import jax
import numpy as np


@jax.jit
def multiply(x, y):
    return x * y


x, y = np.random.default_rng(0).random((2, 1_000_000), dtype=np.float32)
d_x, d_y = jax.device_put((x, y))  # once; otherwise at every call
product = multiply(d_x, d_y)  # launched, but not yet finished
product.block_until_ready()  # waits; the result stays on the device
assert np.array_equal(np.asarray(product), x * y)  # copies it back
print(f"{product.size:,} products, computed on: {product.devices()}")
