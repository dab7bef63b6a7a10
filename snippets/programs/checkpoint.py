"""Save a checkpoint now and then, and go on from it when the job starts again."""

import argparse
import os

import torch
from torch import nn

FILE = "checkpoint.pt"


def train(steps: int, stop_at: int) -> torch.Tensor:
    """Train up to step `stop_at` of `steps`, from the last checkpoint on, if any."""
    torch.manual_seed(0)
    gpu = torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
    inputs = torch.randn(256, 20, device=device)
    targets = torch.randn(256, 1, device=device)
    model = nn.Linear(20, 1).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    first = 0
    if os.path.exists(FILE):
        saved = torch.load(FILE, map_location=device, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        first = saved["step"]
        print(f"goes on at step {first}")
    for step in range(first, stop_at):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        if (step + 1) % 10 == 0:
            state = {
                "step": step + 1,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
            }
            torch.save(state, FILE + ".new")
            os.replace(FILE + ".new", FILE)  # all or nothing, if the job ends here
    return model.weight.detach().cpu()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    steps = parser.parse_args().steps
    whole = train(steps, steps)
    os.remove(FILE)
    train(steps, steps // 2 + 3)  # as if the time limit ended the job here
    assert torch.allclose(train(steps, steps), whole, atol=1e-5), "other weights"
    print("the same weights as without a stop")
    os.remove(FILE)
