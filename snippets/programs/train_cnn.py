"""Train a small CNN on CIFAR-10, fed in four ways: how long does the GPU wait?"""

import argparse
import os

import torch
from torch import nn
from torch.utils.benchmark import Timer
from torch.utils.data import DataLoader, TensorDataset

cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))
some = max(1, min(cores - 1, 8))  # use more only if they help
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch", type=int, default=512, help="pictures in a batch")
parser.add_argument(
    "--workers", type=int, default=some, help="processes that load, at least one"
)
parser.add_argument(
    "--prefetch", type=int, default=4, help="batches that each has ready"
)
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")


def scale(pictures: torch.Tensor) -> torch.Tensor:
    """Bytes to numbers from -1 to 1."""
    return pictures.float().div(127.5).sub(1)


class OneByOne(TensorDataset):
    """Prepares each picture by itself, as most examples do."""

    def __getitem__(self, index):
        picture, label = super().__getitem__(index)
        return scale(picture), label


def whole(pictures: torch.Tensor, labels: torch.Tensor):
    """Batches of bytes, on the device that stores the pictures."""
    for index in torch.randperm(len(labels), device=labels.device).split(args.batch):
        yield pictures[index], labels[index]


def epoch(batches) -> torch.Tensor:
    """Train once on every batch; return the labels' sum, which shows a lost one."""
    seen = torch.zeros((), dtype=torch.long, device=device)
    for inputs, targets in batches:
        inputs, targets = (
            part.to(device, non_blocking=True) for part in (inputs, targets)
        )
        inputs = scale(inputs) if inputs.dtype == torch.uint8 else inputs
        loss = nn.functional.cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += targets.sum()
    return seen


if __name__ == "__main__":
    if folder := os.environ.get("CIFAR10_PATH"):
        from torchvision.datasets import CIFAR10

        data = CIFAR10(folder, download=False)
        pictures = torch.from_numpy(data.data).permute(0, 3, 1, 2).contiguous()
        labels = torch.tensor(data.targets)
    else:  # random data of the same size needs the same time
        pictures = torch.randint(256, (50_000, 3, 32, 32), dtype=torch.uint8)
        labels = torch.randint(10, (50_000,))
    there = pictures.to(device), labels.to(device)  # bytes: a quarter of float32's size
    first, batches = next(whole(*there)), -(-len(labels) // args.batch)
    data = OneByOne(pictures, labels)
    workers = {"shuffle": True, "num_workers": args.workers, "persistent_workers": True}
    plain = DataLoader(data, args.batch, **workers)
    pinned = DataLoader(
        data, args.batch, pin_memory=gpu, prefetch_factor=args.prefetch, **workers
    )
    ways = {
        "workers": lambda: plain,
        "workers, pinned memory": lambda: pinned,
        "bytes in memory": lambda: whole(pictures, labels),
        "bytes on the device": lambda: whole(*there),
        "nothing to feed": lambda: [first] * batches,  # what the GPU needs by itself
    }
    for name, feed in ways.items():
        torch.manual_seed(0)  # the same start each time
        model = nn.Sequential(nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2))
        model.extend([nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()])
        model.extend([nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU()])
        model.append(nn.Linear(84, 10)).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        seen = epoch(feed())  # also starts the workers and the GPU
        if name != "nothing to feed":
            assert seen.item() == labels.sum(), f"{name}: labels were lost"
        timer = Timer("epoch(feed())", globals=globals(), num_threads=cores, label=name)
        seconds = timer.blocked_autorange(min_run_time=0.5).median
        print(f"{name:22} on {device.type}: {seconds:7.3f} s per epoch")
