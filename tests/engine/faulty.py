"""Random scripts with several faults at once: options on GPUs that contradict each other, what is required left out,
misspelt names, sizes that are no numbers, or that no node has."""

from __future__ import annotations

import random

from scripts.facts import Cluster, Rule
from scripts.twin.slurm.conf import gres_type

MISSPELT = {
    "account": "acount",
    "time": "tiem",
    "partition": "partion",
    "nodes": "node",
    "ntasks": "ntask",
    "cpus-per-task": "cpu-per-task",
    "mem": "memory",
    "gpus": "gpu",
    "gres": "gress",
    "gpus-per-node": "gpu-per-node",
}
# Option -> how often of a hundred scripts have it, and its values: right ones, and ones past any limit.
SIZES = {
    "time": (80, "10 60 60 60 60 1:00:00 24:00:00 72:00:00 9-0 99-0 0 abc"),
    "nodes": (60, "1 1 1 2 2 3 4 8 64 5000 two"),
    "ntasks": (50, "1 1 2 2 3 4 5 8 40 5000 0"),
    "ntasks-per-node": (20, "1 2 4 8 300"),
    "cpus-per-task": (40, "1 1 2 4 8 10 32 200 5000 -1"),
    "mem": (25, "1G 4G 16G 100G 400G 4T 99T 0"),
    "mem-per-cpu": (10, "1G 4G 16G 100G 99T"),
    "mem-per-gpu": (8, "1G 4G 100G 4T"),
    "cpus-per-gpu": (10, "1 4 8 100"),
    "array": (8, "1-10 1-99999 3-1 x"),
}
GPUS = ("gres", "gpus", "gpus-per-node", "gpus-per-task")


def script(cluster: Cluster, draw: random.Random) -> str:
    key, partition = draw.choice(list(cluster.partitions.items()))
    options: dict[str, str] = {}
    if draw.random() < 0.75:
        options["account"] = cluster.policy.sample_account or "mine"
    if cluster.policy.partition.rule is not Rule.LEAVE_OUT and draw.random() < 0.8:
        options["partition"] = partition.name or key
    if draw.random() < 0.1:
        options["partition"] = draw.choice(("nowhere", "gpuu", "smal", "standrd", "gpu,nowhere"))
    for name, (share, values) in SIZES.items():
        if draw.random() * 100 < share:
            options[name] = draw.choice(values.split())
    own = [gpu for kind in partition.node_types for gpu in cluster.node_types[kind].gpus]
    for name in GPUS:
        if draw.random() < 0.38:
            options[name] = ("gpu:" if name == "gres" else "") + _gpus(cluster, own or list(cluster.gpus), draw)
    lines = [f"#SBATCH --{_spelled(name, draw)}={value}" for name, value in options.items()]
    if draw.random() < 0.05:
        lines.append("#SBATCH --walltime=3")
    draw.shuffle(lines)
    return "\n".join(["#!/bin/bash", *lines, "srun ./a", ""])


def _gpus(cluster: Cluster, there: list[str], draw: random.Random) -> str:
    kind = gres_type(cluster.gpus[there[0]].gres)
    kind = draw.choice([kind] * 6 + ["", "x100"])
    number = draw.choice((1, 1, 1, 2, 2, 3, 4, 4, 5, 8, 9, 16, 64))
    return f"{kind}:{number}" if kind else f"{number}"


def _spelled(name: str, draw: random.Random) -> str:
    return MISSPELT.get(name, name) if draw.random() < 0.04 else name
