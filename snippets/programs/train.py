"""Train a small network, and resume after the last complete epoch if the job ended."""

import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=100)
    args = parser.parse_args()

    device = "cuda" if torch.cuda.is_available() else "cpu"  # "cuda": AMD GPUs too
    workers = min(4, len(os.sched_getaffinity(0)) - 1)  # leaves a core for this process
    torch.manual_seed(0)
    samples = torch.randn(10_000, 32)  # put your own data here
    data = TensorDataset(samples, (samples.square().sum(dim=1) > 32).long())
    seen, unseen = random_split(data, [8_000, 2_000])
    loader = DataLoader(
        seen,
        batch_size=args.batch,
        shuffle=True,
        num_workers=workers,
        pin_memory=device == "cuda",
    )
    check = DataLoader(unseen, batch_size=1000)

    model = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 2))
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters())

    done = 0
    if os.path.exists("train.pt"):
        saved = torch.load("train.pt", map_location=device, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        done = saved["done"]
        print(f"resumes after epoch {done}", flush=True)

    for epoch in range(done + 1, args.epochs + 1):
        torch.manual_seed(epoch)  # the same order of samples after a restart
        for inputs, targets in loader:
            inputs = inputs.to(device, non_blocking=True)
            targets = targets.to(device, non_blocking=True)
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        correct = 0
        with torch.no_grad():
            for inputs, targets in check:
                inputs, targets = inputs.to(device), targets.to(device)
                found = model(inputs).argmax(dim=1)
                correct += (found == targets).sum().item()
        print(f"epoch {epoch}: {correct / len(unseen):.0%} correct", flush=True)
        states = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(states | {"done": epoch}, "train.pt.new")
        os.replace("train.pt.new", "train.pt")  # never leaves a partial file


if __name__ == "__main__":
    main()
