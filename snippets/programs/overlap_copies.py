"""Overlap copies with computing: pieces of the data on three streams of the GPU."""

import argparse

import torch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--pairs", type=int, default=250_000_000, help="pairs of float32")
parser.add_argument("--chunks", type=int, default=16, help="pieces that overlap")
args = parser.parse_args()
gpu = torch.cuda.is_available()  # also true for AMD GPUs
device = torch.device("cuda" if gpu else "cpu")

host = [torch.rand(args.pairs), torch.rand(args.pairs), torch.empty(args.pairs)]
host = [array.pin_memory() if gpu else array for array in host]
stored = [torch.empty_like(array, device=device) for array in host]
streams = [torch.cuda.Stream() if gpu else None for _ in range(3)]


def overlapped():
    """Each piece on its own stream: copied to the GPU, multiplied, and copied back."""
    pieces = zip(*(array.chunk(args.chunks) for array in (*host, *stored)))
    for number, (x, y, out, d_x, d_y, d_out) in enumerate(pieces):
        with torch.cuda.stream(streams[number % 3]):
            d_x.copy_(x, non_blocking=True)
            d_y.copy_(y, non_blocking=True)
            torch.mul(d_x, d_y, out=d_out)
            out.copy_(d_out, non_blocking=True)


name = "pinned copies that overlap"
timer = Timer("overlapped()", globals=globals(), label=name)  # waits for the device
seconds = timer.blocked_autorange(min_run_time=0.5).median
x, y, out = (array[::997] for array in host)  # enough to detect an error
error = (out - x * y).abs().max().item()
assert error < 1e-6, f"{name}: the product is wrong by {error}"
print(f"{name} on {device.type}: {seconds * 1e3:9.3f} ms")
