"""job_submit.lua of a cluster's twin: what the operator enforces and slurm.conf cannot say.

It refuses with the operator's own published words where the facts have them.
"""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

from scripts.facts import Cluster, Gpu, Requirement, Rule
from scripts.twin.slurm.conf import gres_type

LUA = "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("gpus.lua", "policy.lua"))


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
    }


def rules(cluster: Cluster) -> dict:
    policy = cluster.policy
    limited = ("min_gpus", "max_gpus", "max_gpus_per_node", "min_cores", "max_cores")
    bands = None
    if policy.partition.rule is Rule.LEAVE_OUT:
        longest = {key: p.max_time.minutes if p.max_time else inf for key, p in cluster.partitions.items()}
        bands = [
            {
                "name": key,
                "minutes": None if longest[key] == inf else int(longest[key]),
                "gpu": any(cluster.node_types[name].gpus for name in cluster.partitions[key].node_types),
            }
            for key in sorted(longest, key=longest.get)
        ]
    return {
        "account": _words(policy.account, "An account is required"),
        "time": _words(policy.time, "A time limit is required"),
        "partition": _words(policy.partition, "A partition is required"),
        "gpu_model": _words(policy.gpu_model, "A GPU model is required"),
        "slices_per_job": policy.slices_per_job,
        "synonyms": {gres_type(name): gres_type(gpu.gres) for gpu in cluster.gpus.values() for name in gpu.synonyms},
        "gpus": {gres_type(gpu.gres): gpu_rules(gpu) for gpu in cluster.gpus.values()},
        "only_gpu": gres_type(next(iter(cluster.gpus.values())).gres) if len(cluster.gpus) == 1 else None,
        "route": bands,
        "default": next((p.name or key for key, p in cluster.partitions.items() if p.default), None),
        "same_name": {p.name: {"gpu": key, "cpu": p.name} for key, p in cluster.partitions.items() if p.name},
        "allocation_accounts": policy.allocation_accounts,
        "memory_ignored": policy.memory.rule is Rule.IGNORED,
        "partitions": {
            key: {field: getattr(p, field) for field in limited}
            | ({"max_nodes": p.max_nodes} if p.max_nodes_with_allocation else {})
            | {"with_allocation": {"max_nodes": p.max_nodes_with_allocation, "max_gpus": p.max_gpus_with_allocation}}
            | {"min_time": int(p.min_time.minutes) if p.min_time else None, "gpu_required": p.gpu_required}
            for key, p in cluster.partitions.items()
        },
    }


def job_submit_lua(cluster: Cluster) -> str:
    return f"-- Written from the facts about {cluster.name}.\nlocal RULES = {_lua(rules(cluster))}\n{LUA}"
