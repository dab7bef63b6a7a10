# %% [markdown]
# # Does a GPU pay?
#
# A GPU can make a program many times faster. It can also make it slower, and while you hold it nobody else can use it. Work through this page
# before you ask for one. The outputs shown here come from two CPU cores.
#
# It follows a part of a workshop of the Digital Research Alliance of Canada; what was wrong there is right here: see [corrections](../about/corrections.html).

# %% [markdown]
# ## What is a GPU?
#
# ![CPU: few large cores. GPU: thousands of small units](../assets/cpu-vs-gpu.svg)
#
# A CPU has some dozens of cores. Each is built to finish one thread soon: high clock, large caches, guesses about the next branch. A GPU has thousands
# of small units. Each is slow, but there are so many that the sum is large, if all have the same thing to do on different data. An A100 has 108 multiprocessors
# with 64 units each for single precision:

# %%
units = 108 * 64
print(f"{units} units for float32 on an A100")

# %% [markdown]
# What counts as often as arithmetic is memory. The GPU's own memory is several times faster than the host's, and the link between the two is far slower than either.
#
# ![Bandwidths of the link, the host's memory and the GPU's memory](../assets/bandwidths.svg)

# %% [markdown]
# ## A limit you can work out yourself
#
# No program can beat the memory or the arithmetic units. So before you believe a time, compute the least possible one. Take the product of two arrays,
# element by element: it reads two numbers and writes one.

# %%
def least_time(bytes_moved, operations, bandwidth, rate):
    """Seconds that the memory (bytes/s) and the units (operations/s) need at least; the larger one decides."""
    return max(bytes_moved / bandwidth, operations / rate)


H100 = {"bandwidth": 3.35e12, "rate": 66.9e12}  # bytes/s of its memory; float32 operations/s
n, passes = 3_000_000_000, 10
floor = least_time(passes * 3 * 4 * n, passes * n, **H100)
print(f"ten products of 3e9 pairs on an H100: at least {floor:.3f} s")
print(f"a published 0.001643 s would be {floor / 0.001643:.0f} times faster than its memory")

# %% [markdown]
# That published time is where "24,000 times faster" came from. Only the start of the work had been timed, not the work:
# a GPU works on its own, and a clock must wait for it.
#
# ## First set of practices: when a GPU is worth it
#
# - You have a lot of data, and do a lot with each piece.
# - The work splits into thousands of equal parts that do not wait for each other.
# - The program does not take a different path for each element.
# - The data stay on the GPU between the steps.
#
# Judge three loops by these rules before you open the answers.

# %%
import numpy as np

rng = np.random.default_rng(0)
data, other = rng.random(100_000), rng.integers(0, 10, 100_000)

# %% [markdown]
# ### A constant added to every element

# %%
def loop(data, constant):
    result = np.empty_like(data)
    for i in range(data.size):
        result[i] = data[i] + constant
    return result


assert np.array_equal(loop(data, 3.0), data + 3.0)

# %% [markdown]
# <details><summary>CPU or GPU?</summary>
#
# It depends on the size, and on where the data are. If they are on the GPU already, it wins from some ten thousands of elements on. The gain does not grow without
# end: it levels off at the ratio of the two memories' speeds. If the data must be copied there and back for this alone, all the
# CPU's cores together win at every size; one thread of it need not.
#
# </details>
#
# ### Each element depends on the one before

# %%
def running_sum(data, other):
    result = data.copy()
    for i in range(1, data.size):
        result[i] = result[i - 1] + (data[i] if other[i] % 2 == 0 else 2 * data[i])
    return result


def logistic(x, steps):
    for _ in range(steps):
        x = 3.7 * x * (1 - x)
    return x


terms = np.where(other % 2 == 0, data, 2 * data)
terms[0] = data[0]
assert np.allclose(running_sum(data, other), np.cumsum(terms))
print("the running sum is a cumulative sum:", np.allclose(running_sum(data, other), np.cumsum(terms)))
print("the recurrence, a thousand steps one by one:", round(logistic(0.4, 1000), 3))

# %% [markdown]
# <details><summary>CPU or GPU?</summary>
#
# The first only looks sequential. A running sum can be split (a *scan*), the branch becomes a choice between two values, and libraries do both well on a GPU. The second is
# truly sequential: each step needs the result of the one before, so one fast core is best. With many starting points at once it becomes a job for a GPU again.
#
# </details>
#
# ### Several passes over the same data

# %%
def chain(a, b, c, constant):
    a = a + constant
    b = b + a
    c = c + b
    return (a + b + c).sum()


