"""job_submit.lua of a cluster's twin: what the operator enforces and slurm.conf cannot say.

It refuses with the operator's own published words where the facts have them.
"""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

from scripts.facts import Cluster, Gpu, NodeType, Partition, Requirement, Rule
from scripts.facts.units import Memory, Walltime
from scripts.twin.slurm.conf import gres_type, node_types, partition_types

PARTS = ("gpus.lua", "queue.lua", "partitions.lua", "policy.lua")
LUA = "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in PARTS)
# What the Lua asks of a partition. Slurm itself keeps time and nodes, as long as a job names one partition.
LIMITED = (
    *("min_nodes", "max_nodes", "min_gpus", "max_gpus", "max_gpus_per_node", "min_cores", "max_cores", "max_jobs"),
    *("gpu_required", "gpu_jobs_in", "longer_jobs_in", "exclusive_refused"),
)


def _words(requirement: Requirement, otherwise: str) -> str | None:
    return (requirement.refusal or otherwise) if requirement.rule is Rule.REQUIRED else None


def _lua(value: object) -> str:
    """A Python value as a Lua literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{_lua(key)}] = {_lua(item)}" for key, item in value.items() if item is not None) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(_lua, value)) + "}"
    return json.dumps(value, ensure_ascii=False)


def gpu_rules(gpu: Gpu) -> dict:
    """What the operator asks of jobs with this GPU."""
    return {
        "slice": gpu.is_slice,
        "counts": gpu.counts or None,
        "refusal": f"A job can have {gpu.numbers} of these GPUs, and on several nodes all of each",
        "max_cores": gpu.max_cores,
        "max_memory": mib(gpu.max_memory),
    }


def minutes(time: Walltime | None) -> int | None:
    return int(time.minutes) if time else None


def mib(memory: Memory | None) -> int | None:
    return int(memory.mib) if memory else None


def _node(cluster: Cluster, node: NodeType) -> dict:
    tmp_published = any(each.tmp for each in cluster.node_types.values())
    return {
        "memory": mib(node.memory),
        "tmp": mib(node.tmp) or (0 if tmp_published else None),
        "gpus": {gres_type(cluster.gpus[key].gres): number for key, number in node.gpus.items()},
    }


def _partition(cluster: Cluster, partition: Partition) -> dict:
    types = [node_types(cluster)[name] for name in partition_types(cluster, partition)]
    allocation = {"max_nodes": partition.max_nodes_with_allocation, "max_gpus": partition.max_gpus_with_allocation}
    return {field: getattr(partition, field) for field in LIMITED} | {
        "min_time": minutes(partition.min_time),
        "max_time": minutes(partition.max_time),
        "max_time_several_gpus": minutes(partition.max_time_several_gpus),
        "gpu": any(node.gpus for node in types),
        "nodes": [_node(cluster, node) for node in types],
        "with_allocation": allocation if any(allocation.values()) else None,
        "sockets_unknown": not all(node.sockets for node in types),
    }


def rules(cluster: Cluster) -> dict:
    policy = cluster.policy
    leave_out = policy.partition.rule is Rule.LEAVE_OUT
    routed = [key for key, p in cluster.partitions.items() if p.routed or leave_out]
    longest = {key: cluster.partitions[key].max_time for key in routed}
    return {
        "account": _words(policy.account, "An account is required"),
        "time": _words(policy.time, "A time limit is required"),
        "partition": _words(policy.partition, "A partition is required"),
        "gpu_model": _words(policy.gpu_model, "A GPU model is required"),
        "threads": any(node.threads_per_core > 1 for node in cluster.node_types.values()),
        "threads_refused": policy.threads_per_core.rule is Rule.LEAVE_OUT,
        "slices_per_job": policy.slices_per_job,
        "synonyms": {gres_type(name): gres_type(gpu.gres) for gpu in cluster.gpus.values() for name in gpu.synonyms},
        "gpus": {gres_type(gpu.gres): gpu_rules(gpu) for gpu in cluster.gpus.values()},
        "only_gpu": gres_type(next(iter(cluster.gpus.values())).gres) if len(cluster.gpus) == 1 else None,
        "max_queued_jobs": policy.max_queued_jobs,
        "no_partition": policy.no_partition,
        "route": sorted(routed, key=lambda key: longest[key].minutes if longest[key] else inf) or None,
        "default": next((p.name or key for key, p in cluster.partitions.items() if p.default), None),
        "same_name": {p.name: {"gpu": key, "cpu": p.name} for key, p in cluster.partitions.items() if p.name},
        "allocation_accounts": policy.allocation_accounts,
        "memory_ignored": policy.memory.rule is Rule.IGNORED,
        "qos": {
            key: {"minutes": minutes(qos.max_time), "suffix": qos.partition_suffix} for key, qos in cluster.qos.items()
        },
        "partitions": {key: _partition(cluster, p) for key, p in cluster.partitions.items()},
    }


def job_submit_lua(cluster: Cluster) -> str:
    return f"-- Written from the facts about {cluster.name}.\nlocal RULES = {_lua(rules(cluster))}\n{LUA}"
