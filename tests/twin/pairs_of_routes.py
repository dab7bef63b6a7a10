"""Pairs for what a system does with a job by itself: the partition that it goes to, and the lists of them."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts import Cluster, Partition
from tests.twin.pairs import Pair, base, gpu_of, gpus, job, takes_named_jobs


def route_pairs(cluster: Cluster) -> Iterator[Pair]:
    yield from chosen(cluster)
    yield from lists(cluster)
    for key, p in cluster.partitions.items():
        if takes_named_jobs(cluster, p):
            yield from moved(cluster, key, p)


def chosen(cluster: Cluster) -> Iterator[Pair]:
    """Without a partition: the longest job that any of those takes that the system may choose."""
    routed = {key: p for key, p in cluster.partitions.items() if p.routed and p.max_time}
    for has_gpus in (True, False):
        times = {key: p.max_time.minutes for key, p in routed.items() if bool(gpu_of(cluster, p)) is has_gpus}
        if times:
            key = max(times, key=times.get)
            more = {"gpus": 1} if has_gpus else {}
            at, past = (base(cluster) | more | {"time": int(times[key]) + step} for step in (0, 1))
            yield Pair(f"{key}.routed", at, past, "Requested time limit is longer than")
    if name := cluster.policy.no_partition:
        good = job(cluster, next(iter(cluster.partitions)))
        past = good | {"partition": f"no{name}"}
        yield Pair("policy.no_partition", good | {"partition": name}, past, "Invalid partition name")


def moved(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """The limits are those of the partition that a job is moved to."""
    if p.gpu_jobs_in and (target := cluster.partitions[p.gpu_jobs_in]).max_gpus:
        kind, _ = gpu_of(cluster, target)
        at, past = (job(cluster, key, gpus=gpus(kind, n)) for n in (target.max_gpus, target.max_gpus + 1))
        yield Pair(f"{key}.gpu_jobs_in", at, past, "at most")
    if p.longer_jobs_in:
        longest = int(cluster.partitions[p.longer_jobs_in].max_time.minutes)
        at, past = (job(cluster, key, time=minutes) for minutes in (longest, longest + 1))
        yield Pair(f"{key}.longer_jobs_in", at, past, "time limit")


def lists(cluster: Cluster) -> Iterator[Pair]:
    """A job that names two partitions is taken if one of them takes it."""
    times = {
        key: int(p.max_time.minutes)
        for key, p in cluster.partitions.items()
        if p.max_time and takes_named_jobs(cluster, p) and not (p.longer_jobs_in or p.gpu_jobs_in or p.name)
    }
    longest, shortest = max(times, key=times.get, default=""), min(times, key=times.get, default="")
    if longest != shortest:
        both = f"{shortest},{longest}"
        at, past = (job(cluster, longest, partition=both, time=times[longest] + step) for step in (0, 1))
        yield Pair(f"{both}: one of two", at, past, "time limit")
