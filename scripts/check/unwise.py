"""What the scheduler accepts, but a person would not want on that cluster."""

from __future__ import annotations

from scripts.check.directives import options
from scripts.check.report import Report
from scripts.facts import Cluster


def gpu_requests(found: dict[str, tuple[int, str]]) -> tuple[int, str, int] | None:
    """(line, type or '', number) of the GPUs asked for."""
    for name in ("gres", "gpus-per-node", "gpus", "gpus-per-task"):
        if name in found:
            line, value = found[name]
            parts = value.removeprefix("gpu:") if name == "gres" else value
            kind, _, number = parts.rpartition(":")
            return line, kind if number.isdigit() else parts, int(number) if number.isdigit() else 1
    return None


def _number(found: dict[str, tuple[int, str]], name: str) -> int:
    value = found.get(name, (0, "1"))[1]
    return int(value) if value.isdigit() else 1


def unwise(cluster: Cluster, clusters: dict[str, Cluster], lines: list[str], file: str) -> list[Report]:
    """Accepted, but not what a person would want here."""
    found, reports = options(lines, cluster.scheduler.kind), []
    if not cluster.running:
        successor = clusters[cluster.status.successor].name if (cluster.status.successor or "") in clusters else cluster.status.successor
        reports.append(Report(file, 1, "unwise", f"{cluster.name} is switched off; no job runs there.", f"Use {successor} instead."))
    gpu = gpu_requests(found)
    if gpu and (known := next((g for g in cluster.gpus.values() if (g.gres or "").partition(":")[2] == gpu[1]), None)) and known.fair_share:
        cores = _number(found, "cpus-per-task") * _number(found, "ntasks")
        if cores > known.fair_share.cores * gpu[2]:
            line = found.get("cpus-per-task", found.get("ntasks", (gpu[0], "")))[0]
            reports.append(Report(file, line, "unwise", f"{cores} cores are more than the fair share of {gpu[2]} GPU(s), {known.fair_share.cores * gpu[2]}.", "Others' GPUs would stand idle; ask for fewer."))
    if not gpu and any("--gpu" in line or "--gres" in line for line in lines):
        reports.append(Report(file, 1, "unwise", "GPUs are mentioned, but no live directive asks for one.", "Look at the lines that are ignored."))
    return reports
