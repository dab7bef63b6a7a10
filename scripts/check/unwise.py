"""What the scheduler accepts, but a person would not want on that cluster."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.check.directives import Option, last, read
from scripts.check.report import Report
from scripts.facts import Cluster, successor_name


def unwise(cluster: Cluster, lines: list[str], file: str) -> list[Report]:
    """Accepted, but not what a person would want here."""
    found = last(read(lines, cluster.scheduler.kind))
    reports = []
    if not cluster.running:
        successor = successor_name(cluster)
        what = f"{cluster.name} is switched off; no job runs there."
        reports.append(
            Report(file, 1, "unwise", what, f"Use {successor} instead." if successor else "", "switched-off")
        )
    if request := gpu_request(found):
        reports += _over_its_share(cluster, request, found, file)
    elif any("--gpu" in line or "--gres" in line for line in lines):
        what = "GPUs are mentioned, but no live directive asks for one."
        reports.append(Report(file, 1, "unwise", what, "Look at the lines that are ignored.", "no-gpu"))
    return reports


@dataclass(frozen=True)
class GpuRequest:
    line: int
    gres_type: str  # empty where the script names none
    number: int


def gpu_request(found: dict[str, Option]) -> GpuRequest | None:
    """The GPUs that the directives ask for."""
    for name in ("gres", "gpus-per-node", "gpus", "gpus-per-task"):
        if name in found:
            line, value = found[name].line, found[name].value or ""
            parts = value.removeprefix("gpu:") if name == "gres" else value
            kind, _, number = parts.rpartition(":")
            return GpuRequest(line, kind, int(number)) if number.isdigit() else GpuRequest(line, parts, 1)
    return None


def _over_its_share(cluster: Cluster, request: GpuRequest, found: dict[str, Option], file: str) -> list[Report]:
    of_type = (gpu for gpu in cluster.gpus.values() if (gpu.gres or "").partition(":")[2] == request.gres_type)
    gpu = next(of_type, None)
    if not gpu or not gpu.fair_share:
        return []
    cores = _number(found, "cpus-per-task") * _number(found, "ntasks")
    share = gpu.fair_share.cores * request.number
    if cores <= share:
        return []
    asked = found.get("cpus-per-task") or found.get("ntasks")
    line = asked.line if asked else request.line
    what = f"{cores} cores are more than the fair share of {request.number} GPU(s), {share}."
    return [Report(file, line, "unwise", what, "Others' GPUs would stand idle; ask for fewer.", "over-share")]


def _number(found: dict[str, Option], name: str) -> int:
    value = found[name].value if name in found else None
    return int(value) if value and value.isdigit() else 1
