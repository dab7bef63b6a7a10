"""Feed a small CNN with whole batches of bytes, from host memory or from the GPU's."""

import argparse

import torch
from small_cnn import device, epoch
from torch.utils.benchmark import Timer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--images", type=int, default=50_000)
parser.add_argument("--batch", type=int, default=512, help="images in a batch")
args = parser.parse_args()
images = torch.randint(256, (args.images, 3, 32, 32), dtype=torch.uint8)
labels = torch.randint(10, (args.images,))


def batches(images, labels):
    """In a new order; the model converts the bytes to numbers on the device."""
    for index in torch.randperm(len(labels), device=labels.device).split(args.batch):
        yield images[index], labels[index]


ways = {
    "bytes in memory": (images, labels),
    "bytes on the device": (images.to(device), labels.to(device)),
}
for name, data in ways.items():
    assert epoch(batches(*data)) == args.images, f"{name}: images were lost"  # warms up
    timer = Timer("epoch(batches(*data))", globals=globals(), label=name)
    seconds = timer.blocked_autorange(min_run_time=0.5).median
    print(f"{name:19} on {device.type}: {seconds:7.3f} s per epoch")
