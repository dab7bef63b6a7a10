"""Files in the wrong place: folders that jobs may only read, that one node alone sees, or that are memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case, payload, program
from scripts.check.report import Report
from scripts.facts.model import Place

TEMPORARY = re.compile(r"/(tmp|dev/shm|var/tmp)/")
LITERAL = {"$HOME": ("/home/",), "$PROJECT": ("/project/",), "$SCRATCH": ("/scratch/",)}


def advise(case: Case) -> Iterator[Report]:
    for name in ("output", "error", "o", "e"):
        at = case.option(name)
        path = (at.value or "").lstrip(":") if at else ""
        for place in case.cluster.storage:
            if not at or not _below(path, place):
                continue
            if place.read_only_in_jobs:
                what = f"{at.written}: jobs can only read {place.path} on {case.cluster.name}."
                yield case.report("output-read-only", what, "Write to scratch.", at, f"storage.{place.path}")
            elif place.one_node:
                what = f"{at.written}: only the job's own node sees {place.path}."
                yield case.report(
                    "output-one-node", what, "Write to storage that you see, too.", at, f"storage.{place.path}"
                )
                break
        else:
            if at and TEMPORARY.match(path):
                what = f"{at.written}: only the job's own node sees that folder."
                yield case.report("output-one-node", what, "Write to storage that you see, too.", at)
    yield from _environment_in_memory(case)


def _environment_in_memory(case: Case) -> Iterator[Report]:
    for command in case.certain:
        words = payload(command)
        makes = program(command) == "virtualenv" or words[1:3] in (("-m", "venv"), ("-m", "virtualenv"))
        for place in case.cluster.storage:
            if (
                makes
                and place.in_memory
                and any(re.sub(r"[{}]", "", word).startswith(f"{place.path}/") for word in words)
            ):
                what = f"on {case.cluster.name} {place.path} is memory, and the environment takes it from the job."
                cure = "Make the environment once, on a login node."
                yield case.report("environment-in-memory", what, cure, command, f"storage.{place.path}")


def _below(path: str, place: Place) -> bool:
    """Is this path, which no shell expands, in that place?"""
    begin = place.path.partition("$USER")[0].partition("<")[0]
    return path.startswith(LITERAL.get(place.path, (begin if begin.endswith("/") else f"{begin}/",)))
