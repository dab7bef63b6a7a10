"""Feed the GPU: how fast do 1, 2, 4, ... workers load?"""

import argparse
import os
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    """Samples that keep a core busy for a while, as decoding an image does."""

    def __init__(self, samples: int):
        self.samples = samples

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        end = time.perf_counter() + 0.0003  # put your own work here
        while time.perf_counter() < end:
            pass
        return torch.full((3, 32, 32), float(index))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=20_000)
    data = Slow(parser.parse_args().samples)
    cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))
    workers = 1
    while workers < max(cores, 2):  # one core is left for the program itself
        loader = DataLoader(data, 256, num_workers=workers, persistent_workers=True)
        for epoch in range(2):  # the first starts the workers; the second is timed
            start = time.perf_counter()
            count = sum(len(batch) for batch in loader)
        rate = count / (time.perf_counter() - start)
        print(f"{workers:3} workers: {rate:9.0f} samples/s")
        workers *= 2
