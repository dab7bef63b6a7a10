"""A pair for each limit of the facts, written from its row in scripts/facts/limits.yml."""

from collections.abc import Callable, Iterator

from scripts.facts import Cluster
from scripts.facts.limits import Limit, limits, rows, strictest
from scripts.twin.slurm.conf import gres_type
from tests.twin.pairs import (
    NO_CONFIG,
    NO_MEMORY,
    NODE_COUNT,
    TIME,
    Options,
    Pair,
    gpu_of,
    gpus,
    job,
    least,
    little,
    names_partitions,
    steps,
)
from tests.twin.pairs_of_nodes import home

# What Slurm itself says.
SLURM = {
    "MaxTime": TIME,
    "MaxNodes": NODE_COUNT,
    "MinNodes": NODE_COUNT,
    "MaxCPUsPerNode": NO_CONFIG,
    "MaxMemPerNode": NO_MEMORY,
}


# A limit of the whole system comes before the same of a partition.
SAME_OF_THE_SYSTEM = {"gpus": "slices_per_job", "jobs": "max_queued_jobs"}


def limit_pairs(cluster: Cluster) -> Iterator[Pair]:
    for key, p in cluster.partitions.items():
        for name, row, number in limits("partitions", p):
            if (names_partitions(cluster) or name == "max_time") and not _never_met(cluster, key, name):
                yield from _pairs(cluster, key, row, number, f"{key}.{name}")
    for gpu, facts in cluster.gpus.items():
        key, _ = home(cluster, gpu) or (None, 0)
        for name, row, number in limits("gpus", facts) if key else ():
            yield from _pairs(cluster, key, row, number, f"gpus.{gpu}.{name}", gpu)
    for qos, facts in cluster.qos.items():
        for name, row, number in limits("qos", facts):
            key = _partition_with_more(cluster, row, number)
            yield from _pairs(cluster, key, row, number, f"qos.{qos}.{name}", qos, qos=qos)
    for name, row, number in limits("policy", cluster.policy):
        key = _partition_with_more(cluster, row, number)
        yield from _pairs(cluster, key, row, number, f"policy.{name}")


def _never_met(cluster: Cluster, key: str, name: str) -> bool:
    """Is a longer job moved to another partition, or does the system choose one for it?"""
    p = cluster.partitions[key]
    if name != "max_time" or names_partitions(cluster) and not p.longer_jobs_in:
        return False
    alike = [q for q in cluster.partitions.values() if bool(gpu_of(cluster, q)) == bool(gpu_of(cluster, p))]
    return p.longer_jobs_in or p.max_time.minutes < max(q.max_time.minutes for q in alike if q.max_time)


def _partition_with_more(cluster: Cluster, row: Limit, number: int) -> str:
    """A partition whose own limit is no stricter."""
    own = {key: strictest(p, row.quantity, row.test) for key, p in cluster.partitions.items()}
    return next(key for key in own if own[key] is None or own[key] >= number)


def _pairs(
    cluster: Cluster, key: str, row: Limit, number: int, limit: str, name: str = "", **more: str
) -> Iterator[Pair]:
    further = number - 1
    if row.test == "at_most":
        further = number + (steps(cluster, cluster.partitions[key])[1] if row.unit == "GPU" else 1)
    more |= _of_those_it_is_for(cluster, key, row)
    both = (ASKING[row.quantity](cluster, key, each, name) for each in (number, further))
    for at, past in zip(*both, strict=True):
        if not _cannot_be_tried(cluster, key, row, number):
            reason = _reason(cluster, key, row, number, name)
            yield Pair(limit, job(cluster, key, **more | at), job(cluster, key, **more | past), reason)


def _of_those_it_is_for(cluster: Cluster, key: str, row: Limit) -> Options:
    """Options of a job that no stricter limit of some jobs meets."""
    p = cluster.partitions[key]
    if row.only == "several_gpus":
        return {"gres": f"gpu:{gpus(*gpu_of(cluster, p))}"}
    stricter = any(other.only == "no_allocation" for _, other, _ in limits("partitions", p))
    return {"account": f"{cluster.policy.allocation_accounts[0]}x"} if stricter and not row.only else {}


def _reason(cluster: Cluster, key: str, row: Limit, number: int, name: str) -> str:
    if row.slurm_conf:
        return SLURM[row.slurm_conf]
    before = SAME_OF_THE_SYSTEM.get(row.quantity)
    if row.test == "at_most" and before and getattr(cluster.policy, before) == number:
        row = rows("policy")[before]
    gpu = gres_type(cluster.gpus[name].gres) if name in cluster.gpus else name
    return row.refusal.format(limit=number, name=gpu)


