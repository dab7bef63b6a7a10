"""The facts that the page's advice rests on, each with its source, and the doubt where there is one."""

from __future__ import annotations

from scripts.check.advice.systems import systems
from scripts.check.advice.variables import COMMON, own
from scripts.check.source import doubt, source
from scripts.facts import Cluster

PATHS = (
    *("policy.internet_on_compute_nodes", "policy.submit_in_jobs", "policy.login_shell_without_export"),
    *("policy.memory", "policy.partition", "scheduler.version"),
)


def advice(cluster: Cluster) -> dict:
    """What advice.js looks at; what is nothing is left out."""
    policy = cluster.policy
    paths = [*PATHS, *(f"storage.{place.path}" for place in cluster.storage)]
    found = {
        "internet": policy.internet_on_compute_nodes,
        "submit": policy.submit_in_jobs,
        "login": policy.login_shell_without_export or None,
        "version": cluster.scheduler.version,
        "memory": _rule(policy.memory),
        "partition": _rule(policy.partition),
        "places": [_place(place) for place in cluster.storage],
        "others": others(cluster),
        "sources": {name: source(cluster, name) for name in ("policy", "scheduler", "storage")},
        "doubts": {path: why for path in paths if (why := doubt(cluster, path))},
    }
    return {name: value for name, value in found.items() if value is not None}


def others(cluster: Cluster) -> dict[str, str]:
    """Variables of other systems' storage -> the first system that has it."""
    clusters = systems()
    here = {name for each in clusters if each.centre == cluster.centre for name in own(each)}
    found = {name: each.name for each in reversed(clusters) for name in sorted(own(each) - COMMON - here)}
    return dict(sorted(found.items()))


def _rule(requirement) -> dict:
    return requirement.model_dump(mode="json", exclude_none=True, include={"rule", "gpu_jobs", "note"})


def _place(place) -> dict:
    return {
        "path": place.path,
        **{name: True for name in ("read_only_in_jobs", "one_node", "in_memory") if getattr(place, name)},
        **({"job": True} if place.kept.startswith("until the job ends") else {}),
    }
