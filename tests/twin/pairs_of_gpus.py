"""Pairs for how a GPU is asked for: as its facts write it, by other names, in the numbers and cores that it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.facts import Cluster, Gpu
from scripts.twin.slurm.conf import gres_type, node_types, partition_types
from tests.twin.pairs import NO_CONFIG, Options, Pair, gpus, job, least, step


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
