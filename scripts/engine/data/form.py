"""What the form needs of a system: its GPUs, its partitions with their limits, shares, programs, and prices."""

import math
import re

from scripts.engine.data.first_scripts import FEW_CORES
from scripts.engine.data.guide_scripts import again, directives, parts
from scripts.engine.data.limits import numbers
from scripts.engine.data.programs import programs
from scripts.facts import Cluster, NodeType, Partition, Rule
from scripts.facts.load import successor_name
from scripts.facts.model import Gpu, Price
from scripts.facts.units import day
from scripts.twin.slurm.conf import gres_type, node_types, partition_hosts

FEW_JOBS = 2  # a partition that takes no more of one user's jobs is for trying things


def form(cluster: Cluster) -> dict:
    """Memory in MiB, times in minutes. What the facts leave open is null, and limits nothing.

    `gone` is the sentence of a system for which no script can be written; it has nothing else.
    """
    if not cluster.running or cluster.scheduler.kind != "slurm":
        return {"gone": gone(cluster), "successor": cluster.status.successor}
    asked = {kind: directives(cluster, name) for kind, name in (("gpu", "one_gpu"), ("cpu", "many_cpus"))}
    policy = cluster.policy
    return {
        "account": asked["gpu"].get("account"),
        "gpus": {key: _gpu(cluster, key, gpu) for key, gpu in cluster.gpus.items()},
        "places": [_place(cluster, key, partition) for key, partition in _sorted(cluster, asked)],
        "says": {kind: sorted(options) for kind, options in asked.items()},
        "srun": parts(cluster, "one_gpu").command[0].startswith("srun "),
        "again": again(),
        "between": _between(cluster),
        "memory": {
            "gpu": (policy.memory.gpu_jobs or policy.memory.rule) not in (Rule.LEAVE_OUT, Rule.IGNORED),
            "cpu": policy.memory.rule not in (Rule.LEAVE_OUT, Rule.IGNORED),
        },
        "cpu": {"cores": int(asked["cpu"]["cpus-per-task"]), "mib": _mib_of(asked["cpu"].get("mem"))},
        "limits": numbers("policy", policy),
        "programs": programs(cluster),
        "prices": [_price(price) for price in cluster.billing.prices],
        "free": cluster.billing.gpu_hour == "free",
    }


def gone(cluster: Cluster) -> str:
    """Why it runs no jobs of Slurm: since when it is out of service, and what replaces it."""
    if cluster.running:
        return f"{cluster.name} has {cluster.scheduler.words.name}, and the form writes scripts for Slurm only."
    if cluster.status.state == "announced":
        return f"{cluster.name} accepts no jobs yet."
    ended, after = cluster.status.ended, successor_name(cluster)
    since = f"has been out of service since {day(ended)}" if ended else "is out of service"
    doubt = {name: " (unconfirmed)" * (f"status.{name}" in cluster.unconfirmed) for name in ("ended", "successor")}
    return f"{cluster.name} {since}{doubt['ended']}." + (
        f" Its successor is {after}{doubt['successor']}." if after else ""
    )


def _gpu(cluster: Cluster, key: str, gpu: Gpu) -> dict:
    option, _, rest = gpu.request.partition(" ")
    share = gpu.fair_share
    other = next((key for key, each in cluster.gpus.items() if each.request.startswith(f"{gpu.request} ")), None)
    unknown = not share and not any(node.cores for node in node_types(cluster).values() if key in node.gpus)
    fields = {
        "label": f"{gpu.model}{' slice' if gpu.is_slice else ''}, {gpu.size}",
        "mib": gpu.memory and math.floor(gpu.memory.mib),
        "type": gres_type(gpu.gres),
        "vendor": gpu.model.split()[0],
        "request": re.sub(r"\d+$", "", option),
        "constraint": rest.removeprefix("--constraint=") or None,
        "share": {"cores": share.cores, "mib": share.memory and math.floor(share.memory.mib)} if share else None,
        "limits": numbers("gpus", gpu),
        "counts": gpu.counts or None,
        "slice": gpu.is_slice,
        "unsuited": gpu.pytorch_note,
        "few": FEW_CORES if unknown else None,
        "or": other,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _between(cluster: Cluster) -> dict | None:
    """The nodes that jobs of several should be on, for GPUs of a type, as the guide's script names them."""
    asked = directives(cluster, "more_nodes")
    if "constraint" not in asked:
        return None
    return {"type": asked["gres"].split(":")[1], "constraint": asked["constraint"]}


def _closed(partition: Partition) -> str | None:
    """Why the form does not choose this partition: words behind its name."""
    if partition.access:
        return f"is not open to everybody: {partition.access}"
    if partition.purpose:
        return f"is not for such jobs ({partition.purpose})"
    if partition.max_jobs and partition.max_jobs <= FEW_JOBS:
        return "is for tests"
    return None


def _sorted(cluster: Cluster, asked: dict[str, dict[str, str]]) -> list[tuple[str, Partition]]:
    """All partitions: first those of the guide's scripts, then the shorter ones."""
    first = [asked[kind].get("partition") for kind in ("gpu", "cpu")]
    return sorted(
        cluster.partitions.items(),
        key=lambda item: (
            item[0] not in first,
            not item[1].default,
            item[1].max_time.minutes if item[1].max_time else math.inf,
        ),
    )


def _place(cluster: Cluster, key: str, partition: Partition) -> dict:
    there = node_types(cluster)
    about = {
        "exclusive": partition.exclusive or None,
        "closed": _closed(partition),
        "default": partition.default or None,
    }
    return {
        "name": partition.name or key,
        "nodes": [_node(there[name], count) for name, count in partition_hosts(cluster, partition).items()],
        "limits": numbers("partitions", partition),
    } | {name: value for name, value in about.items() if value is not None}


def _node(node: NodeType, count: int) -> dict:
    return {"count": count, "cores": node.cores, "mib": node.memory and math.floor(node.memory.mib), "gpus": node.gpus}


def _price(price: Price) -> dict:
    part = price.per
    sizes = {"nodes": part.nodes, "gpus": part.gpus, "cores": part.cores, "mib": part.memory and part.memory.mib}
    found = {"price": price.price, "unit": price.unit, "per": {name: size for name, size in sizes.items() if size}}
    others = {
        "gpus": price.gpus,
        "partitions": price.partitions,
        "whole": price.whole_parts,
        "core": price.core,
        "gib": price.gib,
        "disk": price.disk_gib,
    }
    return found | {name: value for name, value in others.items() if value}


def _mib_of(words: str | None) -> int | None:
    """`100G`, as the guide's scripts write it, in MiB."""
    if not words:
        return None
    return int(words[:-1]) * {"G": 1024, "M": 1}[words[-1]]
