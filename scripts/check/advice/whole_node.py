"""Fewer GPUs than a whole node has, where whole nodes are charged."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report


def advise(case: Case) -> Iterator[Report]:
    if not case.wants_gpu or len(case.partitions) != 1:
        return
    ((name, partition),) = case.partitions.items()
    has = {sum(node.gpus.values()) for node in case.nodes}
    asked = case.job.gpus_per_node or 0
    if not partition.exclusive or len(has) != 1 or asked >= min(has):
        return
    others = [
        key
        for key, other in case.cluster.partitions.items()
        if not other.exclusive
        and not other.access
        and not other.purpose
        and set(partition.node_types) & set(other.node_types)
    ]
    cure = f"Use them all, or {' or '.join(others)}." if others else "Use them all."
    what = f"{name} charges whole nodes of {min(has)} GPUs; this job uses {asked} of each."
    at = case.gpu_option
    yield case.report("whole-node-few-gpus", what, cure, at, f"partitions.{name}.exclusive", limit=f"{min(has)} GPUs")
