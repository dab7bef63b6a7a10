"""Where does the time of a training step go? Profile a few, and write a trace."""

import time

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

gpu = torch.cuda.is_available()
device = "cuda" if gpu else "cpu"
model = nn.Linear(256, 256).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

activities = [ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * gpu
steps = schedule(wait=2, warmup=2, active=6)  # the first steps include setup
with profile(activities=activities, schedule=steps) as profiler:
    for _ in range(10):
        with record_function("load"):
            time.sleep(0.1)  # simulates a slow loader
            batch = torch.randn(64, 256).to(device)
        with record_function("train"):
            loss = model(batch).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss.item()  # waits for the GPU
        profiler.step()

spent = {"load": 0.0, "train": 0.0}
for part in profiler.key_averages():  # each appears once for the CPU, once for the GPU
    if part.key in spent:
        spent[part.key] += part.cpu_time_total
for name, time_spent in spent.items():
    print(f"{name:5}: {time_spent / sum(spent.values()):4.0%} of a step")
profiler.export_chrome_trace("trace.json")  # open it at ui.perfetto.dev
