"""A constant added to every element, and NumPy's way to write the same."""

import numpy as np


def add(data, constant):
    for i in range(data.size):
        data[i] = data[i] + constant


data = np.random.default_rng(0).random(10_000)
expected = data + 3.0
add(data, 3.0)
assert np.array_equal(data, expected)
