"""Pairs for what nodes have, GPUs among it, and how it is asked for; and for their number."""

import re
from collections.abc import Iterator

from scripts.facts import Cluster, Gpu, Partition, Rule
from scripts.twin.slurm.conf import gres_type, node_types, partition_hosts, partition_types
from tests.twin.pairs import (
    NO_CONFIG,
    NODE_COUNT,
    Options,
    Pair,
    gpu_of,
    gpus,
    job,
    least,
    little,
    names_partitions,
    step,
    steps,
)


def node_pairs(cluster: Cluster) -> Iterator[Pair]:
    """For each partition, or the first of those with the same nodes."""
    tried = set()
    for key, p in cluster.partitions.items():
        if names_partitions(cluster):
            yield from fewer_nodes(cluster, key, p)
            if tuple(p.node_types) not in tried:
                for pairs_of in (sockets, threads, local_disk, other_resources):
                    yield from pairs_of(cluster, key, p)
            tried.add(tuple(p.node_types))


def kind_pairs(cluster: Cluster) -> Iterator[Pair]:
    """How many nodes of a kind there are, with how many cores, and by which feature they are asked for."""
    tried = set()
    for key, p in cluster.partitions.items():
        for name in p.node_types:
            if name not in tried and not p.longer_jobs_in and not p.gpu_jobs_in:
                tried.add(name)
                for pairs_of in (features, nodes_of_a_kind, cores):
                    yield from pairs_of(cluster, key, p, name)


def its_gpu(cluster: Cluster, name: str) -> Options:
    """The option that leads to nodes of this kind."""
    for each in cluster.node_types[name].gpus:
        gpu = cluster.gpus[each]
        return {"gres": f"gpu:{gpus(gres_type(gpu.gres), gpu.counts[0] if gpu.counts else 1)}"}
    return {}


def features(cluster: Cluster, key: str, p: Partition, name: str) -> Iterator[Pair]:
    for feature in cluster.node_types[name].features:
        at = job(cluster, key, **its_gpu(cluster, name), constraint=feature)
        yield Pair(f"node_types.{name}.features", at, at | {"constraint": f"no{feature}"}, "Invalid feature")


def nodes_of_a_kind(cluster: Cluster, key: str, p: Partition, name: str) -> Iterator[Pair]:
    """All nodes that the same request leads to, where nothing else limits their number."""
    asked = its_gpu(cluster, name)
    alike = [other for other in p.node_types if its_gpu(cluster, other) == asked]
    counts = [cluster.node_types[other].count for other in alike]
    gpus_come_first = asked and (p.max_gpus or p.min_gpus)
    if all(counts) and not (p.max_nodes or p.node_count or gpus_come_first):
        most = sum(counts)
        reason = NODE_COUNT if most == sum(partition_hosts(cluster, p).values()) else NO_CONFIG
        yield step(cluster, key, f"node_types.{name}.count", "nodes", (most, most + 1), reason, **asked)


def cores(cluster: Cluster, key: str, p: Partition, name: str) -> Iterator[Pair]:
    """All cores of a node, where no other node of the partition has more."""
    asked, node = its_gpu(cluster, name), cluster.node_types[name]
    alike = [cluster.node_types[other].cores for other in p.node_types if its_gpu(cluster, other) == asked]
    limited = p.max_cores or p.max_cores_per_node or any(cluster.gpus[gpu].max_cores for gpu in node.gpus)
    if all(alike) and max(alike) == node.cores and not limited:
        asked |= {"mem": little(p)} | ({"hint": "nomultithread"} if node.threads_per_core > 1 else {})
        numbers = (node.cores, node.cores + 1)
        yield step(cluster, key, f"node_types.{name}.cores", "cpus-per-task", numbers, NO_CONFIG, **asked)


