"""Pairs for what a system does with a job by itself: the partition that it goes to, and the lists of them."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts import Cluster, Partition
from tests.twin.pairs import Pair, base, gpu_of, gpus, names_partitions, step


def route_pairs(cluster: Cluster) -> Iterator[Pair]:
    yield from chosen(cluster)
    yield from lists(cluster)
    for key, p in cluster.partitions.items():
        if names_partitions(cluster):
            yield from moved(cluster, key, p)


def chosen(cluster: Cluster) -> Iterator[Pair]:
    """Without a partition: the longest job that any of those takes that the system may choose."""
    routed = {key: p for key, p in cluster.partitions.items() if p.routed and p.max_time}
    for has_gpus in (True, False):
        times = {key: p.max_time.minutes for key, p in routed.items() if bool(gpu_of(cluster, p)) is has_gpus}
        if times:
            key = max(times, key=times.get)
            more = {"gpus": 1} if has_gpus else {}
            at, past = (base(cluster) | more | {"time": int(times[key]) + minutes} for minutes in (0, 1))
            yield Pair(f"{key}.routed", at, past, "Requested time limit is longer than")
    if name := cluster.policy.no_partition:
        key, named = next(iter(cluster.partitions)), (name, f"no{name}")
        yield step(cluster, key, "policy.no_partition", "partition", named, "Invalid partition name")


def moved(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """The limits are those of the partition that a job is moved to."""
    if p.gpu_jobs_in and (target := cluster.partitions[p.gpu_jobs_in]).max_gpus:
        kind, _ = gpu_of(cluster, target)
        numbers = (gpus(kind, target.max_gpus), gpus(kind, target.max_gpus + 1))
        yield step(cluster, key, f"{key}.gpu_jobs_in", "gpus", numbers, "at most")
    if p.longer_jobs_in:
        longest = int(cluster.partitions[p.longer_jobs_in].max_time.minutes)
        yield step(cluster, key, f"{key}.longer_jobs_in", "time", (longest, longest + 1), "time limit")


def lists(cluster: Cluster) -> Iterator[Pair]:
    """A job that names two partitions is taken if one of them takes it."""
    times = {
        key: int(p.max_time.minutes)
        for key, p in cluster.partitions.items()
        if p.max_time and names_partitions(cluster) and not (p.longer_jobs_in or p.gpu_jobs_in or p.name)
    }
    longest, shortest = max(times, key=times.get, default=""), min(times, key=times.get, default="")
    if longest != shortest:
        both, most = f"{shortest},{longest}", times[longest]
        yield step(cluster, longest, f"{both}: one of two", "time", (most, most + 1), "time limit", partition=both)
