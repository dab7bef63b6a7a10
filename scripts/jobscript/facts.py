"""What the engine decides by: the numbers of slurm.conf and the rules of job_submit.lua, from the same functions."""

from __future__ import annotations

from scripts.facts import Cluster


def system(cluster: Cluster) -> dict:
    """The facts of one system that a verdict needs."""
    return {"key": cluster.key, "name": cluster.name, "kind": cluster.scheduler.kind}