def sockets(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    there = [cluster.node_types[name].sockets for name in p.node_types]
    if all(there):
        yield step(cluster, key, f"{key}: sockets", "sockets-per-node", (max(there), max(there) + 1), NO_CONFIG)


def threads(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    nodes = [cluster.node_types[name] for name in p.node_types if cluster.node_types[name].cores]
    most = max((node.cores * node.threads_per_core for node in nodes), default=0)
    one_each = max((node.cores for node in nodes), default=0)
    if most > one_each and not p.max_cores:
        asked, limit = {"cpus-per-task": most, "mem": little(p)}, f"{key}: threads_per_core"
        yield step(cluster, key, limit, "hint", ("multithread", "nomultithread"), NO_CONFIG, **asked)
        yield step(cluster, key, limit, "cpus-per-task", (one_each, one_each + 1), NO_CONFIG, mem=little(p))


def local_disk(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    if there := [int(node.tmp.mib) for node in map(cluster.node_types.get, p.node_types) if node.tmp]:
        yield step(cluster, key, f"{key}: tmp", "tmp", (f"{max(there)}M", f"{max(there) + 1}M"), NO_CONFIG)


def other_resources(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    nodes = [cluster.node_types[name] for name in p.node_types]
    for resource in dict.fromkeys(name for node in nodes for name in node.gres):
        most = max(node.gres.get(resource, 0) for node in nodes)
        before = f"{gpu},{resource}" if (gpu := job(cluster, key).get("gres")) else resource
        numbers = (f"{before}:{most}", f"{before}:{most + 1}")
        yield step(cluster, key, f"{key}: gres {resource}", "gres", numbers, NO_CONFIG)


def fewer_nodes(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    gpus_come_first = gpu_of(cluster, p) and (p.max_gpus or p.min_gpus or p.gpu_required)
    if p.node_count and not gpus_come_first and (p.max_nodes or p.node_count + 1) > p.node_count:
        yield step(cluster, key, f"{key}.node_count", "nodes", (p.node_count, p.node_count + 1), NODE_COUNT)


def whole_node_pairs(cluster: Cluster) -> Iterator[Pair]:
    """The most GPUs and the most memory of one node, where no partition's own limit comes first."""
    for key, p in cluster.partitions.items():
        if names_partitions(cluster) and (p.min_nodes or 1) == 1:
            yield from gpus_of_a_node(cluster, key, p)
            yield from memory_of_a_node(cluster, key, p)


def gpus_of_a_node(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    kind, number = gpu_of(cluster, p) or ("", 0)
    if not number or p.gpu_jobs_in or p.min_gpus and p.min_gpus > number:
        return
    nodes = [cluster.node_types[name] for name in p.node_types]
    most = max(n for node in nodes for gpu, n in node.gpus.items() if gres_type(cluster.gpus[gpu].gres) == kind)
    if (p.max_gpus or most) >= most:
        # where a policy says the same
        reason = "at most" if most == p.max_gpus else "At most" if most == p.max_gpus_per_node else NO_CONFIG
        numbers = (f"gpu:{gpus(kind, most)}", f"gpu:{gpus(kind, most + steps(cluster, p)[1])}")
        yield step(cluster, key, f"{key}: GPUs of a node", "gres", numbers, reason)


def memory_of_a_node(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    nodes = [cluster.node_types[name] for name in p.node_types]
    limited = p.max_memory_per_node or any(cluster.gpus[gpu].max_memory for node in nodes for gpu in node.gpus)
    if all(node.memory for node in nodes) and not limited and cluster.policy.memory.rule is not Rule.IGNORED:
        most = max(int(node.memory.mib) for node in nodes)
        yield step(cluster, key, f"{key}: memory of a node", "mem", (f"{most}M", f"{most + 1}M"), NO_CONFIG)


def gpu_pairs(cluster: Cluster) -> Iterator[Pair]:
    for name, gpu in cluster.gpus.items():
        if place := home(cluster, name):
            for pairs_of in (as_written, unknown, other_names, numbers):
                yield from pairs_of(cluster, name, gpu, *place)


def home(cluster: Cluster, name: str) -> tuple[str, int] | None:
    """A partition that has it, and how many of its kind one node there has."""
    types = node_types(cluster)
    for key, p in cluster.partitions.items():
        if there := [types[at].gpus[name] for at in partition_types(cluster, p) if name in types[at].gpus]:
            return key, max(there)
    return None


def as_written(cluster: Cluster, name: str, gpu: Gpu, key: str, most: int) -> Iterator[Pair]:
    """The facts' own request, and the same for more than a node has."""
    options: Options = {option: value for option, _, value in (word[2:].partition("=") for word in gpu.request.split())}
    asked = next(option for option in options if option.startswith("g"))
    here = job(cluster, key, **({"gres": ""} | options))
    same = [types.gpus.get(each, 0) for types in node_types(cluster).values() for each in same_name(cluster, gpu)]
    more = re.sub(r"\d+$", str(max([most, *same]) + max([1, *gpu.counts[-1:]])), str(options[asked]))
    if gpu.is_slice and cluster.policy.slices_per_job:
        yield Pair(f"gpus.{name}.{'slice_of' if gpu.slice_of else 'slice'}", here, here | {asked: more}, "Only one MIG")
    yield Pair(f"gpus.{name}.request", here, here | {"nodes": 1, asked: more}, too_many(cluster, key, gpu, most))


def unknown(cluster: Cluster, name: str, gpu: Gpu, key: str, most: int) -> Iterator[Pair]:
    """Its type, and one that does not exist."""
    if kind := gres_type(gpu.gres):
        number = max([least(cluster.partitions[key], "gpus") or 1, *gpu.counts[:1]])
        named = (f"gpu:{kind}:{number}", f"gpu:no{kind}:{number}")
        yield step(cluster, key, f"gpus.{name}", "gres", named, NO_CONFIG)


def same_name(cluster: Cluster, gpu: Gpu) -> list[str]:
    return [name for name, other in cluster.gpus.items() if other.gres == gpu.gres]


def too_many(cluster: Cluster, key: str, gpu: Gpu, most: int) -> str:
    """What is said of more than one node has."""
    p = cluster.partitions[key]
    if gpu.is_slice and cluster.policy.slices_per_job:
        return "Only one MIG"
    p = cluster.partitions[p.gpu_jobs_in] if p.gpu_jobs_in else p
    if p.max_gpus and p.max_gpus <= most:
        return "at most"
    return "At most" if p.max_gpus_per_node and p.max_gpus_per_node <= most else NO_CONFIG


def other_names(cluster: Cluster, name: str, gpu: Gpu, key: str, most: int) -> Iterator[Pair]:
    """In every option that can name one, with and without a number."""
    number, limit = gpu.counts[0] if gpu.counts else 1, f"gpus.{name}.synonyms"
    for other in map(gres_type, gpu.synonyms):
        named = (f"{other}:{number}", f"no{other}:{number}")
        for option in ("gpus-per-node", "gpus"):
            yield step(cluster, key, limit, option, named, NO_CONFIG, gres="")
        yield step(cluster, key, limit, "gpus-per-task", named, NO_CONFIG, gres="", ntasks=1)
        yield step(cluster, key, limit, "gres", tuple(f"gpu:{each}" for each in named), NO_CONFIG)
        yield step(cluster, key, limit, "gres", (f"gpu:{other}", f"gpu:no{other}"), NO_CONFIG)


def numbers(cluster: Cluster, name: str, gpu: Gpu, key: str, most: int) -> Iterator[Pair]:
    kind, limit = gres_type(gpu.gres), f"gpus.{name}.counts"
    for number in gpu.counts:
        asked, wrong = (f"gpu:{gpus(kind, n)}" for n in (number, gpu.counts[-1] - 1))
        yield step(cluster, key, limit, "gres", (asked, wrong), "can have")
        if number < gpu.counts[-1]:
            yield step(cluster, key, limit, "nodes", (1, 2), "on several nodes", gres=asked)
