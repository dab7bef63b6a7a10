"""Which CUDA knows a GPU, and which one frameworks and images are built with, in `cuda.yml`."""

from datetime import date
from pathlib import Path

from scripts.models import Strict, load_model

FILE = Path(__file__).with_name("cuda.yml")


class Cuda(Strict):
    """Versions, as `cuda.yml` explains them."""

    read: date
    capabilities: dict[str, str]
    pytorch: dict[str, str]
    tensorflow: dict[str, str]
    images: dict[str, str | None]


def cuda_told() -> dict:
    """For the engine: versions as numbers, and rows `[before, major, minor]`. Raises BadInput as load_model."""
    found = load_model(FILE, Cuda, "Compare with another row.")[0]
    rows = {name: getattr(found, name).items() for name in ("pytorch", "tensorflow", "images")}
    return {"capabilities": {name: _numbers(first) for name, first in found.capabilities.items()}} | {
        name: [[_numbers(before), *_numbers(cuda)] for before, cuda in own] for name, own in rows.items()
    }


def _numbers(version: str | None) -> list[int]:
    return [int(part) for part in version.split(".")] if version else []
