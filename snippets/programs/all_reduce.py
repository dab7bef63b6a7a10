"""Time an all-reduce, the sum over all processes that DDP needs in every step."""

import argparse
import os
import time

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--largest", type=int, default=512, help="in MiB")
args = parser.parse_args()

gpu = torch.cuda.is_available()  # also true for AMD GPUs
if gpu:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl" if gpu else "gloo")
device, size = "cuda" if gpu else "cpu", dist.get_world_size()

repeats, mebibytes = 20, 1
while mebibytes <= args.largest:
    message = torch.ones(mebibytes * 2**18, device=device)  # float32: 4 bytes each
    dist.all_reduce(message)  # the first one also creates the connections
    assert (message == size).all(), "the sum over all processes is wrong"
    message.zero_()
    dist.barrier()
    start = time.perf_counter()
    for repeat in range(repeats):
        dist.all_reduce(message)
    message[0].item()  # waits for the GPU
    seconds = (time.perf_counter() - start) / repeats
    # Each process must send and receive 2 (n - 1) / n times the message size.
    rate = 2 * (size - 1) / size * message.nbytes / seconds / 1e9
    if dist.get_rank() == 0:
        print(f"{size} processes on {device}, {mebibytes} MiB: {rate:.2f} GB/s")
    mebibytes *= 8
dist.destroy_process_group()
