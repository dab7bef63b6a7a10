"""Two loops in which each element depends on the previous one. Only one has to."""

import numpy as np


def running_sum(data, other):
    for i in range(1, data.size):
        data[i] = data[i - 1] + (data[i] if other[i] % 2 == 0 else 2 * data[i])


def logistic(x, steps):
    for _ in range(steps):
        x = 3.7 * x * (1 - x)
    return x


rng = np.random.default_rng(0)
data, other = rng.random(10_000), rng.integers(0, 10, 10_000)
terms = np.where(other % 2 == 0, data, 2 * data)
terms[0] = data[0]
running_sum(data, other)
assert np.allclose(data, np.cumsum(terms))  # a cumulative sum, which libraries split
assert 0 < logistic(0.4, 1000) < 1  # for this one, no shorter way is known
