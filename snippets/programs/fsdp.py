"""Shard a model with FSDP2: each process stores a part of every weight."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

gpu = torch.cuda.is_available()  # also true for AMD GPUs
if gpu:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # one GPU for each process
dist.init_process_group("nccl" if gpu else "gloo")
device = "cuda" if gpu else "cpu"

torch.manual_seed(0)  # the same weights in all processes
model = nn.Sequential()
for _ in range(4):  # no GPU ever stores more than one whole layer
    model.append(nn.TransformerEncoderLayer(256, 8, 1024).to(device))
    fully_shard(model[-1])  # from now on, complete only while it computes
fully_shard(model)
total = sum(weight.numel() for weight in model.parameters())
optimizer = torch.optim.AdamW(model.parameters())  # after sharding

torch.manual_seed(dist.get_rank())  # different data in each process
for step in range(3):
    loss = model(torch.randn(128, 4, 256, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()  # each process receives the gradients of its part
    optimizer.step()

part = sum(weight.to_local().numel() for weight in model.parameters())
parts = [None] * dist.get_world_size()
dist.all_gather_object(parts, part)
if dist.get_rank() == 0:  # only one process prints
    print(f"the model: {total:,} parameters")
    for rank, number in enumerate(parts):
        print(f"process {rank}: {number:,} parameters ({number / total:.0%})")
dist.destroy_process_group()
