"""Where a job goes, and where else one like it could."""

from __future__ import annotations

import math

from scripts.check.asked import Job
from scripts.check.limits import broken
from scripts.facts import Cluster, Rule


def called(cluster: Cluster, key: str) -> str:
    """A partition's name in a job: its key, unless two are of one name."""
    return cluster.partitions[key].name or key


def partitions_of(cluster: Cluster, job: Job) -> list[str]:
    """The partitions of the facts where a job can go: those it names, or where the rules lead one that names none."""
    if job.partition and job.partition != cluster.policy.no_partition:
        named = job.partition.split(",")
        found = [key for key in cluster.partitions if called(cluster, key) in named]
    elif cluster.policy.partition.rule is Rule.LEAVE_OUT:
        found = list(cluster.partitions)
    else:
        found = [key for key, p in cluster.partitions.items() if p.routed] or [
            key for key, p in cluster.partitions.items() if p.default
        ]
    several = len(found) > 1 and (not job.partition or any(cluster.partitions[key].name for key in found))
    if several:  # those of one name, or that are chosen among: some take jobs with GPUs, some others
        found = [key for key in found if _has_gpus(cluster, key) == bool(job.gpus_total)] or found
    return list(dict.fromkeys(_moved(cluster, key, job) for key in found)) or (
        list(cluster.partitions) if not job.partition else []
    )


def _has_gpus(cluster: Cluster, key: str) -> bool:
    return any(cluster.node_types[name].gpus for name in cluster.partitions[key].node_types)


def _moved(cluster: Cluster, key: str, job: Job) -> str:
    """Where the rules move a job that names this partition."""
    partition = cluster.partitions[key]
    if job.gpus_total and partition.gpu_jobs_in:
        key = partition.gpu_jobs_in
    longest = cluster.partitions[key].max_time
    if longest and (job.time_limit or 0) > longest.minutes and cluster.partitions[key].longer_jobs_in:
        key = cluster.partitions[key].longer_jobs_in or key
    qos = cluster.qos.get(job.qos or "")
    suffixed = f"{key}{qos.partition_suffix}" if qos and qos.partition_suffix else key
    return suffixed if suffixed in cluster.partitions else key


def closest(cluster: Cluster, keys: list[str], job: Job) -> str | None:
    """The partition that breaks the fewest limits; of several the one with the longest time."""
    longest = {key: time.minutes if (time := cluster.partitions[key].max_time) else math.inf for key in keys}
    return min(keys, key=lambda key: (len(broken(cluster, key, job)), -longest[key]), default=None)


def fitting(cluster: Cluster, job: Job) -> list[str]:
    """Names of partitions open to everybody that take such a job; if there are any with its nodes, only those. A job
    without GPUs is not sent from nodes without any to those that have some.
    """
    if cluster.policy.partition.rule is Rule.LEAVE_OUT:
        return []
    named = partitions_of(cluster, job)
    nodes = {name for key in named for name in cluster.partitions[key].node_types}
    names = {called(cluster, key) for key in named}
    stays = not job.gpus_total and not any(cluster.node_types[name].gpus for name in nodes)
    found = [
        key
        for key, partition in cluster.partitions.items()
        if not {called(cluster, key), called(cluster, moved := _moved(cluster, key, job))} & names
        and not partition.access
        and not (stays and all(cluster.node_types[name].gpus for name in partition.node_types))
        and not broken(cluster, moved, job)
    ]
    near = [key for key in found if nodes & set(cluster.partitions[key].node_types)] or found
    return list(dict.fromkeys(called(cluster, key) for key in near))
