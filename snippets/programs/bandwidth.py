"""How fast are the GPU's own memory and its link to the host?"""

import argparse

import torch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--megabytes", type=int, default=2048)
args = parser.parse_args()
gpu = torch.cuda.is_available()  # also true for AMD GPUs
device = torch.device("cuda" if gpu else "cpu")

host = torch.randint(256, (args.megabytes * 1_000_000,), dtype=torch.uint8)
back = torch.zeros_like(host)
if gpu:  # pinned memory stays where it is, so that the GPU can fetch it by itself
    host, back = host.pin_memory(), back.pin_memory()
there, copy = host.to(device), torch.zeros_like(host, device=device)
one, other = (torch.cuda.Stream() if gpu else None for _ in range(2))


def both_ways():
    if not gpu:
        return copy.copy_(host), back.copy_(there)
    with torch.cuda.stream(one):
        copy.copy_(host, non_blocking=True)
    with torch.cuda.stream(other):
        back.copy_(there, non_blocking=True)


WAYS = [  # what, how, and how many times the bytes move
    ("device to device", "copy.copy_(there)", 2),
    ("host to device", "copy.copy_(host, non_blocking=True)", 1),
    ("device to host", "back.copy_(there, non_blocking=True)", 1),
    ("both ways at once", "both_ways()", 2),
]
for name, statement, times in WAYS:
    timer = Timer(statement, globals=globals(), label=name)
    seconds = timer.blocked_autorange(min_run_time=0.5).median
    print(
        f"{name:18} on {device.type}: {times * host.numel() / seconds / 1e9:8.2f} GB/s"
    )
assert torch.equal(copy.cpu(), host) and torch.equal(back, host), "bytes were lost"
