"""job_submit.lua of a cluster's twin: what the operator enforces and slurm.conf cannot say.

It refuses with the operator's own published words where the facts have them.
"""

import json
from math import inf
from pathlib import Path

from pydantic import BaseModel

from scripts.facts import Cluster, Gpu, NodeType, Partition, Requirement, Rule
from scripts.facts.limits import SEVERAL_PARTITIONS, Group, limits
from scripts.facts.units import Memory, Walltime
from scripts.twin.slurm.conf import gres_type, node_types, partition_types

PARTS = ("gpus.lua", "quantities.lua", "limits.lua", "partitions.lua", "policy.lua")
LUA = "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in PARTS)


def _words(requirement: Requirement, otherwise: str) -> str | None:
    return (requirement.refusal or otherwise) if requirement.rule is Rule.REQUIRED else None


def _lua(value: object) -> str:
    """A Python value as a Lua literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{_lua(key)}] = {_lua(item)}" for key, item in value.items() if item is not None) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(_lua, value)) + "}"
    return json.dumps(value, ensure_ascii=False)


def _limits(group: Group, part: BaseModel, accounts: bool, name: str = "") -> list[dict]:
    """What the plugin asks of a job. Slurm keeps its own limits, as long as a job names one partition; so does its
    database, where the twin keeps accounts.
    """
    return [
        {
            "quantity": row.quantity,
            row.test: number,
            "only": row.only or (SEVERAL_PARTITIONS if row.slurm_conf or accounts and row.qos else None),
            "refusal": row.refusal.format(limit=number, name=name),
        }
        for _, row, number in limits(group, part)
        if row.refusal
    ]


def gpu_rules(gpu: Gpu, accounts: bool) -> dict:
    """What the operator asks of jobs with this GPU."""
    return {
        "slice": gpu.is_slice,
        "counts": gpu.counts or None,
        "refusal": f"On one node, a job can have {gpu.numbers} of these GPUs; on several nodes, all GPUs of each",
        "limits": _limits("gpus", gpu, accounts, gres_type(gpu.gres)),
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


def _partition(cluster: Cluster, partition: Partition, accounts: bool) -> dict:
    types = [node_types(cluster)[name] for name in partition_types(cluster, partition)]
    return {
        "limits": _limits("partitions", partition, accounts),
        "max_time": minutes(partition.max_time),
        "longer_jobs_in": partition.longer_jobs_in,
        "gpu_jobs_in": partition.gpu_jobs_in,
        "gpu": any(node.gpus for node in types),
        "nodes": [_node(cluster, node) for node in types],
        "sockets_unknown": not all(node.sockets for node in types),
    }


def rules(cluster: Cluster, accounts: bool = False) -> dict:
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
        "limits": _limits("policy", policy, accounts),
        "synonyms": {gres_type(name): gres_type(gpu.gres) for gpu in cluster.gpus.values() for name in gpu.synonyms},
        "gpus": {gres_type(gpu.gres): gpu_rules(gpu, accounts) for gpu in cluster.gpus.values()},
        "only_gpu": gres_type(next(iter(cluster.gpus.values())).gres) if len(cluster.gpus) == 1 else None,
        "no_partition": policy.no_partition,
        "route": sorted(routed, key=lambda key: longest[key].minutes if longest[key] else inf) or None,
        "default": next((p.name or key for key, p in cluster.partitions.items() if p.default), None),
        "same_name": {p.name: {"gpu": key, "cpu": p.name} for key, p in cluster.partitions.items() if p.name},
        "allocation_accounts": policy.allocation_accounts,
        "memory_ignored": policy.memory.rule is Rule.IGNORED,
        "qos": {
            name: {"limits": _limits("qos", qos, accounts, name), "suffix": qos.partition_suffix}
            for name, qos in cluster.qos.items()
        },
        "partitions": {key: _partition(cluster, p, accounts) for key, p in cluster.partitions.items()},
    }


def job_submit_lua(cluster: Cluster, accounts: bool = False) -> str:
    return f"-- Written from the facts about {cluster.name}.\nlocal RULES = {_lua(rules(cluster, accounts))}\n{LUA}"
