"""What a job script must be before any scheduler sees it: whole, with live directives, true to the facts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from scripts.facts import Cluster, Rule, load_cluster
from scripts.paths import PROGRAMS

Fault = tuple[int, str]  # line from 1, what and cure


@cache
def cluster_of(script: Path) -> Cluster | None:
    facts = script.parent / "cluster.yml"
    return load_cluster(facts) if facts.exists() else None


def is_job(script: Path) -> bool:
    return script.name not in ("interactive.sh",) and cluster_of(script) is not None


def faults(script: Path) -> list[Fault]:
    """Faults of a shell file, by line: those of any text, then those of a job script of this cluster."""
    data = script.read_bytes()
    found = list(_text(data))
    cluster = cluster_of(script)
    if cluster and is_job(script):
        found += _directives(data.decode("utf-8", "replace").splitlines(), cluster)
    elif cluster and len(data.decode("utf-8", "replace").strip().splitlines()) != 1:
        found.append((1, "an interactive one-liner is one line; make it one."))
    return found


def _text(data: bytes):
    if b"\r" in data:
        yield data[: data.index(b"\r")].count(b"\n") + 1, "Windows line ends; convert with: dos2unix FILE"
    if not data.endswith(b"\n"):
        yield data.count(b"\n") + 1, "the last line has no end; add a newline."
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isascii():
            yield number, "a character outside ASCII; type it anew (often a typographic quote or dash)."
        if re.search(rb"<[a-z][a-z_ -]*>", line):
            yield number, "a placeholder; write the facts' sample instead."


def _directives(lines: list[str], cluster: Cluster):
    prefix = {"slurm": "#SBATCH", "grid_engine": "#$"}[cluster.scheduler.kind]
    if not lines[0].startswith("#!/bin/bash"):
        yield 1, "the first line must be #!/bin/bash."
    body = next((n for n, line in enumerate(lines[1:], 2) if not line.startswith(prefix + " ")), len(lines))
    for number, line in enumerate(lines[body - 1:], body):
        if re.match(r"\s*#\s*(SBATCH|\$)\s", line):
            yield number, f"a directive below the first line that is none; move it up, beside the other {prefix} lines."
    options = "\n".join(line[len(prefix):].strip() for line in lines[1: body - 1])
    if cluster.scheduler.kind == "slurm":
        policy = cluster.policy
        for option, requirement in (("account", policy.account), ("time", policy.time), ("partition", policy.partition)):
            there = re.search(rf"^--{option}=(\S+)", options, re.MULTILINE)
            if requirement.rule is Rule.REQUIRED and not there:
                yield 1, f"{cluster.name} requires --{option}; add it."
            if requirement.rule is Rule.LEAVE_OUT and there:
                yield 1, f"on {cluster.name} no --{option} is given; take it out."
        if (account := re.search(r"^--account=(\S+)", options, re.MULTILINE)) and account[1] != policy.sample_account:
            yield 1, f"the account is not the facts' sample, {policy.sample_account}."
        if (partition := re.search(r"^--partition=(\S+)", options, re.MULTILINE)) and partition[1] not in cluster.partitions:
            yield 1, f"the facts know no partition {partition[1]}."
    for number, line in enumerate(lines, 1):
        for name in re.findall(r"^\s*module load (.+)$", line):
            for module in name.split():
                if module not in cluster.software.modules:
                    yield number, f"the facts list no module {module}."
        for name in re.findall(r"\b([a-z_0-9]+\.py)\b", line):
            if not (PROGRAMS / name).exists():
                yield number, f"{name} is no program of this guide."
