"""What "does it fit?" needs: the shapes of models, and every GPU and slice of the running systems."""

from __future__ import annotations

from scripts.facts import load_all
from scripts.facts.model import Cluster
from scripts.measure.language_models import NO_CACHE, load_models
from scripts.measure.limits import load_limits


def fit() -> dict:
    models = [
        model.model_dump(exclude={"type", "inner", "tied", "experts", "chosen"}) | {"fixed": model.type in NO_CACHE}
        for model in load_models()
    ]
    return {
        "models": models,
        "gpus": [gpu for cluster in load_all().values() if cluster.running for gpu in _gpus(cluster)],
    }


def _gpus(cluster: Cluster) -> list[dict]:
    """Slices have the same part of the bandwidth as of the memory. per: GPUs on a node with the most of them."""
    limits, found = load_limits(), []
    for key, gpu in cluster.gpus.items():
        whole = gpu.slice_of or key
        name = cluster.gpus[whole].device
        device = limits.get(name) if name else None
        part = gpu.memory.mib / device.memory.mib if device and gpu.is_slice else 1
        found.append(
            {
                "key": cluster.key,
                "system": cluster.name,
                "label": f"{gpu.model}{' slice' if gpu.is_slice else ''}, {gpu.memory}",
                "bytes": round(gpu.memory.mib * 2**20),
                "per": max((node.gpus.get(whole, 0) for node in cluster.node_types.values()), default=0) or 1,
                "slice": gpu.is_slice,
                "rate": device.hbm_gb_per_s * part if device else None,
            }
        )
    return found
