"""Several passes over the same data, and a single pass with the same result."""

import numpy as np


def passes(a, b, c, constant):
    a = a + constant
    b = b + a
    c = c + b
    return (a + b + c).sum()


a, b, c = np.random.default_rng(0).random((3, 10_000))
assert np.isclose(passes(a, b, c, 1.0), (3 * a + 3 * 1.0 + 2 * b + c).sum())
