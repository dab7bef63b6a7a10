"""One model on several GPUs: each process trains on its own part of the data."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

gpu = torch.cuda.is_available()  # also true for AMD GPUs
if gpu:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # one GPU for each process
dist.init_process_group(
    "nccl" if gpu else "gloo"
)  # torchrun sets the ranks and the address
device = "cuda" if gpu else "cpu"

torch.manual_seed(0)
inputs = torch.randn(1024, 8)
data = TensorDataset(inputs, inputs.sum(dim=1, keepdim=True))
share = DistributedSampler(data)  # different samples for each process
loader = DataLoader(data, batch_size=32, sampler=share)

model = DistributedDataParallel(nn.Linear(8, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    share.set_epoch(epoch)  # reshuffle
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()  # here the gradients are averaged over all processes
        optimizer.step()

if dist.get_rank() == 0:  # only one process prints
    print(
        f"{dist.get_world_size()} processes, {len(share)} of {len(data)} samples each"
    )
    print(f"loss on {device}: {loss.item():.1e}")
dist.destroy_process_group()
