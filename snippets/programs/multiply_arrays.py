"""Multiply two arrays on a GPU: what do copies from ordinary or pinned memory cost?"""

import argparse

import torch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=250_000_000, help="pairs of float32")
pairs = parser.parse_args().pairs
gpu = torch.cuda.is_available()  # also true for AMD GPUs
device = torch.device("cuda" if gpu else "cpu")

ordinary = [torch.rand(pairs), torch.rand(pairs), torch.empty(pairs)]
# Pinned memory stays where it is, so that the GPU can fetch it by itself.
pinned = [array.pin_memory() if gpu else array.clone() for array in ordinary]
stored = [torch.empty_like(array, device=device) for array in ordinary]


def multiply():
    torch.mul(stored[0], stored[1], out=stored[2])


def copy_and_multiply(host):
    stored[0].copy_(host[0], non_blocking=True)
    stored[1].copy_(host[1], non_blocking=True)
    multiply()
    host[2].copy_(stored[2], non_blocking=True)


for name, statement, (x, y, out) in (
    ("copies from ordinary memory", "copy_and_multiply(ordinary)", ordinary),
    ("copies from pinned memory", "copy_and_multiply(pinned)", pinned),
    ("resident on the device", "multiply()", stored),
):
    timer = Timer(statement, globals=globals(), label=name)  # waits for the device
    seconds = timer.blocked_autorange(min_run_time=0.5).median
    error = (out[::997] - x[::997] * y[::997]).abs().max().item()
    assert error < 1e-6, f"{name}: the product is wrong by {error}"
    print(f"{name:27} on {device.type}: {seconds * 1e3:9.3f} ms")
