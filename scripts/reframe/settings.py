"""ReFrame's configuration of a cluster: its partitions with their GPUs, and how a job gets there."""

import re

from scripts.facts import Cluster, NodeType, Rule
from scripts.migration.line import request

LAUNCHER = {"squeue": "srun", "slurm": "srun", "sge": "local"}
UNNAMED = "unnamed"  # where a job goes that names no partition: the scheduler picks one


def system_name(text: str) -> str:
    """A name as ReFrame takes it: letters, digits, `_` and `-`, no digit first."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", text)
    return name if name[:1].isalpha() else f"p{name}"


def settings(cluster: Cluster, scheduler: str, account: str | None = None) -> dict:
    """What ReFrame calls `site_configuration`. `account` is given to each job, over what its script says."""
    own = [f"--account={account}"] if account and scheduler != "sge" else []
    partitions = [_partition(cluster, key, scheduler, own) for key in cluster.partitions]
    unnamed = {
        "name": UNNAMED,
        "descr": "a job that names no partition",
        **_base(scheduler, own),
        **_hardware(cluster, cluster.node_types),
    }
    system = {
        "name": system_name(cluster.key),
        "descr": f"{cluster.name}, {cluster.operator}",
        "hostnames": [re.escape(login.host) for login in cluster.login] or [re.escape(cluster.key)],
        "modules_system": "nomod",  # the scripts load their modules themselves
        "sched_options": {"sched_access_in_submit": True},  # so that a script need not be changed
        "partitions": [*partitions, unnamed],
    }
    return {"systems": [system]}


def partition_name(cluster: Cluster, named: str | None, with_gpu: bool) -> str:
    """The partition of these settings where a script's job goes."""
    found = [key for key, partition in cluster.partitions.items() if named and named in (key, partition.name)]
    types = {key: [cluster.node_types[name] for name in cluster.partitions[key].node_types] for key in found}
    there = [key for key in found if any(node.gpus for node in types[key]) is with_gpu]
    return system_name((there or found or [UNNAMED])[0])


def _base(scheduler: str, access: list[str]) -> dict:
    return {"scheduler": scheduler, "launcher": LAUNCHER[scheduler], "access": access, "environs": ["builtin"]}


def _partition(cluster: Cluster, key: str, scheduler: str, own: list[str]) -> dict:
    p = cluster.partitions[key]
    named = cluster.policy.partition.rule is not Rule.LEAVE_OUT
    access = [f"--partition={p.name or key}"] if named and scheduler != "sge" else []
    found = {
        "name": system_name(key),
        "descr": p.purpose or p.access or f"partition {p.name or key}",
        **_base(scheduler, [*access, *own]),
        **_hardware(cluster, {name: cluster.node_types[name] for name in p.node_types}),
    }
    return found | ({"max_jobs": p.max_jobs} if p.max_jobs else {})


def _most(types: dict[str, NodeType]) -> dict[str, int]:
    """GPU key -> the most of them in one of these nodes."""
    found: dict[str, int] = {}
    for node in types.values():
        for gpu, number in node.gpus.items():
            found[gpu] = max(found.get(gpu, 0), number)
    return found


def _hardware(cluster: Cluster, types: dict[str, NodeType]) -> dict:
    """Devices, features and options to ask for them."""
    gpus = _most(types)
    return {
        "devices": [_device(cluster, key, number) for key, number in gpus.items()],
        "features": [*(["gpu"] if gpus else []), *map(system_name, gpus)],
        "resources": [
            {"name": f"gpu-{key}", "options": request(cluster.gpus[key], "{number}").split()} for key in gpus
        ],
    }


def _device(cluster: Cluster, key: str, number: int) -> dict:
    gpu = cluster.gpus[key]
    arch = {"arch": f"sm_{gpu.compute_capability.replace('.', '')}"} if gpu.compute_capability else {}
    return {"type": "gpu", "model": gpu.model, "num_devices": number, **arch}
