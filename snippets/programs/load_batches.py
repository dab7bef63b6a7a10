"""Load batches in two other processes, and send each to the device."""

import torch
from torch.utils.data import DataLoader, TensorDataset

gpu = torch.cuda.is_available()
device = "cuda" if gpu else "cpu"
data = TensorDataset(torch.randn(1000, 32), torch.arange(1000))  # put your own here

if __name__ == "__main__":  # a worker may import this file
    loader = DataLoader(
        data, batch_size=100, shuffle=True, num_workers=2, pin_memory=gpu
    )
    for inputs, targets in loader:
        inputs = inputs.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        # Put your training step here. Meanwhile, the workers prepare the next batches.
    print(f"{len(loader)} batches of {loader.batch_size} moved to {device}")
