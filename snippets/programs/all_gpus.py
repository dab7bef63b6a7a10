"""Train one model on all GPUs of a node, with one process per GPU."""

import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=50)
parser.add_argument("--device", choices=["auto", "cpu"], default="auto")
args = parser.parse_args()

gpu = torch.cuda.is_available() and args.device != "cpu"  # AMD GPUs too
started_by_torchrun = "RANK" in os.environ
if started_by_torchrun and not gpu and args.device != "cpu":
    raise SystemExit("PyTorch finds no GPU: run check_gpu.py, or choose --device cpu.")
local = int(os.environ.get("LOCAL_RANK", 0))
device = torch.device("cuda", local) if gpu else torch.device("cpu")
if gpu:
    torch.cuda.set_device(device)

backend = "nccl" if gpu else "gloo"
if started_by_torchrun:
    dist.init_process_group(backend)
else:  # a single process
    dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(rank)  # different initial weights and data in each process
model = nn.Linear(1024, 1024).to(device)
model = DistributedDataParallel(model)  # sends rank 0's weights to all processes
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(args.steps + 1):
    if step == 1:  # the first step also initializes libraries
        start = time.perf_counter()
    loss = model(torch.randn(256, 1024, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()  # gradients are averaged over all processes here
    optimizer.step()
    loss.item()  # waits for the GPU
rate = size * 256 * args.steps / (time.perf_counter() - start)

weight = model.module.weight.detach()
low, high = weight.clone(), weight.clone()
dist.all_reduce(low, op=dist.ReduceOp.MIN)
dist.all_reduce(high, op=dist.ReduceOp.MAX)
assert torch.equal(low, high), "the processes have different models"
if rank == 0:
    print(
        f"{size} process(es) on {device.type}: the same model after {args.steps} steps,"
        f" {rate:.0f} samples/s in total"
    )
dist.destroy_process_group()
