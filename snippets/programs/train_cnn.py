"""Feed a small CNN with workers: how long does the GPU wait for its data?"""

import argparse

import torch
from small_cnn import device, epoch, scale
from torch.utils.benchmark import Timer
from torch.utils.data import DataLoader, TensorDataset


class OneByOne(TensorDataset):
    """Converts each image by itself, as most examples do."""

    def __getitem__(self, index):
        image, label = super().__getitem__(index)
        return scale(image), label


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=512, help="images in a batch")
    parser.add_argument("--workers", type=int, default=4, help="processes that load")
    parser.add_argument("--prefetch", type=int, default=4, help="batches for each")
    args = parser.parse_args()
    images = torch.randint(256, (args.images, 3, 32, 32), dtype=torch.uint8)
    data = OneByOne(images, torch.randint(10, (args.images,)))
    options = {"num_workers": args.workers, "prefetch_factor": args.prefetch}
    options |= {"pin_memory": device.type == "cuda", "persistent_workers": True}
    loader = DataLoader(data, args.batch, shuffle=True, **options)
    first = [part.to(device) for part in data[: args.batch]]
    ways = {
        "workers, pinned memory": loader,
        "nothing to feed": [first] * len(loader),  # what the GPU needs by itself
    }
    for name, batches in ways.items():
        assert epoch(batches) >= args.images, f"{name}: images were lost"  # warms up
        timer = Timer("epoch(batches)", globals=globals(), label=name)
        seconds = timer.blocked_autorange(min_run_time=0.5).median
        print(f"{name:22} on {device.type}: {seconds:7.3f} s per epoch")
