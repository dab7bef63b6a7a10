"""What "does it fit?" needs: the shapes of models, and every GPU and slice of the running systems."""

from scripts.engine.data.guide_scripts import lines_of
from scripts.facts import load_all
from scripts.facts.model import Cluster, Partition
from scripts.measure.language_models import NO_CACHE, load_models
from scripts.measure.limits import load_limits

BFLOAT16 = 8.0  # the first compute capability whose tensor cores compute it


def fit() -> dict:
    models = [
        model.model_dump(exclude={"type", "inner", "experts", "chosen"}) | {"fixed": model.type in NO_CACHE}
        for model in load_models()
    ]
    return {
        "models": models,
        "gpus": [gpu for cluster in load_all().values() if cluster.running for gpu in _gpus(cluster)],
    }


def _gpus(cluster: Cluster) -> list[dict]:
    """What holds a model. Slices have the same part of the bandwidth as of the memory.

    `per`: GPUs on a node with the most of them. `nodes`, `most`: nodes and GPUs that one job can have. `counts`: where
    not any number will do. `vllm`, `finetune`: has the form this program on it? `price`: of an hour, in a unit of the
    system's own. What is for visualization alone is left out.
    """
    limits, found = load_limits(), []
    own = [name for name in ("vllm", "finetune") if lines_of(cluster, name)]
    maker = next((gpu.model.split()[0] for gpu in cluster.gpus.values()), "")
    for key, gpu in cluster.gpus.items():
        if not gpu.memory:
            continue
        whole = gpu.slice_of or key
        rooms = [room for room in cluster.partitions.values() if _has(cluster, room, {key, whole})]
        if rooms and all(room.only_for == "visualization" for room in rooms):
            continue
        per = max((node.gpus.get(whole, 0) for node in cluster.node_types.values()), default=0) or 1
        name = cluster.gpus[whole].device
        device = limits.get(name) if name else None
        part = gpu.memory.mib / device.memory.mib if device and gpu.is_slice else 1
        found.append(
            {
                "key": cluster.key,
                "gpu": key,
                "system": cluster.name,
                "label": f"{gpu.model}{' slice' if gpu.is_slice else ''}, {gpu.size}",
                "bytes": round(gpu.memory.mib * 2**20),
                "per": per,
                "nodes": max((_nodes(cluster, room, whole) for room in rooms), default=1),
                "most": max((room.max_gpus or 10**6 for room in rooms), default=10**6),
                "counts": gpu.counts,
                **{name: gpu.model.startswith(maker) and not gpu.pytorch_note for name in own},
                "price": _price(cluster, key, {name for name, room in cluster.partitions.items() if room in rooms}),
                "half": gpu.compute_capability is not None and float(gpu.compute_capability) < BFLOAT16,
                "slice": gpu.is_slice,
                "rate": device.hbm_gb_per_s * part if device else None,
            }
        )
    return found


def _price(cluster: Cluster, key: str, rooms: set[str]) -> float | None:
    """Of one GPU for an hour, where the operator charges by GPU."""
    return next(
        (
            each.price / each.per.gpus
            for each in cluster.billing.prices
            if each.per.gpus and (not each.gpus or key in each.gpus) and rooms.issubset(each.partitions or rooms)
        ),
        None,
    )


def _has(cluster: Cluster, room: Partition, keys: set[str]) -> bool:
    return any(keys & cluster.node_types[name].gpus.keys() for name in room.node_types)


def _nodes(cluster: Cluster, room: Partition, gpu: str) -> int:
    """Nodes with this GPU that a job can have in a partition; of an unpublished number, any."""
    kinds = [cluster.node_types[name] for name in room.node_types]
    there = [kind.count or 10**6 for kind in kinds if gpu in kind.gpus]
    return min(sum(there), room.node_count or 10**6, room.max_nodes or 10**6) if there else 1
