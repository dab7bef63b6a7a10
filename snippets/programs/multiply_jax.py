"""Multiply two arrays with JAX: put them on the device once."""

import jax
import numpy as np


@jax.jit
def multiply(x, y):
    return x * y


x, y = np.random.default_rng(0).random((2, 1_000_000), dtype=np.float32)
d_x, d_y = jax.device_put((x, y))  # once; else at every call
product = multiply(d_x, d_y)  # asked for, and not yet done
product.block_until_ready()  # now it is; it stays on the device
assert np.array_equal(np.asarray(product), x * y)  # brings it back
print(f"{product.size:,} products, made on: {product.devices()}")
