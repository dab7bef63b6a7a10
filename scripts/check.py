"""Is this job script right for that cluster? Ask before you submit it.

    python -m scripts.check kestrel my.sh

Prints the twin's verdict, what the scheduler would ignore in silence, what is accepted but foolish, and what shellcheck
finds: each with file, line, why, and the cure. Ends with 0 (nothing found), 1 (refused, or something would be ignored), 2 (could not be judged).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import Cluster, load_all
from scripts.lint import PREFIX, lint
from scripts.twin import twin_of


@dataclass(frozen=True)
class Report:
    """One finding. `kind` is refused, ignored, unwise, shell, or unjudged."""

    file: str
    line: int
    kind: str
    what: str
    cure: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.what} {self.cure}".rstrip()


def options(lines: list[str], prefix: str) -> dict[str, tuple[int, str]]:
    """The live directives' long options: name -> (line, value). The last of a name counts, as for Slurm."""
    found = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            break
        if line.startswith(prefix):
            for name, value in re.findall(r"--([\w-]+)(?:[= ](\S+))?", line):
                found[name] = (number, value)
    return found


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
    found, reports = options(lines, PREFIX[cluster.scheduler.kind]), []
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


def verdict(cluster: Cluster, script: Path, file: str) -> list[Report]:
    """What the cluster's twin says."""
    try:
        result = twin_of(cluster).judge(script)
    except BadInput as fault:
        return [Report(file, 1, "unjudged", str(fault), "")]
    if result.returncode == 0:  # accepted; a warning means that something was changed or left out
        warnings = [line.removeprefix("sbatch: ") for line in result.stderr.splitlines() if "arning" in line or "error" in line]
        return [Report(file, 1, "ignored", f"{cluster.name}'s twin accepts it, but says: {warning}.", "Say what you mean.") for warning in warnings]
    return [Report(file, 1, "refused", f"{cluster.name}'s twin says: {' / '.join(reasons(result.stderr))}.", "Compare with the limits on the cluster's page.")]


# What schedulers say around the reason, and what Grid Engine says once for each of its hosts.
AROUND = re.compile(r"^(sbatch: |srun: |error: |allocation failure: |Unable to run job: |Unable to read script file because of error: |Job \d+ (\(.*?\) )?)+|\.$")
EMPTY = {"", "Unspecified error", "Exiting", "verification: no suitable queues"}
HOST = re.compile(r"(cannot run at host|cannot run in queue) \".*?\"( because of cluster queue)?")


def reasons(said: str) -> list[str]:
    """The reasons in a scheduler's refusal, each once, at most three."""
    lines = [HOST.sub(lambda found: "longer than the queue allows" if found[2] else found[1], AROUND.sub("", line)) for line in said.splitlines()]
    lines = [line for line in dict.fromkeys(lines) if line not in EMPTY and "unknown resource (" not in line] or [said.strip()]
    return lines[:3]


def shellcheck(script: Path, file: str) -> list[Report]:
    program = shutil.which("shellcheck")
    if not program:
        return []
    result = subprocess.run([program, "--shell=bash", "--severity=warning", "--exclude=SC1091", "--format=json", script], capture_output=True, text=True)
    return [Report(file, item["line"], "shell", f"{item['message']} (SC{item['code']})", "") for item in json.loads(result.stdout or "[]")]


def check(cluster: Cluster, script: Path) -> list[Report]:
    """Everything that is to be said of one script for one cluster, by line. Raises BadInput if it cannot be read."""
    file = str(script)
    try:
        data = script.read_bytes()
    except OSError as fault:
        raise BadInput(file, None, f"cannot be read: {fault.strerror}.", "Check the path.") from None
    if not data.strip():
        return [Report(file, 1, "refused", "the file is empty.", "Start from one of the guide's scripts.")]
    lines = data.decode("utf-8", "replace").splitlines()
    found = [Report(file, finding.line, "ignored" if finding.ignored else "refused", finding.what, finding.cure) for finding in lint(data, cluster)]
    found += verdict(cluster, script, file) + unwise(cluster, load_all(), lines, file) + shellcheck(script, file)
    return sorted(found, key=lambda report: report.line)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cluster", help="a folder of snippets/, such as puhti")
    parser.add_argument("file", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    arguments = parser.parse_args()
    clusters = load_all()
    if arguments.cluster not in clusters:
        raise BadInput("snippets", None, f"there is no cluster `{arguments.cluster}`.", f"Known: {', '.join(clusters)}.")
    cluster = clusters[arguments.cluster]
    found = [report for file in arguments.file for report in check(cluster, file)]
    if arguments.json:
        print(json.dumps([asdict(report) for report in found], indent=1))
    else:
        print("\n".join(map(str, found)) or f"{cluster.name}: nothing to object to.")
    kinds = {report.kind for report in found}
    return 1 if kinds & {"refused", "ignored"} else 2 if "unjudged" in kinds else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
