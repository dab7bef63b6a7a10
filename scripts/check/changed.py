"""What the scheduler accepts, and takes otherwise than it was written."""

from __future__ import annotations

import re

from scripts.check.asked import Asked
from scripts.check.directives import last
from scripts.check.draft import Draft
from scripts.check.report import Report
from scripts.check.said import about, clean
from scripts.facts import Cluster

# Options and what the scheduler makes of them, where a reader expects the same to come out as went in.
_SAME = {
    "account": "account",
    "partition": "partition",
    "qos": "qos",
    "job-name": "name",
    "ntasks": "tasks",
    "cpus-per-task": "cpus_per_task",
    "nodes": "nodes",
    "ntasks-per-node": "tasks_per_node",
}


def changed(cluster: Cluster, draft: Draft, answer: Asked, file: str) -> list[Report]:
    """A finding for each warning of a job that is accepted, and for each value that it has otherwise than written."""
    found, warned = [], set()
    for line in answer.said.splitlines() if answer.accepted else ():
        if "arning" in line or "error" in line:
            suspects = about(line, draft.options)
            warned |= set(suspects)
            at, written = (suspects[0].line, suspects[0].written) if suspects else (1, None)
            words = f"{cluster.name}'s twin accepts it, but says: {clean(line)}."
            found.append(Report(file, at, "ignored", words, "Say what you mean.", "warning", written))
    for job, options in zip(answer.jobs, draft.components, strict=False):
        for option in last(options).values():
            understood = getattr(job, _SAME.get(option.name, ""), None)
            if understood is None or option in warned or draft.kind != "slurm":
                continue
            meant = option.value
            if meant and not option.written.startswith("--"):
                meant = meant.removeprefix("=")  # `-A=name`: what was meant, not what getopt makes of it
            if not _as_written(meant, understood):
                words = f"{option.written} is taken as {option.name} `{understood}`."
                cure = f"Write --{option.name}={meant}."
                found.append(Report(file, option.line, "ignored", words, cure, "taken-otherwise", option.written))
    return found


def _as_written(text: str | None, understood: object) -> bool:
    """Is this what was written? `2-4` nodes are at least 2; other forms of a number are not compared."""
    if not isinstance(understood, int):
        return text == understood
    digits = re.fullmatch(r"(\d+)(-\d+)?", text or "")
    return not digits or int(digits[1]) == understood
