"""Which limits of a partition a job breaks, in words.

The scheduler refuses; this explains a refusal, and finds a partition that would take the job.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from scripts.check.asked import UNLIMITED, Job
from scripts.check.broken import CORES, MEMORY, Broken, many, memory_words, of_account
from scripts.check.gpu_limits import gpu_limits, with_these_gpus
from scripts.facts import Cluster, NodeType, Partition


def broken(cluster: Cluster, key: str, job: Job, name: str | None = None) -> list[Broken]:
    """The limits of one partition that the job breaks. `name` is what the words call the partition."""
    partition = cluster.partitions[key]
    types = {name: cluster.node_types[name] for name in partition.node_types}
    fit = with_these_gpus(cluster, types, job) or types
    at, name = f"partitions.{key}", name or key
    return [
        *_time(cluster, partition, job, at, name),
        *_nodes(cluster, partition, fit, job, at, name),
        *gpu_limits(cluster, partition, types, job, at, name),
        *_cores(partition, fit, job, at, name),
        *_memory(partition, fit, job, at, name),
        *_disk(fit, job, name),
        *_jobs(cluster, partition, job, at, name),
    ]


def _time(cluster: Cluster, p: Partition, job: Job, at: str, name: str) -> Iterator[Broken]:
    minutes = job.time_limit
    if minutes is None:
        return
    if p.max_time and (minutes == UNLIMITED or minutes > p.max_time.minutes):
        limit = p.max_time.words
        yield Broken(
            "time-over-partition", ("time",), f"is longer than {name} allows, {limit}", limit, f"{at}.max_time"
        )
    several = p.max_time_several_gpus
    if several and job.gpus_total > 1 and minutes > several.minutes:
        says = f"is longer than {name} allows with several GPUs, {several.words}"
        yield Broken("time-over-partition", ("time",), says, several.words, f"{at}.max_time_several_gpus")
    if p.min_time and minutes < p.min_time.minutes:
        limit = p.min_time.words
        says = f"is shorter than {name} takes, {limit}"
        yield Broken("time-under-partition", ("time",), says, limit, f"{at}.min_time", "Ask for more")
    qos = cluster.qos.get(job.qos or "")
    if qos and qos.max_time and minutes > qos.max_time.minutes:
        limit = qos.max_time.words
        says = f"is longer than the QOS `{job.qos}` allows, {limit}"
        yield Broken("time-over-qos", ("time",), says, limit, f"qos.{job.qos}.max_time")


def _nodes(
    cluster: Cluster, p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str
) -> Iterator[Broken]:
    nodes, options = job.nodes or 1, ("nodes",)
    counts = [node.count for node in types.values()]
    there = p.node_count or (sum(filter(None, counts)) if all(counts) else None)
    field, allowed = of_account(cluster, p, job, "max_nodes")
    if allowed and nodes > allowed:
        says = f"asks for {many(nodes, 'node')}; {name} allows {allowed}"
        yield Broken("nodes-over-partition", options, says, str(allowed), f"{at}.{field}")
    elif there and nodes > there:
        path = f"{at}.node_count" if p.node_count else f"node_types.{next(iter(types))}.count"
        says = f"asks for {many(nodes, 'node')}; {name} has {there}"
        yield Broken("nodes-over-partition", options, says, str(there), path)
    if p.min_nodes and p.min_nodes > 1 and job.nodes is None:
        says = f"takes jobs of {many(p.min_nodes, 'node')} or more, and without --nodes this is one"
        cure = f"Add --nodes={p.min_nodes}"
        yield Broken("no-nodes", ("partition",), says, str(p.min_nodes), f"{at}.min_nodes", cure)
    elif p.min_nodes and (job.max_nodes or nodes) < p.min_nodes:
        says = f"asks for {many(job.max_nodes or nodes, 'node')}; {name} takes jobs of {p.min_nodes} or more"
        yield Broken("nodes-under-partition", options, says, str(p.min_nodes), f"{at}.min_nodes", "Ask for more")


def _cores(p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    threads = 2 if job.multithread else 1
    cores, of_task = math.ceil((job.cores or 1) / threads), math.ceil((job.cpus_per_task or 1) / threads)
    on_node = max(math.ceil(cores / (job.nodes or 1)), of_task, job.min_cores_per_node or 1 if threads == 1 else 1)
    on_node = max(on_node, (job.tasks_per_node or 1) * of_task)
    if p.max_cores and cores > p.max_cores:
        says = f"asks for {many(cores, 'core')}; {name} allows {p.max_cores}"
        yield Broken("cores-over-partition", CORES, says, str(p.max_cores), f"{at}.max_cores")
    if p.min_cores and cores < p.min_cores:
        says = f"asks for {many(cores, 'core')}; {name} takes jobs of {p.min_cores} or more"
        yield Broken("cores-under-partition", CORES, says, str(p.min_cores), f"{at}.min_cores", "Ask for more")
    if p.max_cores_per_node and on_node > p.max_cores_per_node:
        says = f"asks for {many(on_node, 'core')} on one node; {name} allows {p.max_cores_per_node}"
        yield Broken("cores-over-node", CORES, says, str(p.max_cores_per_node), f"{at}.max_cores_per_node")
    most = {key: node.cores * (job.threads_per_core or 1) for key, node in types.items() if node.cores}
    if len(most) == len(types) and on_node > max(most.values()):
        key = max(most, key=most.get)
        says = f"asks for {many(on_node, 'core')} on one node; a node of {name} has {types[key].cores}"
        yield Broken("cores-over-node", CORES, says, str(types[key].cores), f"node_types.{key}.cores")
    sockets = {key: node.sockets for key, node in types.items() if node.sockets}
    if job.sockets_per_node and len(sockets) == len(types) and job.sockets_per_node > max(sockets.values()):
        key = max(sockets, key=sockets.get)
        says = f"asks for {many(job.sockets_per_node, 'socket')} on one node; a node of {name} has {sockets[key]}"
        options = ("sockets-per-node", "extra-node-info")
        yield Broken("sockets-over-node", options, says, str(sockets[key]), f"node_types.{key}.sockets")


def _memory(p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str) -> Iterator[Broken]:
    nodes = job.nodes or 1
    asked = job.memory_per_node or 0
    asked = max(asked, (job.memory_per_cpu or 0) * math.ceil((job.cores or 1) / nodes))
    asked = max(asked, (job.memory_per_gpu or 0) * (job.gpus_per_node or 0))
    most = {key: node.memory for key, node in types.items() if node.memory}
    if p.max_memory_per_node and asked > p.max_memory_per_node.mib:
        says = f"asks for {memory_words(asked)} on one node; {name} allows {p.max_memory_per_node}"
        limit = str(p.max_memory_per_node)
        yield Broken("memory-over-node", (*MEMORY, *CORES), says, limit, f"{at}.max_memory_per_node")
    elif len(most) == len(types) and asked > max(memory.mib for memory in most.values()):
        key = max(most, key=lambda key: most[key].mib)
        says = f"asks for {memory_words(asked)} on one node; a node of {name} has {most[key]} for jobs"
        yield Broken("memory-over-node", (*MEMORY, *CORES), says, str(most[key]), f"node_types.{key}.memory")


def _disk(types: dict[str, NodeType], job: Job, name: str) -> Iterator[Broken]:
    disks = {key: node.tmp for key, node in types.items() if node.tmp}
    if job.tmp_disk and disks and job.tmp_disk > max(disk.mib for disk in disks.values()):
        key = max(disks, key=lambda key: disks[key].mib)
        says = f"asks for {memory_words(job.tmp_disk)} of disk on a node; a node of {name} has {disks[key]}"
        yield Broken("disk-over-node", ("tmp",), says, str(disks[key]), f"node_types.{key}.tmp")
    for gres in job.other_gres:
        kind, _, number = gres.rpartition(":")
        there = {key: node.gres.get(kind, 0) for key, node in types.items()}
        key = max(there, key=there.get)
        if int(number) > there[key]:
            says = f"asks for {number} of `{kind}` on a node; a node of {name} has {there[key] or 'none'}"
            cure = "Ask for less" if there[key] else "Leave it out"
            yield Broken("gres-over-node", ("gres",), says, str(there[key]), f"node_types.{key}.gres", cure)


def _jobs(cluster: Cluster, p: Partition, job: Job, at: str, name: str) -> Iterator[Broken]:
    if p.exclusive_refused and job.exclusive:
        says, path = f"asks for whole nodes; {name} gives none", f"{at}.exclusive_refused"
        yield Broken("no-whole-nodes", ("exclusive",), says, "part of a node", path, "Leave it out")
    number = array_size(job.array)
    for allowed, path in ((p.max_jobs, f"{at}.max_jobs"), (cluster.policy.max_queued_jobs, "policy.max_queued_jobs")):
        if allowed and number > allowed:
            says = f"is {number} jobs; you can have {allowed} in the queue"
            yield Broken("jobs-over-queue", ("array",), says, str(allowed), path)
            return


def array_size(indices: str | None) -> int:
    """How many jobs an array is: `1-9:2,20%3` is six."""
    number = 0
    for item in (indices or "1").partition("%")[0].split(","):
        if parts := re.fullmatch(r"(\d+)-(\d+)(:(\d+))?", item):
            number += (int(parts[2]) - int(parts[1])) // (int(parts[4] or 1) or 1) + 1
        else:
            number += 1
    return number
