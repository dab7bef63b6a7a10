"""Train, save the complete state, and resume from it after a restart."""

import argparse
import os
import signal
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--epochs", type=int, default=500)
epochs, file = parser.parse_args().epochs, "checkpoint.pt"
asked = []  # USR1: time is nearly over; TERM: the job is being ended
for number in signal.SIGUSR1, signal.SIGTERM:
    signal.signal(number, lambda *what: asked.append(what))

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
data = TensorDataset(torch.randn(1024, 20), torch.randn(1024, 1))  # put your own here
model = nn.Sequential(nn.Linear(20, 64), nn.Dropout(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters())
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 100, 0.9)
parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
step, steps = 0, len(data) // 32  # step counts all epochs; steps is per epoch


def save():
    state = {name: part.state_dict() for name, part in parts.items()}
    state |= {"step": step, "random": torch.get_rng_state()}  # of the CPU
    state["random_gpu"] = torch.cuda.get_rng_state_all()
    torch.save(state, file + ".new")
    os.replace(file + ".new", file)  # never leaves half a file


if os.path.exists(file):
    saved = torch.load(file, map_location="cpu", weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    torch.set_rng_state(saved["random"])
    torch.cuda.set_rng_state_all(saved["random_gpu"])
    step = saved["step"]
    print(f"resumes after step {step}", flush=True)

for epoch in range(step // steps, epochs):
    order = torch.Generator().manual_seed(epoch)  # the same after a restart
    batches = torch.randperm(len(data), generator=order).view(steps, 32).tolist()
    rest = batches[step % steps :]  # of this epoch
    for inputs, targets in DataLoader(data, batch_sampler=rest, generator=order):
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        step += 1
        if asked or step % 100 == 0:
            save()
        if asked:
            sys.exit(f"asked to end: saved after step {step}")
save()
print(f"all {step} steps are done")
