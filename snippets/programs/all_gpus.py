"""Use every GPU of a node: one process a GPU, training one model together."""

# test: --steps 3
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=50)
steps = parser.parse_args().steps

# torchrun sets these; alone, the program is a group of one.
for name, value in {
    "RANK": "0",
    "LOCAL_RANK": "0",
    "WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1",
    "MASTER_PORT": "29500",
}.items():
    os.environ.setdefault(name, value)
rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
gpu = torch.cuda.is_available()
device = torch.device("cuda", local) if gpu else torch.device("cpu")
if gpu:
    torch.cuda.set_device(device)
dist.init_process_group("nccl" if gpu else "gloo")

torch.manual_seed(0)  # the same model everywhere; DDP also sends rank 0's to all
model = DistributedDataParallel(
    nn.Linear(1024, 1024).to(device), device_ids=[local] if gpu else None
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(rank)  # other data on each GPU
for _ in range(steps):
    loss = model(torch.randn(256, 1024, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()  # gradients are averaged over all GPUs here
    optimizer.step()

total = torch.ones(1, device=device)
dist.all_reduce(total)
weight = next(model.parameters()).detach()
low, high = weight.clone(), weight.clone()
dist.all_reduce(low, op=dist.ReduceOp.MIN)
dist.all_reduce(high, op=dist.ReduceOp.MAX)
assert total.item() == dist.get_world_size() and torch.equal(low, high), (
    "the processes do not agree"
)
if rank == 0:
    print(
        f"{dist.get_world_size()} process(es) on {device.type} hold the same model after {steps} steps"
    )
dist.destroy_process_group()
