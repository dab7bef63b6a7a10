"""What the scheduler says of a script: refused, ignored, or beyond what is known here."""

from __future__ import annotations

from scripts.check import by_engine
from scripts.check.asked import Asked, asked
from scripts.check.changed import changed
from scripts.check.draft import Draft
from scripts.check.not_judged import not_judged
from scripts.check.refused import refused
from scripts.check.report import Report
from scripts.check.without_scheduler import without_scheduler
from scripts.errors import BadInput
from scripts.facts import Cluster


def verdict(cluster: Cluster, script: bytes, file: str) -> tuple[Asked, list[Report]]:
    """What the scheduler understood, and its findings. `script` is free of what keeps a file from being a script."""
    draft = Draft(script, cluster.scheduler.kind)
    taken, found = not_judged(cluster, draft.options, file)

    def ask(text: bytes) -> Asked:
        return asked(cluster, text if text.startswith(b"#!") or draft.kind != "slurm" else b"#!/bin/sh\n" + text)

    def why(answer: Asked) -> list[Report]:
        return by_engine.why(cluster, script, file, answer) if draft.kind == "slurm" else []

    try:
        answer, refusals = refused(cluster, draft, taken, file, ask, why)
    except BadInput as fault:
        answer, said = without_scheduler(cluster, script, file, fault, taken)
        return answer, [*found, *said]
    return answer, [*found, *refusals, *changed(cluster, draft, answer, file)]
