"""Train a network, test it on unseen data, and resume from a checkpoint."""

import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

if __name__ == "__main__":  # a worker may read this file again
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--file", default="train.pt", help="state after each epoch")
    args = parser.parse_args()

    gpu = torch.cuda.is_available()  # also true for AMD GPUs
    device = "cuda" if gpu else "cpu"
    cores = len(os.sched_getaffinity(0))  # those of your job, not of the node
    torch.manual_seed(0)

    samples = torch.randn(10_000, 32)  # put your own data here
    data = TensorDataset(samples, (samples.square().sum(dim=1) > 32).long())
    seen, unseen = random_split(data, [8_000, 2_000])
    options = {"batch_size": args.batch, "num_workers": min(2, cores - 1)}
    loader = DataLoader(seen, shuffle=True, pin_memory=gpu, **options)
    check = DataLoader(unseen, pin_memory=gpu, **options)

    model = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    first = 0
    if os.path.exists(args.file):
        saved = torch.load(args.file, map_location=device, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        first = saved["epoch"]
        print(f"resumes after epoch {first}", flush=True)

    for epoch in range(first + 1, args.epochs + 1):
        torch.manual_seed(epoch)  # the same order of samples after a restart
        model.train()
        for inputs, targets in loader:
            inputs = inputs.to(device, non_blocking=True)
            targets = targets.to(device, non_blocking=True)
            loss = nn.functional.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        right = 0
        with torch.no_grad():
            for inputs, targets in check:
                found = model(inputs.to(device)).argmax(dim=1)
                right += (found == targets.to(device)).sum().item()
        # flush writes each line to the job's file at once, not when the job ends
        print(
            f"epoch {epoch} on {device}: {right / len(unseen):.0%} correct", flush=True
        )
        state = {
            "epoch": epoch,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        torch.save(state, args.file + ".new")
        os.replace(args.file + ".new", args.file)  # never leaves half a file
