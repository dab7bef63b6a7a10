"""The tables that compare clusters: running systems first, then by name."""

from __future__ import annotations

from scripts.facts.model import Cluster, Rule
from scripts.markdown import table
from scripts.tables.cluster import Clusters, chip, mark_name, mark_part, plural, successor

LIMITS_ANCHOR = "what-a-job-must-say-and-its-limits"


def all_gpus(clusters: Clusters) -> str:
    """Status, GPU, scheduler in one look."""
    rows = []
    for cluster in sorted(clusters.values(), key=lambda cluster: (not cluster.running, cluster.name.casefold())):
        gpus = "<br>".join(_gpus(cluster)) or "not published"
        rows.append((_link(cluster, "at-a-glance"), chip(cluster), gpus, cluster.scheduler_name))
    return table(("Cluster", "Status", "GPUs", "Scheduler"), rows)


def fair_shares(clusters: Clusters) -> str:
    """One GPU's part of its node, on every running system that says so."""
    rows = []
    for cluster in _running(clusters):
        for key, gpu in cluster.gpus.items():
            if gpu.fair_share and not gpu.is_slice:
                cores = mark_part(cluster, plural(gpu.fair_share.cores, "core"), "gpus", key, "fair_share")
                memory = gpu.fair_share.memory or "not published"
                rows.append((_link(cluster, LIMITS_ANCHOR), f"{gpu.model}, {gpu.memory}", cores, memory))
    return table(("Cluster", "One GPU", "Its CPUs", "Its memory of the node"), rows)


def gpu_partitions(clusters: Clusters) -> str:
    """Where a GPU job goes on every running system, and how long it may run there."""
    rows = []
    for cluster in _running(clusters):
        names = [
            mark_name(cluster, f"`{partition.name or key}`", "partitions", key)
            + (f": {partition.max_time.words}" if partition.max_time else "")
            for key, partition in cluster.partitions.items()
            if any(cluster.node_types[name].gpus for name in partition.node_types)
        ]
        chosen = "<br>".join(names) or "not published"
        if cluster.policy.partition.rule is Rule.LEAVE_OUT:
            chosen = "leave it out: Slurm picks one"
        rows.append((_link(cluster, LIMITS_ANCHOR), chosen))
    return table(("Cluster", "GPU partitions, and the longest job in each"), rows)


def lifecycle(clusters: Clusters) -> str:
    """What is gone and what replaced it, latest first; then what has a planned end."""
    gone = [cluster for cluster in clusters.values() if not cluster.running]
    gone.sort(key=lambda cluster: cluster.status.ended or "", reverse=True)
    rows = [(cluster.name, chip(cluster), successor(cluster, clusters) or "none") for cluster in gone]
    for cluster in clusters.values():
        if cluster.running and cluster.status.planned_end:
            planned = f"runs, planned end {cluster.status.planned_end}"
            rows.append((cluster.name, planned, successor(cluster, clusters) or "not named"))
    return table(("System", "Status", "Replaced by"), rows)


def _running(clusters: Clusters) -> list[Cluster]:
    return sorted(
        (cluster for cluster in clusters.values() if cluster.running), key=lambda cluster: cluster.name.casefold()
    )


def _link(cluster: Cluster, anchor: str) -> str:
    return f"[{cluster.name}](/clusters/{cluster.page}.md#{anchor})"


def _gpus(cluster: Cluster) -> list[str]:
    """`320 × NVIDIA V100, 32 GB` for each whole GPU of which there is a known number."""
    found = []
    for key, gpu in cluster.gpus.items():
        number = sum((node.count or 0) * node.gpus.get(key, 0) for node in cluster.node_types.values())
        if number and not gpu.is_slice:
            found.append(mark_name(cluster, f"{number:,} × {gpu.model}, {gpu.memory}", "gpus", key))
    return found


TABLES = {
    "all-gpus.md": all_gpus,
    "fair-shares.md": fair_shares,
    "gpu-partitions.md": gpu_partitions,
    "lifecycle.md": lifecycle,
}
