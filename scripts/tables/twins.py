"""What judges each cluster's scripts, in one file: by it the site knows which checks still count."""

from __future__ import annotations

from scripts.evidence.rests import Judge, judges_text
from scripts.facts import Cluster, as_of
from scripts.facts.days import days_of
from scripts.twin.written import digest


def judges_of(cluster: Cluster) -> list[Judge]:
    """One from the beginning, and one from each day on which its facts change."""
    return [_judge("", cluster), *(_judge(day, as_of(cluster, day)) for day in days_of(cluster))]


def _judge(since: str, cluster: Cluster) -> Judge:
    software = cluster.software
    names = {*software.modules, *software.module_paths, *software.images, cluster.policy.sample_account or ""} - {""}
    return Judge(since, digest(cluster), sorted(names))


def twins_text(clusters: dict[str, Cluster]) -> str:
    return judges_text({key: judges_of(cluster) for key, cluster in clusters.items()})
