"""Pairs for what nodes have beside GPUs and memory: sockets, threads, local disk, other resources; for their number."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts import Cluster, Partition
from tests.twin.pairs import NO_CONFIG, NODE_COUNT, Pair, gpu_of, job, takes_named_jobs


def node_pairs(cluster: Cluster) -> Iterator[Pair]:
    """For each partition, or the first of those with the same nodes."""
    tried = set()
    for key, p in cluster.partitions.items():
        if takes_named_jobs(cluster, p):
            yield from fewer_nodes(cluster, key, p)
            if tuple(p.node_types) not in tried:
                for pairs_of in (sockets, threads, local_disk, other_resources):
                    yield from pairs_of(cluster, key, p)
            tried.add(tuple(p.node_types))


def sockets(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    there = [cluster.node_types[name].sockets for name in p.node_types]
    if all(there):
        at, past = (job(cluster, key, **{"sockets-per-node": number}) for number in (max(there), max(there) + 1))
        yield Pair(f"{key}: sockets", at, past, NO_CONFIG)


def threads(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    nodes = [cluster.node_types[name] for name in p.node_types if cluster.node_types[name].cores]
    most = max((node.cores * node.threads_per_core for node in nodes), default=0)
    one_each = max((node.cores for node in nodes), default=0)
    if most > one_each and not p.max_cores:
        every = job(cluster, key, **{"cpus-per-task": most, "mem": "1G", "hint": "multithread"})
        yield Pair(f"{key}: threads_per_core", every, every | {"hint": "nomultithread"}, NO_CONFIG)
        cores = job(cluster, key, **{"cpus-per-task": one_each, "mem": "1G"})
        yield Pair(f"{key}: threads are no cores", cores, cores | {"cpus-per-task": one_each + 1}, NO_CONFIG)


def local_disk(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    if there := [int(node.tmp.mib) for node in map(cluster.node_types.get, p.node_types) if node.tmp]:
        at, past = (job(cluster, key, tmp=f"{mib}M") for mib in (max(there), max(there) + 1))
        yield Pair(f"{key}: tmp", at, past, NO_CONFIG)


def other_resources(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    nodes = [cluster.node_types[name] for name in p.node_types]
    for resource in dict.fromkeys(name for node in nodes for name in node.gres):
        most = max(node.gres.get(resource, 0) for node in nodes)
        gpu = job(cluster, key).get("gres")
        at, past = (
            job(cluster, key, gres=f"{gpu},{resource}:{number}" if gpu else f"{resource}:{number}")
            for number in (most, most + 1)
        )
        yield Pair(f"{key}: gres {resource}", at, past, NO_CONFIG)


def fewer_nodes(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    gpus_come_first = gpu_of(cluster, p) and (p.max_gpus or p.min_gpus or p.gpu_required)
    if p.node_count and not gpus_come_first and (p.max_nodes or p.node_count + 1) > p.node_count:
        at, past = (job(cluster, key, nodes=number) for number in (p.node_count, p.node_count + 1))
        yield Pair(f"{key}.node_count", at, past, NODE_COUNT)
