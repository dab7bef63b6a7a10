"""Train ResNet-152 on small pictures: the batch fills the memory, not the model."""

import argparse

import torch
from torch import nn
from torch.utils.benchmark import Timer
from torchvision.models import resnet152

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch", type=int, default=1024)
parser.add_argument("--seconds", type=float, default=5)
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")

torch.manual_seed(0)
model = resnet152(num_classes=10).to(device)  # CIFAR-10 has 10 classes, ImageNet 1000
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)  # this model's own parameters
inputs = torch.randn(args.batch, 3, 32, 32, device=device)
targets = torch.randint(10, (args.batch,), device=device)


def step() -> torch.Tensor:
    # Many CPUs only imitate bfloat16, slowly.
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=gpu):
        loss = nn.functional.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


before = model.fc.weight.detach().clone()
assert torch.isfinite(step()).item()  # the first step also includes setup
# The timer waits for the device before it reads the clock.
timer = Timer("step()", globals=globals(), label="a training step")
rate = args.batch / timer.blocked_autorange(min_run_time=args.seconds).median

assert not torch.equal(before, model.fc.weight), "the model was not trained"
weights = sum(p.numel() * p.element_size() for p in model.parameters())
print(f"parameters: {weights / 2**20:.0f} MiB; {rate:.1f} pictures/s on {device.type}")
if device.type == "cuda":
    most = torch.cuda.max_memory_allocated() / 2**30
    print(f"peak memory in use: {most:.1f} GiB")
