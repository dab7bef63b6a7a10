"""Train a small CNN on CIFAR-10, with the pictures loaded by workers or kept on the device."""

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
device = (
    torch.accelerator.current_accelerator()
    if torch.accelerator.is_available()
    else torch.device("cpu")
)
cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))


def train(batches, prepare=lambda inputs: inputs) -> float:
    """Train from the same start each time; return the seconds of the epochs after the first batch."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 6, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.ReLU(),
        nn.Linear(120, 84),
        nn.ReLU(),
        nn.Linear(84, 10),
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    start = time.perf_counter()
    for _ in range(args.epochs):
        for inputs, targets in batches():
            loss = nn.functional.cross_entropy(
                model(prepare(inputs.to(device, non_blocking=True))),
                targets.to(device, non_blocking=True),
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert torch.isfinite(loss).item()  # also waits for the device
    return time.perf_counter() - start


if __name__ == "__main__":
    normalise = transforms.Compose(
        [transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)]
    )
    data = datasets.CIFAR10(
        os.environ["CIFAR10_PATH"], train=True, download=False, transform=normalise
    )
    loader = DataLoader(
        data,
        args.batch,
        shuffle=True,
        num_workers=max(cores - 1, 1),
        pin_memory=device.type == "cuda",
        persistent_workers=True,
    )
    print(
        f"{len(data)} pictures on {device.type}, prepared one by one by workers: {train(lambda: loader):.2f} s"
    )

    pictures = (
        torch.from_numpy(data.data).permute(0, 3, 1, 2).contiguous().to(device)
    )  # bytes: a quarter of float32's size
    labels = torch.tensor(data.targets, device=device)

    def resident():
        for index in torch.randperm(len(labels), device=device).split(args.batch):
            yield pictures[index], labels[index]

    seconds = train(resident, prepare=lambda inputs: inputs.float().div(127.5).sub(1))
    print(
        f"{len(data)} pictures on {device.type}, kept there as bytes:        {seconds:.2f} s"
    )
