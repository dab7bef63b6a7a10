"""job_submit.lua of a cluster's twin: what the operator enforces and slurm.conf cannot say.

It refuses with the operator's own published words where the facts have them.
"""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

from scripts.facts import Cluster, Requirement, Rule
from scripts.twin.slurm.conf import gres_type

LUA = Path(__file__).with_name("policy.lua").read_text(encoding="utf-8")


def _words(requirement: Requirement, otherwise: str) -> str | None:
    return (requirement.refusal or otherwise) if requirement.rule is Rule.REQUIRED else None


def _lua(value: object) -> str:
    """A Python value as a Lua literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{_lua(key)}] = {_lua(item)}" for key, item in value.items() if item is not None) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(_lua, value)) + "}"
    return json.dumps(value, ensure_ascii=False)


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
        "slices": {
            name: True
            for gpu in cluster.gpus.values()
            if gpu.is_slice
            for name in map(gres_type, [gpu.gres, *gpu.synonyms])
        },
        "route": bands,
        "default": next((key for key, p in cluster.partitions.items() if p.default), None),
        "partitions": {
            key: {field: getattr(p, field) for field in limited}
            | {"min_time": int(p.min_time.minutes) if p.min_time else None, "gpu_required": p.gpu_required}
            for key, p in cluster.partitions.items()
        },
    }


def job_submit_lua(cluster: Cluster) -> str:
    return f"-- Written from the facts about {cluster.name}.\nlocal RULES = {_lua(rules(cluster))}\n{LUA}"
