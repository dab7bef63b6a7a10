"""The facts as a scheduler would show them: partitions with slurm.conf's words, kinds of nodes with their sizes."""

from dataclasses import dataclass, field

from scripts.compare.capture import minutes, number
from scripts.facts import Cluster, NodeType, Partition
from scripts.facts.limits import rows
from scripts.twin.slurm import conf

# A partition's key in the facts, for what scontrol calls it.
LIMITS = {row.slurm_conf: key for key, row in rows("partitions").items() if row.slurm_conf}
FIELDS = LIMITS | {
    "DefMemPerNode": "default_memory_per_node",
    "DefMemPerGPU": "default_memory_per_gpu",
    "DefMemPerCPU": "default_memory_per_core",
    "OverSubscribe": "exclusive",
    "Default": "default",
    "TotalNodes": "node_count",
}
MEMORY = ("MaxMemPerNode", "DefMemPerNode", "DefMemPerGPU", "DefMemPerCPU")
Value = int | float | str | bool | None


@dataclass(frozen=True)
class Kind:
    """A kind of node; several node types of the facts that no scheduler can tell apart are one."""

    types: tuple[str, ...]
    count: int | None
    sizes: dict[str, int]  # cores, threads_per_core, sockets, memory (MiB), tmp (MiB); none that is not published
    gres: dict[str, int] | None  # None: not published
    features: frozenset[str] = field(default_factory=frozenset)


def partition(cluster: Cluster, key: str) -> dict[str, Value]:
    """What the facts say of a partition, by scontrol's keys: times in minutes, memory in MiB, flags as booleans."""
    p = cluster.partitions[key]
    found: dict[str, Value] = dict(conf.partition_words(cluster, p))
    if found.get("MinNodes") == 1:  # every job has one
        del found["MinNodes"]
    found["OverSubscribe"], found["Default"] = p.exclusive, p.default and not p.name
    if (count := node_count(cluster, p)) is not None:
        found["TotalNodes"] = count
    return found


def node_count(cluster: Cluster, p: Partition) -> int | None:
    """How many nodes it has; None where a type's number, or which of them are cut into slices, is not published."""
    types = conf.node_types(cluster)
    names = conf.partition_types(cluster, p)
    if any(" " in name or not types[name].count for name in names):
        return None
    return sum(conf.partition_hosts(cluster, p).values())


def shown(field: str, text: str | None) -> Value:
    """The same of a record's value. None where there is no limit, or it is not told."""
    if field == "MaxTime":
        return minutes(text)
    if field == "OverSubscribe":
        return None if text is None else text.startswith("EXCLUSIVE")
    if field == "Default":
        return None if text is None else text == "YES"
    value = number(text)
    return None if field == "MinNodes" and value in (0, 1) else value


def kinds(cluster: Cluster) -> list[Kind]:
    """What the facts know of nodes."""
    found: dict[tuple, Kind] = {}
    for name, node in conf.node_types(cluster).items():
        cut = " " in name  # slices of which is not published where they are
        sizes = _sizes(node)
        gres = {key: number for key, number in conf.gres_of(cluster, node) if ":" in key or key != "gpu" or number}
        if cut:
            gres = {key: 0 for key in gres}
        same = tuple(sorted(sizes.items())), tuple(sorted(gres.items())), frozenset(node.features)
        old = found.get(same)
        count = None if cut or not node.count or (old and old.count is None) else node.count + (old.count if old else 0)
        found[same] = Kind(((*old.types, name) if old else (name,)), count, sizes, gres, frozenset(node.features))
    return list(found.values())


def _sizes(node: NodeType) -> dict[str, int]:
    sizes = {
        "cores": node.cores,
        "threads_per_core": node.threads_per_core if node.cores else None,
        "sockets": node.sockets if node.cores and node.sockets and node.cores % node.sockets == 0 else None,
        "memory": node.memory and int(node.memory.mib),
        "tmp": node.tmp and int(node.tmp.mib),
    }
    return {key: value for key, value in sizes.items() if value}
