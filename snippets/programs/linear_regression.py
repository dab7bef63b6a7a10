"""Fit a line with JAX: one call per step from Python, against one compiled loop."""

import argparse
import os

# Otherwise JAX allocates three quarters of the GPU's memory at once.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--samples", type=int, default=1_000_000)
parser.add_argument("--steps", type=int, default=2_000)
args = parser.parse_args()

noise, place = jax.random.split(jax.random.key(0))
x = jax.random.uniform(place, (args.samples,))
X = jnp.column_stack([x, jnp.ones_like(x)])  # float32, on the device from the start
y = 2 * x + 5 + 0.1 * jax.random.normal(noise, (args.samples,))


def loss(beta, X, y):
    return jnp.mean((X @ beta - y) ** 2)


@jax.jit
def step(beta, X, y):
    return beta - 0.5 * jax.grad(loss)(beta, X, y)


def step_by_step(beta, X, y):
    for _ in range(args.steps):
        beta = step(beta, X, y)
    return beta


@jax.jit
def compiled_loop(beta, X, y):
    return jax.lax.fori_loop(0, args.steps, lambda _, beta: step(beta, X, y), beta)


start, device = jnp.zeros(2), jax.devices()[0].platform
ways = {"one call per step": step_by_step, "one compiled loop": compiled_loop}
for name, fit in ways.items():
    slope, offset = fit(start, X, y).block_until_ready()  # also compiles
    error = float(max(abs(slope - 2), abs(offset - 5)))
    assert error < 0.05, (slope, offset)
    timer = Timer("fit(start, X, y).block_until_ready()", globals=globals(), label=name)
    each = timer.blocked_autorange(min_run_time=0.5).median / args.steps * 1e6
    print(f"{name} on {device}: {each:.2f} us/step, y = {slope:.1f} x + {offset:.1f}")
