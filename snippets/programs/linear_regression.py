"""Fit a line by gradient descent with JAX: one call per step from Python against one compiled loop."""

# test: --samples 1000 --steps 500
import argparse
import os

os.environ.setdefault(
    "XLA_PYTHON_CLIENT_PREALLOCATE", "false"
)  # or JAX takes three quarters of the GPU's memory at once

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from torch.utils.benchmark import Timer  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--samples", type=int, default=1_000_000)
parser.add_argument("--steps", type=int, default=2_000)
args = parser.parse_args()

noise, place = jax.random.split(jax.random.key(0))
x = jax.random.uniform(place, (args.samples,))
X = jnp.column_stack([x, jnp.ones_like(x)])  # float32, on the device from the start
y = 2 * x + 5 + 0.1 * jax.random.normal(noise, (args.samples,))


def step(beta):
    return beta - 0.5 * jax.grad(lambda beta: jnp.mean((X @ beta - y) ** 2))(beta)


one_step = jax.jit(step)
all_steps = jax.jit(
    lambda beta: jax.lax.fori_loop(0, args.steps, lambda _, beta: step(beta), beta)
)


def step_by_step(beta):
    for _ in range(args.steps):
        beta = one_step(beta)
    return beta


start = jnp.zeros(2)
for name, fit in (("one call per step", step_by_step), ("one compiled loop", all_steps)):
    slope, offset = fit(start).block_until_ready()  # also compiles
    assert abs(slope - 2) < 0.05 and abs(offset - 5) < 0.05, (slope, offset)
    time = (
        Timer("fit(start).block_until_ready()", globals=globals())
        .blocked_autorange(min_run_time=0.5)
        .median
    )
    print(
        f"{name} on {jax.devices()[0].platform}: {time / args.steps * 1e6:.2f} us a step, y = {slope:.1f} x + {offset:.1f}"
    )
