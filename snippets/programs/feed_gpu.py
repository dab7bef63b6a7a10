"""Feed the GPU: how many loading workers until the rate no longer rises?"""

import argparse
import os
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    """Samples that keep a core busy for a while, as decoding a picture does."""

    def __init__(self, samples: int, seconds: float):
        self.samples, self.seconds = samples, seconds

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            pass
        return torch.full((3, 32, 32), float(index))


def rate(dataset: Dataset, batch: int, workers: int, device: torch.device) -> float:
    # Both are rejected without workers.
    more = {"prefetch_factor": 2, "persistent_workers": True} if workers else {}
    pin = device.type == "cuda"
    loader = DataLoader(
        dataset, batch, shuffle=True, num_workers=workers, pin_memory=pin, **more
    )
    for epoch in range(2):  # the first starts the workers; the second is timed
        seen = torch.zeros((), device=device, dtype=torch.long)
        start = time.perf_counter()
        for inputs in loader:
            seen += inputs.to(device, non_blocking=True)[:, 0, 0, 0].long().sum()
        total = seen.item()  # waits for the device
        seconds = time.perf_counter() - start
    assert total == sum(range(len(dataset))), "samples were lost"
    return len(dataset) / seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument(
        "--milliseconds", type=float, default=0.3, help="a sample's work"
    )
    args = parser.parse_args()
    gpu = torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
    cores = int(os.environ.get("SLURM_CPUS_PER_TASK", len(os.sched_getaffinity(0))))
    data = Slow(args.samples, args.milliseconds / 1e3)
    print(f"  0 workers: {rate(data, args.batch, 0, device):9.0f} samples/s")
    best, enough, workers = 0.0, 0, 1
    while workers < max(cores, 2):  # one core is left for the program itself
        samples = rate(data, args.batch, workers, device)
        print(f"{workers:3} workers: {samples:9.0f} samples/s")
        if samples < 1.1 * best:
            break  # the rate no longer rises
        best, enough, workers = samples, workers, 2 * workers
    print(f"Use {enough} workers.")
