"""What a job script of the guide must be before any scheduler sees it. What `guide check` finds is in test_check.py."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.engine.directives import read
from scripts.facts import Cluster, load_cluster
from scripts.paths import PROGRAMS

Fault = tuple[int, str]  # line from 1, what and cure


@cache
def cluster_of(script: Path) -> Cluster | None:
    facts = script.parent / "cluster.yml"
    return load_cluster(facts) if facts.exists() else None


def is_job(script: Path) -> bool:
    return script.name != "interactive.sh" and cluster_of(script) is not None


def faults(script: Path) -> list[Fault]:
    """Faults of a shell file, by line: those of any text, then those of a job script of this cluster."""
    data = script.read_bytes()
    found = list(_text(data))
    cluster = cluster_of(script)
    if not cluster:
        return found
    lines = data.decode("utf-8", "replace").splitlines()
    if is_job(script):
        return [*found, *_of_a_job(lines, cluster)]
    commands = "\n".join(lines).replace("\\\n", " ").splitlines()
    return found + ([] if len(commands) == 1 else [(1, "an interactive session is one command; make it one.")])


def _text(data: bytes) -> Iterator[Fault]:
    """The guide's own files are plain ASCII and hold what is to be submitted, as it stands."""
    if not data.endswith(b"\n"):
        yield data.count(b"\n") + 1, "the last line has no end; add a newline."
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isascii():
            yield number, "a character outside ASCII; type it anew (often a typographic quote or dash)."
        if re.search(rb"<[a-z][a-z_ -]*>", line):
            yield number, "a placeholder; write the facts' sample instead."


def _of_a_job(lines: list[str], cluster: Cluster) -> Iterator[Fault]:
    """It is bash, with the facts' account and modules, and with programs that the guide has."""
    if not lines[0].startswith("#!/bin/bash"):
        yield 1, "the first line must be #!/bin/bash."
    for option in read(lines, cluster.scheduler.kind):
        if option.name == "account" and option.value != cluster.policy.sample_account:
            yield option.line, f"the account is not the facts' sample, {cluster.policy.sample_account}."
    for number, line in enumerate(lines, 1):
        for module in " ".join(re.findall(r"^\s*module load (.+)$", line)).split():
            if module not in cluster.software.loadable:
                yield number, f"the facts list no module {module}."
        for name in re.findall(r"\b([a-z_0-9]+\.py)\b", line):
            if not (PROGRAMS / name).exists():
                yield number, f"{name} is no program of this guide."
