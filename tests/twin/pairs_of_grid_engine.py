"""Pairs for Grid Engine: resources of `-l`, and the slots of `-pe smp`."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts import Cluster, Rule
from tests.twin.pairs import Options, Pair


def grid_engine_pairs(cluster: Cluster) -> Iterator[Pair]:
    good: Options = {"h_rt": "1:0:0"}
    for key, p in cluster.partitions.items():
        if p.max_time:
            seconds = int(p.max_time.minutes * 60)
            yield Pair(
                f"{key}.max_time", good | {"h_rt": seconds}, good | {"h_rt": seconds + 1}, "because of cluster queue"
            )
        if p.max_gpus:
            for gpu in cluster.gpus.values():
                yield Pair(
                    f"{key}.max_gpus", good | {gpu.gres: p.max_gpus}, good | {gpu.gres: p.max_gpus + 1}, "At most"
                )
    for name in cluster.policy.resources:
        yield Pair("policy.resources", good | {name: 1}, good | {f"no{name}": 1}, "unknown resource")
    for name, gpu in cluster.gpus.items():
        one = good | {gpu.gres: 1}
        for other in gpu.synonyms:
            yield Pair(f"gpus.{name}.synonyms", good | {other: 1}, good | {f"no{other}": 1}, "unknown resource")
        yield Pair(f"gpus.{name}", one, good | {f"no{gpu.gres}": 1}, "unknown resource")
        if share := gpu.fair_share:
            yield Pair(
                f"gpus.{name}.fair_share.cores",
                one | {"pe smp": share.cores},
                one | {"pe smp": share.cores + 1},
                "more come only with more GPUs",
            )
            memory = round(share.memory.mib * 2**20) // share.cores
            yield Pair(
                f"gpus.{name}.fair_share.memory",
                one | {"h_vmem": memory},
                one | {"h_vmem": memory + 1},
                "more comes only with more GPUs",
            )
    yield from node_pairs(cluster, good)
    if cluster.policy.time.rule is Rule.REQUIRED:
        yield Pair("policy.time", good, {}, cluster.policy.time.refusal or "time limit is required")


def node_pairs(cluster: Cluster, good: Options) -> Iterator[Pair]:
    """What a node of each kind has, and how many there are."""
    for key, node in cluster.node_types.items():
        memory, at = round(node.memory.mib * 2**20), f"node_types.{key}"
        for name in node.features:
            here = good | {"node_type": name}
            yield Pair(f"{at}.memory", here | {"h_vmem": memory}, here | {"h_vmem": memory + 1}, "it offers only")
            cores = [here | {"pe smp": node.cores + more} for more in (0, 1)]
            yield Pair(f"{at}.cores", *cores, "suitable")
            each = {"pe smp": node.cores, "h_vmem": memory // node.cores}  # for each slot
            yield Pair(f"{at}.memory", here | each, here | each | {"h_vmem": memory // node.cores + 1}, "suitable")
            yield Pair(f"{at}.features", here, good | {"node_type": f"no{name}"}, "suitable")
            yield Pair(f"{at}.count", here | {"nodes": node.count}, here | {"nodes": node.count + 1}, "suitable")
        if node.default:
            yield Pair(f"{at}.default", good | {"h_vmem": memory}, good | {"h_vmem": memory + 1}, "it offers only")
