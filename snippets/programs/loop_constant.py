"""Add a constant to every element, with a loop and with NumPy."""

import numpy as np


def add(data, constant):
    for i in range(data.size):
        data[i] = data[i] + constant


data = np.random.default_rng(0).random(10_000)
expected = data + 3.0
add(data, 3.0)
assert np.array_equal(data, expected)
