"""Which limits of the facts a job breaks, in words.

The scheduler refuses; this explains a refusal, and finds a partition that would take the job.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.check.asked import UNLIMITED, Job
from scripts.facts import Cluster, NodeType, Partition, Rule

GPUS = ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket")
TASKS = ("ntasks", "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-socket")
CORES = ("cpus-per-task", "cpus-per-gpu", "mincpus", *TASKS)
MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")


@dataclass(frozen=True)
class Broken:
    """A limit that a job breaks.

    rule: see Report. options: the options that can be at fault. says: what is wrong, behind the option as its subject.
    limit: what is allowed. path: the fact. cure: what to do, beside going elsewhere.
    """

    rule: str
    options: tuple[str, ...]
    says: str
    limit: str
    path: str
    cure: str = "Ask for less"


def partitions_of(cluster: Cluster, job: Job) -> list[str]:
    """The partitions of the facts where a job can go: those it names, or where the rules lead one that names none."""
    if job.partition:
        return [key for key in job.partition.split(",") if key in cluster.partitions]
    default = [key for key, partition in cluster.partitions.items() if partition.default]
    if cluster.policy.partition.rule is not Rule.LEAVE_OUT and default:
        return default
    return list(cluster.partitions)


def closest(cluster: Cluster, keys: list[str], job: Job) -> str | None:
    """The partition that breaks the fewest limits; of several the one with the longest time."""
    longest = {key: time.minutes if (time := cluster.partitions[key].max_time) else math.inf for key in keys}
    return min(keys, key=lambda key: (len(broken(cluster, key, job)), -longest[key]), default=None)


def fitting(cluster: Cluster, job: Job) -> list[str]:
    """The partitions open to everybody that take such a job as it is; if there are any with its nodes, only those."""
    if cluster.policy.partition.rule is Rule.LEAVE_OUT:
        return []
    named = partitions_of(cluster, job)
    nodes = {name for key in named for name in cluster.partitions[key].node_types}
    found = [
        key
        for key, partition in cluster.partitions.items()
        if key not in named and not partition.access and not broken(cluster, key, job)
    ]
    return [key for key in found if nodes & set(cluster.partitions[key].node_types)] or found


def broken(cluster: Cluster, key: str, job: Job, name: str | None = None) -> list[Broken]:
    """The limits of one partition that the job breaks. `name` is what the words call the partition."""
    partition = cluster.partitions[key]
    types = {name: cluster.node_types[name] for name in partition.node_types}
    fit = _with_these_gpus(cluster, types, job) or types
    at, name = f"partitions.{key}", name or key
    return [
        *_time(partition, job, at, name),
        *_nodes(partition, fit, job, at, name),
        *_gpus(cluster, partition, types, job, at, name),
        *_cores(partition, fit, job, at, name),
        *_memory(partition, fit, job, at, name),
    ]


def _with_these_gpus(cluster: Cluster, types: dict[str, NodeType], job: Job) -> dict[str, NodeType]:
    """The kinds of node that have what the job asks for by name; where it names no GPU, those that have any."""
    kinds = {gpu.type for gpu in job.gpus if gpu.type}
    found = {key: set(_gpus_of_a_node(cluster, {key: node})) for key, node in types.items()}
    return {key: types[key] for key, there in found.items() if (kinds <= there if kinds else there or not job.gpus)}


def _time(p: Partition, job: Job, at: str, name: str) -> Iterator[Broken]:
    minutes = job.time_limit
    if minutes is None:
        return
    if p.max_time and (minutes == UNLIMITED or minutes > p.max_time.minutes):
        limit = p.max_time.words
        yield Broken(
            "time-over-partition", ("time",), f"is longer than {name} allows, {limit}", limit, f"{at}.max_time"
        )
    if p.min_time and minutes < p.min_time.minutes:
        limit = p.min_time.words
        says = f"is shorter than {name} takes, {limit}"
        yield Broken("time-under-partition", ("time",), says, limit, f"{at}.min_time", "Ask for more")


def _nodes(p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    nodes, options = job.nodes or 1, ("nodes",)
    counts = [node.count for node in types.values()]
    there = p.node_count or (sum(filter(None, counts)) if all(counts) else None)
    if p.max_nodes and nodes > p.max_nodes:
        says = f"asks for {_many(nodes, 'node')}; {name} allows {p.max_nodes}"
        yield Broken("nodes-over-partition", options, says, str(p.max_nodes), f"{at}.max_nodes")
    elif there and nodes > there:
        path = f"{at}.node_count" if p.node_count else f"node_types.{next(iter(types))}.count"
        says = f"asks for {_many(nodes, 'node')}; {name} has {there}"
        yield Broken("nodes-over-partition", options, says, str(there), path)
    if p.min_nodes and (job.max_nodes or nodes) < p.min_nodes:
        says = f"asks for {_many(job.max_nodes or nodes, 'node')}; {name} takes jobs of {p.min_nodes} or more"
        yield Broken("nodes-under-partition", options, says, str(p.min_nodes), f"{at}.min_nodes", "Ask for more")


def _gpus(cluster: Cluster, p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    there = _gpus_of_a_node(cluster, types)
    kinds = {gpu.type for gpu in job.gpus if gpu.type}
    if not job.gpus_total:
        if p.gpu_required or p.min_gpus:
            path = f"{at}.{'min_gpus' if p.min_gpus else 'gpu_required'}"
            says, limit = f"takes jobs with {_many(p.min_gpus or 1, 'GPU')} or more", str(p.min_gpus or 1)
            yield Broken("no-gpu", ("partition",), says, limit, path, "Ask for a GPU")
    elif not there:
        yield Broken("gpu-elsewhere", GPUS, f"asks for a GPU; {name} has none", "0", f"{at}.node_types", "Leave it out")
    elif strange := sorted(kinds - there.keys()):
        known = ", ".join(first[0] for gpu in cluster.gpus if (first := names(cluster, gpu)) and first[0] in there)
        says = f"asks for a GPU `{strange[0]}`; {name} has {known or 'one kind, which has no name'}"
        yield Broken("gpu-elsewhere", GPUS, says, known, f"{at}.node_types", "Name one of these")
    else:
        slices = {known for key, gpu in cluster.gpus.items() if gpu.is_slice for known in names(cluster, key)}
        allowed = cluster.policy.slices_per_job
        if allowed and (asked := sum(gpu.number for gpu in job.gpus if gpu.type in slices)) > allowed:
            says = f"asks for {_many(asked, 'slice')} of a GPU; {cluster.name} allows {allowed} in a job"
            yield Broken("slices-over-job", GPUS, says, str(allowed), "policy.slices_per_job")
        most = max(number for known, number in there.items() if not kinds or known in kinds)
        yield from _gpu_numbers(p, job, at, name, most, f"node_types.{next(iter(types))}.gpus")


def _gpus_of_a_node(cluster: Cluster, types: dict[str, NodeType]) -> dict[str, int]:
    """Every name of a GPU that is in one of these nodes, and the most of them in one."""
    most: dict[str, int] = {}
    for node in types.values():
        for gpu, number in node.gpus.items():
            most |= {known: max(most.get(known, 0), number) for known in names(cluster, gpu) or [""]}
    listed = {gpu for node in cluster.node_types.values() for gpu in node.gpus}
    for key, gpu in cluster.gpus.items():  # slices that no node type lists are cut from the whole GPU's
        if gpu.slice_of and key not in listed and any(known in most for known in names(cluster, gpu.slice_of)):
            most = {known: 7 for known in names(cluster, key)} | most
    return most


def _gpu_numbers(p: Partition, job: Job, at: str, name: str, most: int, path: str) -> Iterator[Broken]:
    total, on_node = job.gpus_total, job.gpus_per_node or 0
    if p.max_gpus and total > p.max_gpus:
        says = f"asks for {_many(total, 'GPU')}; {name} allows {p.max_gpus}"
        yield Broken("gpus-over-partition", (*GPUS, "nodes"), says, str(p.max_gpus), f"{at}.max_gpus")
    if p.min_gpus and total < p.min_gpus:
        says = f"asks for {_many(total, 'GPU')}; {name} takes jobs of {p.min_gpus} or more"
        yield Broken("gpus-under-partition", GPUS, says, str(p.min_gpus), f"{at}.min_gpus", "Ask for more")
    if p.max_gpus_per_node and on_node > p.max_gpus_per_node:
        says = f"asks for {_many(on_node, 'GPU')} on one node; {name} allows {p.max_gpus_per_node}"
        yield Broken("gpus-over-node", GPUS, says, str(p.max_gpus_per_node), f"{at}.max_gpus_per_node")
    elif on_node > most:
        says = f"asks for {_many(on_node, 'GPU')} on one node; a node of {name} has {most}"
        yield Broken("gpus-over-node", (*GPUS, "nodes"), says, str(most), path)


def _cores(p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    cores = job.cores or 1
    on_node = max(math.ceil(cores / (job.nodes or 1)), job.cpus_per_task or 1, job.min_cores_per_node or 1)
    if job.tasks_per_node:
        on_node = max(on_node, job.tasks_per_node * (job.cpus_per_task or 1))
    if p.max_cores and cores > p.max_cores:
        says = f"asks for {_many(cores, 'core')}; {name} allows {p.max_cores}"
        yield Broken("cores-over-partition", CORES, says, str(p.max_cores), f"{at}.max_cores")
    if p.min_cores and cores < p.min_cores:
        says = f"asks for {_many(cores, 'core')}; {name} takes jobs of {p.min_cores} or more"
        yield Broken("cores-under-partition", CORES, says, str(p.min_cores), f"{at}.min_cores", "Ask for more")
    if p.max_cores_per_node and on_node > p.max_cores_per_node:
        says = f"asks for {_many(on_node, 'core')} on one node; {name} allows {p.max_cores_per_node}"
        yield Broken("cores-over-node", CORES, says, str(p.max_cores_per_node), f"{at}.max_cores_per_node")
    most = {key: node.cores * (job.threads_per_core or 1) for key, node in types.items() if node.cores}
    if len(most) == len(types) and on_node > max(most.values()):
        key = max(most, key=most.get)
        says = f"asks for {_many(on_node, 'core')} on one node; a node of {name} has {types[key].cores}"
        yield Broken("cores-over-node", CORES, says, str(types[key].cores), f"node_types.{key}.cores")
    sockets = {key: node.sockets for key, node in types.items() if node.sockets}
    if job.sockets_per_node and len(sockets) == len(types) and job.sockets_per_node > max(sockets.values()):
        key = max(sockets, key=sockets.get)
        says = f"asks for {_many(job.sockets_per_node, 'socket')} on one node; a node of {name} has {sockets[key]}"
        options = ("sockets-per-node", "extra-node-info")
        yield Broken("sockets-over-node", options, says, str(sockets[key]), f"node_types.{key}.sockets")


def _memory(p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    nodes = job.nodes or 1
    asked = job.memory_per_node or 0
    asked = max(asked, (job.memory_per_cpu or 0) * math.ceil((job.cores or 1) / nodes))
    asked = max(asked, (job.memory_per_gpu or 0) * (job.gpus_per_node or 0))
    most = {key: node.memory for key, node in types.items() if node.memory}
    if p.max_memory_per_node and asked > p.max_memory_per_node.mib:
        says = f"asks for {_memory_words(asked)} on one node; {name} allows {p.max_memory_per_node}"
        limit = str(p.max_memory_per_node)
        yield Broken("memory-over-node", (*MEMORY, *CORES), says, limit, f"{at}.max_memory_per_node")
    elif len(most) == len(types) and asked > max(memory.mib for memory in most.values()):
        key = max(most, key=lambda key: most[key].mib)
        says = f"asks for {_memory_words(asked)} on one node; a node of {name} has {most[key]} for jobs"
        yield Broken("memory-over-node", (*MEMORY, *CORES), says, str(most[key]), f"node_types.{key}.memory")
    disks = {key: node.local_disk for key, node in types.items() if node.local_disk}
    if job.tmp_disk and disks and job.tmp_disk > max(disk.mib for disk in disks.values()):
        key = max(disks, key=lambda key: disks[key].mib)
        says = f"asks for {_memory_words(job.tmp_disk)} of disk on a node; a node of {name} has {disks[key]}"
        yield Broken("disk-over-node", ("tmp",), says, str(disks[key]), f"node_types.{key}.local_disk")


def names(cluster: Cluster, gpu: str) -> list[str]:
    """What a job can call this GPU: the type in its GRES, Grid Engine's resource, and the synonyms of both."""
    known = cluster.gpus[gpu]
    return [_short(each) for each in (known.gres, *known.synonyms) if each]


def _short(gres: str) -> str:
    """`gpu:v100` -> `v100`; `gpu`, which has no other name -> ``; Grid Engine's resources are names themselves."""
    return gres.partition(":")[2] if gres.partition(":")[0] == "gpu" else gres


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _memory_words(mib: float) -> str:
    return f"{mib / 1024:g} GiB" if mib >= 1024 and mib % 1024 == 0 else f"{mib:g} MiB"
