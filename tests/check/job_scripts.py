"""What a job script must be before any scheduler sees it: whole, with live directives, true to the facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.engine.ask import ask
from scripts.engine.directives import Option, last, read
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
    if not cluster:
        return found
    lines = data.decode("utf-8", "replace").splitlines()
    if not is_job(script):
        commands = "\n".join(lines).replace("\\\n", " ").splitlines()
        return found + ([] if len(commands) == 1 else [(1, "an interactive session is one command; make it one.")])
    (told,) = ask("rules", [cluster], [[cluster.key, data.decode("utf-8", "surrogateescape")]])
    found += [(each["line"], f"{each['what']} {each['cure']}") for each in told]
    found += _house_form(lines, cluster)
    if cluster.scheduler.kind == "slurm":
        found += _against_facts(last(read(lines, "slurm")), cluster)
    return found + list(_names(lines, cluster))


def _text(data: bytes) -> Iterator[Fault]:
    """The guide's own files are plain ASCII and hold what is to be submitted, as it stands."""
    if b"\r" in data:
        yield data[: data.index(b"\r")].count(b"\n") + 1, "Windows line ends; convert with: dos2unix FILE"
    if not data.endswith(b"\n"):
        yield data.count(b"\n") + 1, "the last line has no end; add a newline."
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isascii():
            yield number, "a character outside ASCII; type it anew (often a typographic quote or dash)."
        if re.search(rb"<[a-z][a-z_ -]*>", line):
            yield number, "a placeholder; write the facts' sample instead."


def _house_form(lines: list[str], cluster: Cluster) -> Iterator[Fault]:
    """Bash, and the directives in one block below the first line."""
    prefix = cluster.scheduler.words.prefix
    if not lines[0].startswith("#!/bin/bash"):
        yield 1, "the first line must be #!/bin/bash."
    body = next((n for n, line in enumerate(lines[1:], 2) if not line.startswith(prefix + " ")), len(lines))
    for number, line in enumerate(lines[body - 1 :], body):
        if line.lstrip().startswith(prefix):
            yield number, f"a directive below the block; move it up, beside the other {prefix} lines."


def _against_facts(found: dict[str, Option], cluster: Cluster) -> Iterator[Fault]:
    policy = cluster.policy
    for option in ("account", "time", "partition"):
        requirement = getattr(policy, option)
        if requirement.rule is Rule.REQUIRED and option not in found:
            yield 1, f"{cluster.name} requires --{option}; add it."
        if requirement.rule is Rule.LEAVE_OUT and option in found:
            yield found[option].line, f"on {cluster.name} no --{option} is given; take it out."
    account = found.get("account")
    if account and account.value != policy.sample_account:
        yield account.line, f"the account is not the facts' sample, {policy.sample_account}."
    partition = found.get("partition")
    if partition and partition.value not in cluster.partitions:
        yield partition.line, f"the facts know no partition {partition.value}."


def _names(lines: list[str], cluster: Cluster) -> Iterator[Fault]:
    """Modules that the facts list, programs that the guide has."""
    for number, line in enumerate(lines, 1):
        for module in " ".join(re.findall(r"^\s*module load (.+)$", line)).split():
            if module not in cluster.software.modules:
                yield number, f"the facts list no module {module}."
        for name in re.findall(r"\b([a-z_0-9]+\.py)\b", line):
            if not (PROGRAMS / name).exists():
                yield number, f"{name} is no program of this guide."
