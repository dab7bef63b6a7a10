"""Train a model. After a restart, resume at the same step with the same state."""

import argparse
import sys

import torch
from restart import Run
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--epochs", type=int, default=500)
epochs = parser.parse_args().epochs

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
data = TensorDataset(torch.randn(1024, 20), torch.randn(1024, 1))  # put your own here
model = nn.Sequential(nn.Linear(20, 64), nn.Dropout(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters())
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 100, 0.9)
run = Run("checkpoint.pt", model=model, optimizer=optimizer, schedule=schedule)

steps = len(data) // 32  # per epoch
for epoch in range(run.step // steps, epochs):
    order = torch.Generator().manual_seed(epoch)  # the same after a restart
    batches = torch.randperm(len(data), generator=order).view(steps, 32).tolist()
    rest = batches[run.step % steps :]  # the batches that this epoch still needs
    for inputs, targets in DataLoader(data, batch_sampler=rest, generator=order):
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        run.step += 1
        if run.asked or run.step % 100 == 0:
            run.save()
        if run.asked:
            sys.exit(f"asked to stop: saved after step {run.step}")
run.save()
print(f"all {run.step} steps are done")
