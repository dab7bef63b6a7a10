"""What the scheduler accepts, but a person would not want on that cluster."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.check.directives import options
from scripts.check.report import Report
from scripts.facts import Cluster, successor_name


def unwise(cluster: Cluster, lines: list[str], file: str) -> list[Report]:
    """Accepted, but not what a person would want here."""
    found = options(lines, cluster.scheduler.kind)
    reports = []
    if not cluster.running:
        successor = successor_name(cluster)
        what = f"{cluster.name} is switched off; no job runs there."
        reports.append(Report(file, 1, "unwise", what, f"Use {successor} instead." if successor else ""))
    if request := gpu_request(found):
        reports += _over_its_share(cluster, request, found, file)
    elif any("--gpu" in line or "--gres" in line for line in lines):
        what = "GPUs are mentioned, but no live directive asks for one."
        reports.append(Report(file, 1, "unwise", what, "Look at the lines that are ignored."))
    return reports


@dataclass(frozen=True)
class GpuRequest:
    line: int
    gres_type: str  # empty where the script names none
    number: int


def gpu_request(found: dict[str, tuple[int, str]]) -> GpuRequest | None:
    """The GPUs that the directives ask for."""
    for name in ("gres", "gpus-per-node", "gpus", "gpus-per-task"):
        if name in found:
            line, value = found[name]
            parts = value.removeprefix("gpu:") if name == "gres" else value
            kind, _, number = parts.rpartition(":")
            return GpuRequest(line, kind, int(number)) if number.isdigit() else GpuRequest(line, parts, 1)
    return None


def _over_its_share(
    cluster: Cluster, request: GpuRequest, found: dict[str, tuple[int, str]], file: str
) -> list[Report]:
    of_type = (gpu for gpu in cluster.gpus.values() if (gpu.gres or "").partition(":")[2] == request.gres_type)
    gpu = next(of_type, None)
    if not gpu or not gpu.fair_share:
        return []
    cores = _number(found, "cpus-per-task") * _number(found, "ntasks")
    share = gpu.fair_share.cores * request.number
    if cores <= share:
        return []
    line = found.get("cpus-per-task", found.get("ntasks", (request.line, "")))[0]
    what = f"{cores} cores are more than the fair share of {request.number} GPU(s), {share}."
    return [Report(file, line, "unwise", what, "Others' GPUs would stand idle; ask for fewer.")]


def _number(found: dict[str, tuple[int, str]], name: str) -> int:
    value = found.get(name, (0, "1"))[1]
    return int(value) if value.isdigit() else 1
