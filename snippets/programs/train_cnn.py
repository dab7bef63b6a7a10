"""Train a small CNN on CIFAR-10: pictures from loading workers, or kept on the device."""

# test: --batch 50 --epochs 1
# needs: torchvision cifar10
import argparse
import os
import time

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch", type=int, default=512)
parser.add_argument("--epochs", type=int, default=3)
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))


def network() -> nn.Module:
    torch.manual_seed(0)  # the same start each time
    first = [nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2)]
    second = [nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()]
    third = [nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU()]
    return nn.Sequential(*first, *second, *third, nn.Linear(84, 10)).to(device)


def train(batches, prepare) -> float:
    """Return the seconds an epoch takes, without the first, which also sets things up."""
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(args.epochs + 1):
        if epoch == 1:
            start = time.perf_counter()
        for inputs, targets in batches():
            inputs = prepare(inputs.to(device, non_blocking=True))
            targets = targets.to(device, non_blocking=True)
            loss = nn.functional.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert torch.isfinite(loss).item()  # also waits for the device
    return (time.perf_counter() - start) / args.epochs


def scale(pictures: torch.Tensor) -> torch.Tensor:
    """Bytes to numbers from -1 to 1, a whole batch at once."""
    return pictures.float().div(127.5).sub(1)


if __name__ == "__main__":
    normalise = transforms.Normalize((0.5,) * 3, (0.5,) * 3)  # the same, one by one
    one_by_one = transforms.Compose([transforms.ToTensor(), normalise])
    folder = os.environ["CIFAR10_PATH"]
    data = datasets.CIFAR10(folder, download=False, transform=one_by_one)
    workers = {"num_workers": max(cores - 1, 1), "persistent_workers": True}
    loader = DataLoader(
        data, args.batch, shuffle=True, pin_memory=device.type == "cuda", **workers
    )

    # As bytes the pictures take a quarter of the room that float32 would.
    pictures = torch.from_numpy(data.data).permute(0, 3, 1, 2).contiguous().to(device)
    labels = torch.tensor(data.targets, device=device)
    torch.testing.assert_close(scale(pictures[:1]).cpu()[0], data[0][0])

    def resident():
        for index in torch.randperm(len(labels), device=device).split(args.batch):
            yield pictures[index], labels[index]

    print(f"{len(data)} pictures on {device.type}, seconds an epoch:")
    print(f"  prepared one by one by workers: {train(lambda: loader, lambda x: x):.3f}")
    print(f"  kept on the device as bytes:    {train(resident, scale):.3f}")
