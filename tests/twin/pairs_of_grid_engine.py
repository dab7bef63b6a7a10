"""Pairs for Grid Engine: resources of `-l`, and the slots of `-pe smp`."""

from collections.abc import Iterator

from scripts.facts import Cluster, Rule
from tests.twin.pairs import Options, Pair

GOOD: Options = {"h_rt": "1:0:0"}


def step(limit: str, option: str, number: int, reason: str, by: int = 1, **more: str | int) -> Pair:
    """A job that asks for so much of one thing, and one that asks for more."""
    at, past = (GOOD | more | {option: asked} for asked in (number, number + by))
    return Pair(limit, at, past, reason)


def misspelt(limit: str, name: str, reason: str = "unknown resource") -> Pair:
    """A resource, and one that is not there."""
    return Pair(limit, GOOD | {name: 1}, GOOD | {f"no{name}": 1}, reason)


def grid_engine_pairs(cluster: Cluster) -> Iterator[Pair]:
    for key, p in cluster.partitions.items():
        yield step(f"{key}.max_time", "h_rt", int(p.max_time.minutes * 60), "because of cluster queue")
        for gpu in cluster.gpus.values():
            yield step(f"{key}.max_gpus", gpu.gres, p.max_gpus, "At most")
    for name in cluster.policy.resources:
        yield misspelt("policy.resources", name)
    for name, gpu in cluster.gpus.items():
        yield misspelt(f"gpus.{name}", gpu.gres)
        for other in gpu.synonyms:
            yield misspelt(f"gpus.{name}.synonyms", other)
        if share := gpu.fair_share:
            one = {gpu.gres: 1}
            memory = round(share.memory.mib * 2**20) // share.cores
            limit = f"gpus.{name}.fair_share"
            yield step(f"{limit}.cores", "pe smp", share.cores, "more come only with more GPUs", **one)
            yield step(f"{limit}.memory", "h_vmem", memory, "more comes only with more GPUs", **one)
    yield from node_pairs(cluster)
    if cluster.policy.time.rule is Rule.REQUIRED:
        yield Pair("policy.time", GOOD, {}, cluster.policy.time.refusal or "time limit is required")


def node_pairs(cluster: Cluster) -> Iterator[Pair]:
    """What a node of each kind has, and how many there are."""
    for key, node in cluster.node_types.items():
        memory, at = round(node.memory.mib * 2**20), f"node_types.{key}"
        for name in node.features:
            here = {"node_type": name}
            yield step(f"{at}.memory", "h_vmem", memory, "it offers only", **here)
            yield step(f"{at}.cores", "pe smp", node.cores, "suitable", **here)
            every = here | {"pe smp": node.cores}  # memory is for each slot
            yield step(f"{at}.memory", "h_vmem", memory // node.cores, "suitable", **every)
            yield Pair(f"{at}.features", GOOD | here, GOOD | {"node_type": f"no{name}"}, "suitable")
            yield step(f"{at}.count", "nodes", node.count, "suitable", **here)
        if node.default:
            yield step(f"{at}.default", "h_vmem", memory, "it offers only")
