"""Train a small network on all GPUs of a job, with one process per GPU."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset, random_split


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=100)
    args = parser.parse_args()

    device = "cuda" if torch.cuda.is_available() else "cpu"  # "cuda": AMD GPUs too
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    first = dist.get_rank() == 0  # only this process prints and saves
    cores = len(os.sched_getaffinity(0)) // int(os.environ["LOCAL_WORLD_SIZE"])
    workers = max(0, min(4, cores - 1))
    torch.manual_seed(0)
    samples = torch.randn(10_000, 32)  # put your own data here
    data = TensorDataset(samples, (samples.square().sum(dim=1) > 32).long())
    seen, unseen = random_split(data, [8_000, 2_000])
    share = DistributedSampler(seen)  # different samples for each process
    loader = DataLoader(
        seen,
        batch_size=args.batch,
        sampler=share,
        num_workers=workers,
        pin_memory=device == "cuda",
    )
    check = DataLoader(unseen, batch_size=1000)

    model = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 2))
    model.to(device)
    trained = DistributedDataParallel(model)  # averages the gradients of all processes
    optimizer = torch.optim.Adam(model.parameters())

    done = 0
    if os.path.exists("train.pt"):
        saved = torch.load("train.pt", map_location=device, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        done = saved["done"]
        if first:
            print(f"resumes after epoch {done}", flush=True)

    for epoch in range(done + 1, args.epochs + 1):
        share.set_epoch(epoch)  # a new order in each epoch, the same after a restart
        for inputs, targets in loader:
            inputs = inputs.to(device, non_blocking=True)
            targets = targets.to(device, non_blocking=True)
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(trained(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if not first:
            continue
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
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
