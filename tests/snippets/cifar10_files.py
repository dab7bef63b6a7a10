"""Write small files in CIFAR-10's own format, so that torchvision's real loading code can be tested."""

import pickle
from pathlib import Path

import numpy as np


def write_cifar10(folder: Path, images_per_batch: int = 40) -> None:
    """Write the pickled batches: `data` uint8 (images, 3072), `labels` a list of ints 0 to 9."""
    batches = folder / "cifar-10-batches-py"
    batches.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name in (*(f"data_batch_{n}" for n in range(1, 6)), "test_batch"):
        content = {
            "data": rng.integers(0, 256, (images_per_batch, 3072), dtype=np.uint8),
            "labels": rng.integers(0, 10, images_per_batch).tolist(),
        }
        (batches / name).write_bytes(pickle.dumps(content))
    labels = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    (batches / "batches.meta").write_bytes(pickle.dumps({"label_names": labels}))
