"""Train ResNet-152 on pictures of CIFAR-10's size: what fills the memory is the batch, not the model."""

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
device = (
    torch.accelerator.current_accelerator()
    if torch.accelerator.is_available()
    else torch.device("cpu")
)

torch.manual_seed(0)
model = resnet152(num_classes=10).to(device)  # CIFAR-10 has 10 classes, not ImageNet's 1000
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)  # this model's own parameters
inputs = torch.randn(args.batch, 3, 32, 32, device=device)
targets = torch.randint(10, (args.batch,), device=device)

before = model.fc.weight.detach().clone()
for step in range(args.steps + 1):
    if step == 1:  # the first step also sets things up
        start = time.perf_counter()
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()  # waits for the device
seconds = (time.perf_counter() - start) / args.steps

assert not torch.equal(before, model.fc.weight), "the model was not trained"
weights = sum(p.numel() * p.element_size() for p in model.parameters())
print(
    f"parameters: {weights / 2**20:.0f} MiB; {args.batch / seconds:.1f} pictures/s on {device.type}"
)
if device.type == "cuda":
    print(
        f"most memory in use at once: {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB"
    )