def _cannot_be_tried(cluster: Cluster, key: str, row: Limit, number: int) -> bool:
    """Does every job keep this limit, or does Slurm refuse a job at it, or past it for another reason?"""
    p = cluster.partitions[key]
    nodes = [cluster.node_types[name] for name in p.node_types]
    if row.quantity == "memory_per_node":
        return number > max((node.memory.mib for node in nodes if node.memory), default=0)
    if row.quantity == "cores_per_node":
        return number >= (max(node.cores for node in nodes) if all(node.cores for node in nodes) else 0)
    if row.quantity == "nodes" and row.slurm_conf and row.test == "at_most":
        gpus_first = _must_have_gpus(cluster, key) and (p.max_gpus or number * 9) <= number * steps(cluster, p)[1]
        return gpus_first or all(node.count for node in nodes) and number > sum(node.count for node in nodes)
    if row.quantity == "nodes" and row.test == "at_least":
        return number == 1
    return row.quantity.startswith("gpus") and not gpu_of(cluster, p)


def _must_have_gpus(cluster: Cluster, key: str) -> bool:
    p = cluster.partitions[key]
    return bool(gpu_of(cluster, p) and (least(p, "gpus") or p.name))


def _nodes(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    p = cluster.partitions[key]
    fewest = least(p, "nodes") or 1
    asked: Options = {"nodes": number if number >= fewest else f"1-{number}"}
    if _must_have_gpus(cluster, key):
        kind, _ = gpu_of(cluster, p)
        each = steps(cluster, p)[1]
        few = max(number, least(p, "gpus") or 1)
        asked |= {"gres": f"gpu:{gpus(kind, each)}"} if each > 1 else {"gres": "", "gpus": gpus(kind, few)}
    return [asked]


def _gpus(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    kind, _ = gpu_of(cluster, cluster.partitions[key]) or ("", 0)
    return [{"gres": "", "gpus": gpus(kind, number), "nodes": ""} if number else {"gres": ""}]


def _gpus_per_node(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    kind, _ = gpu_of(cluster, cluster.partitions[key]) or ("", 0)
    return [{"gres": f"gpu:{gpus(kind, number)}"}]


def _slices(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    for name, gpu in cluster.gpus.items():
        if gpu.is_slice and (place := home(cluster, name)):
            partition = job(cluster, place[0]).get("partition", "")
            return [{"gres": f"{gpu.gres}:{number}", "partition": partition}]
    return []


def _cores(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    p = cluster.partitions[key]
    nodes = f"{p.min_nodes}-{p.max_nodes}" if p.min_nodes and p.max_nodes else ""  # newer Slurm starts from one node
    return [{"nodes": nodes, "cpus-per-task": "", "mem": little(p), "ntasks": number}]


def _cores_per_node(cluster: Cluster, key: str, number: int, _: str) -> list[Options]:
    return [{"mem": little(cluster.partitions[key]), "cpus-per-task": number}]


def _cores_per_gpu(cluster: Cluster, key: str, number: int, gpu: str) -> list[Options]:
    one = {"gres": f"{cluster.gpus[gpu].gres}:1"}
    return [one | {option: number} for option in ("cpus-per-task", "cpus-per-gpu")]


def _memory_per_gpu(cluster: Cluster, key: str, number: int, gpu: str) -> list[Options]:
    one = {"gres": f"{cluster.gpus[gpu].gres}:1", "cpus-per-task": 1}
    return [one | {option: f"{number}M"} for option in ("mem", "mem-per-gpu", "mem-per-cpu")]


# How a job asks for so many of each quantity, in one way or several. What is not in the facts it leaves alone.
ASKING: dict[str, Callable[[Cluster, str, int, str], list[Options]]] = {
    "nodes": _nodes,
    "gpus": _gpus,
    "gpus_per_node": _gpus_per_node,
    "slices": _slices,
    "cores": _cores,
    "cores_per_node": _cores_per_node,
    "cores_per_gpu": _cores_per_gpu,
    "memory_per_node": lambda _, __, number, ___: [{"mem": f"{number}M"}],
    "memory_per_gpu": _memory_per_gpu,
    "minutes": lambda _, __, number, ___: [{"time": number}],
    "exclusive": lambda _, __, number, ___: [{"exclusive": None} if number else {}],
    "jobs": lambda _, __, number, ___: [{"array": f"1-{number}"}, {"array": f"1-{2 * number}:2"}],
}
