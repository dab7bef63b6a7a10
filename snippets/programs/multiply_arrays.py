"""Multiply two arrays: on the CPU, and on a GPU with four ways of moving the data."""

import argparse
import os
from contextlib import nullcontext

import torch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=250_000_000, help="pairs of float32")
parser.add_argument("--chunks", type=int, default=16, help="pieces that overlap")
args = parser.parse_args()
gpu = torch.cuda.is_available()  # also true for AMD GPUs
device = torch.device("cuda" if gpu else "cpu")
cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))

x, y = torch.rand(args.pairs), torch.rand(args.pairs)
out = torch.empty_like(x)
# Pinned memory stays where it is, so that the GPU can fetch it by itself.
pinned = [array.pin_memory() if gpu else array.clone() for array in (x, y, out)]
on_device = [torch.empty_like(array, device=device) for array in (x, y, out)]
streams = [torch.cuda.Stream() if gpu else None for _ in range(3)]


def on_cpu():
    torch.mul(x, y, out=out)


def resident():
    torch.mul(on_device[0], on_device[1], out=on_device[2])


def copy_all(host):
    for target, source in zip(on_device[:2], host):
        target.copy_(source, non_blocking=True)
    resident()
    host[2].copy_(on_device[2], non_blocking=True)


def overlapped():
    """Each chunk on its own stream: copied to the GPU, multiplied, and copied back."""
    pieces = [array.chunk(args.chunks) for array in (*pinned, *on_device)]
    for number, (a, b, c, d_a, d_b, d_c) in enumerate(zip(*pieces)):
        stream = streams[number % len(streams)]
        with torch.cuda.stream(stream) if gpu else nullcontext():
            d_a.copy_(a, non_blocking=True)
            d_b.copy_(b, non_blocking=True)
            torch.mul(d_a, d_b, out=d_c)
            c.copy_(d_c, non_blocking=True)


WAYS = [
    ("CPU, one thread", "on_cpu()", 1, out),
    ("CPU, all cores", "on_cpu()", cores, out),
    ("copies from ordinary memory", "copy_all([x, y, out])", cores, out),
    ("copies from pinned memory", "copy_all(pinned)", cores, pinned[2]),
    ("pinned copies that overlap", "overlapped()", cores, pinned[2]),
    ("resident on the device", "resident()", cores, on_device[2]),
]
some = slice(None, None, args.pairs // 100_000 or 1)  # enough to detect an error
expected = x[some].double() * y[some].double()
for name, statement, threads, result in WAYS:
    result.zero_()
    # The timer waits for the device before it reads the clock.
    timer = Timer(statement, globals=globals(), num_threads=threads, label=name)
    seconds = timer.blocked_autorange(min_run_time=0.5).median
    error = (result[some].cpu().double() - expected).abs().max().item()
    assert error < 1e-6, f"{name}: the product is wrong by {error}"
    print(f"{name:28} on {device.type}: {seconds * 1e3:9.3f} ms")
