"""Where does the time of a training step go? Profile a few, and write a trace."""

import sys
import time

import torch
from torch import nn
from torch.profiler import profile, record_function, schedule
from torch.utils.data import DataLoader

workers = int(sys.argv[1]) if len(sys.argv) > 1 else 0  # processes that load


def read(indices):
    time.sleep(0.002 * len(indices))  # simulates slow files
    return torch.randn(len(indices), 1024)


device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(1024, 2048), nn.ReLU(), nn.Linear(2048, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = iter(DataLoader(range(320), 32, collate_fn=read, num_workers=workers))

with profile(schedule=schedule(wait=2, warmup=2, active=6)) as profiler:
    for _ in range(10):  # the first steps include setup
        with record_function("load"):
            batch = next(loader)
        with record_function("train"):
            loss = model(batch.to(device)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss.item()  # waits for the GPU
        profiler.step()

parts = profiler.key_averages()  # of a GPU's own parts, the CPU time is 0
times = {part.key: part.cpu_time_total for part in parts if part.cpu_time_total}
for name in ("load", "train"):
    print(f"{name:5}: {times[name] / (times['load'] + times['train']):4.0%} of a step")
profiler.export_chrome_trace("trace.json")  # open it at ui.perfetto.dev
