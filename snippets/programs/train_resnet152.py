"""Train ResNet-152 on small pictures: the batch fills the memory, not the model."""

# test: --batch 4 --steps 1
# needs: torchvision
import argparse
import time

import torch
from torch import nn
from torchvision.models import resnet152

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch", type=int, default=1024)
parser.add_argument("--steps", type=int, default=20)
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")

torch.manual_seed(0)
model = resnet152(num_classes=10).to(device)  # CIFAR-10 has 10 classes, ImageNet 1000
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)  # this model's own parameters
inputs = torch.randn(args.batch, 3, 32, 32, device=device)
targets = torch.randint(10, (args.batch,), device=device)

before = model.fc.weight.detach().clone()
for step in range(args.steps + 1):
    if step == 1:  # the first step also sets things up
        start = time.perf_counter()
    # Many CPUs only imitate bfloat16, slowly.
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=gpu):
        loss = nn.functional.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    assert torch.isfinite(loss).item()  # also waits for the device
rate = args.batch * args.steps / (time.perf_counter() - start)

assert not torch.equal(before, model.fc.weight), "the model was not trained"
weights = sum(p.numel() * p.element_size() for p in model.parameters())
print(f"parameters: {weights / 2**20:.0f} MiB; {rate:.1f} pictures/s on {device.type}")
if device.type == "cuda":
    most = torch.cuda.max_memory_allocated() / 2**30
    print(f"most memory in use at once: {most:.1f} GiB")