small = [rng.random(1000) for _ in range(3)]
expected = sum(3 * a + 3 * 1.0 + 2 * b + c for a, b, c in zip(*small))
assert np.isclose(chain(*small, 1.0), expected)

# %% [markdown]
# <details><summary>CPU or GPU?</summary>
#
# In the three additions no element needs another; only the sum at the end combines them. It is a lot of memory traffic for little arithmetic. On a GPU it runs at the speed of the memory; fusing the passes into one (a JIT
# compiler does) saves most of the traffic, on either device.
#
# </details>
#
# ## Linear systems: many small or one large
#
# The same number of unknowns, in two shapes. Data are made beforehand, so that only the solution is timed, and the residual is checked.

# %%
from timeit import repeat


def median_ms(work):
    return sorted(repeat(work, number=1, repeat=5))[2] * 1000


for systems, size in ((40, 20), (1, 800)):
    a = rng.random((systems, size, size)) + size * np.eye(size)
    b = rng.random((systems, size, 1))
    assert np.abs(a @ np.linalg.solve(a, b) - b).max() < 1e-9
    print(f"{systems} systems of {size} equations: {median_ms(lambda: np.linalg.solve(a, b)):.2f} ms on this CPU")

# %% [markdown]
# With CuPy in place of NumPy the same lines run on a GPU; then wait for it before you read the clock (`cupyx.profiler.benchmark` does). One large system gains much: inside it is matrix
# products. Small ones gain only when the library has a batched solver for their size. [`linear_systems.py`](several-cpus.html) has both.
#
# ## Linear regression: what a step costs
#
# Gradient descent repeats a small step. Called from Python each time, the start of the step costs more than the step.

# %%
import jax
import jax.numpy as jnp

x = jnp.linspace(0, 1, 50)
X, y = jnp.column_stack([x, jnp.ones_like(x)]), 2 * x + 5


def step(beta):
    return beta - 0.5 * jax.grad(lambda beta: jnp.mean((X @ beta - y) ** 2))(beta)


one_step = jax.jit(step)
all_steps = jax.jit(lambda beta: jax.lax.fori_loop(0, 1000, lambda _, beta: step(beta), beta))


def from_python(beta):
    for _ in range(1000):
        beta = one_step(beta)
    return beta.block_until_ready()


start = jnp.zeros(2)
assert np.allclose(from_python(start), [2, 5], atol=1e-2) and np.allclose(all_steps(start), [2, 5], atol=1e-2)
slow, fast = median_ms(lambda: from_python(start)), median_ms(lambda: all_steps(start).block_until_ready())
print("the compiled loop is", "faster" if fast < slow else "not faster", "than a thousand calls")

# %% [markdown]
# On a GPU each call costs as well: starting a kernel takes microseconds, whatever it does. [`linear_regression.py`](several-cpus.html) measures it there.
#
# ## Second set of practices: moving data
#
# ![Disk, host memory, GPU memory](../assets/bounce-buffer.svg)
#
# - Load once, before the work, if everything fits.
# - If not, load in large pieces, and let the next piece travel while the GPU works on this one.
# - Give the loading to other processes than the one that drives the GPU.
# - Do not go back and forth.
# - Make random numbers where you need them.
#
# The data of CIFAR-10 show why the form matters. As bytes they are a quarter of what they are as `float32`:

# %%
pictures = 50_000 * 3 * 32 * 32
link = 63e9  # bytes/s one way, PCIe 5.0 x16
for name, size in (("bytes", 1), ("float32", 4)):
    print(f"CIFAR-10 as {name}: {pictures * size / 1e6:.1f} MB, at least {pictures * size / link * 1e3:.2f} ms over the link")

# %% [markdown]
# [Feed the GPU](feed-the-gpu.html) has the programs.
#
# ## Third set of practices: watch and profile
#
# ![Utilisation counts time, not units](../assets/utilisation.svg)
#
# - Try the job for some minutes before you ask for hours.
# - Make sure that it uses the GPU at all, then that it stays busy for most of the time.
# - "Utilisation" is the share of time in which any kernel ran. SM activity says more: aim at four fifths.
# - Occupancy explains; it is not a goal. The fastest products run at low occupancy.
# - Use tensor cores where your precision allows; libraries do it for you.
#
# [Watch your job](watch-your-job.html) says which tool shows what.
#
# ## Fourth set of practices: several CPUs instead
#
# - When you try your code on a GPU, try it on several cores too.
# - Compare with all the cores you could have, not with one.
# - Count the waiting: there are far more cores than GPUs, and a job that starts now may finish first.
#
# [Several CPUs instead of a GPU](several-cpus.html) shows a fair comparison, and [your cluster's page](../index.html) the scripts for both.
