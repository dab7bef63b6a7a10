"""What the engine of the guide's page finds in a script, as the check's own findings."""

from __future__ import annotations

from dataclasses import replace

from scripts.check.asked import Asked
from scripts.check.report import Report
from scripts.check.said import reasons
from scripts.errors import BadInput
from scripts.facts import Cluster

FIELDS = ("line", "kind", "what", "cure", "rule", "option", "limit", "source")


def decided(cluster: Cluster, script: bytes, file: str) -> dict:
    """The scheduler's part of the engine's verdict. Raises BadInput where there is no engine."""
    from scripts.jobscript.node import ask  # it reads the whole guide, which is seldom needed here

    return ask("scheduler", [cluster], cluster.key, script.decode("utf-8", "surrogateescape"), file)


def report(file: str, found: dict) -> Report:
    return Report(file, **{name: found.get(name) for name in FIELDS})


def why(cluster: Cluster, script: bytes, file: str, answer: Asked) -> list[Report]:
    """Why the scheduler refuses a script, as the page tells it; nothing where the page does not refuse it.

    The page and the check say the same then, whichever of them a reader asks. The scheduler's words are its own.
    """
    try:
        verdict = decided(cluster, script, file)
    except BadInput:
        return []
    found = [report(file, each) for each in verdict["findings"] if each["kind"] in ("refused", "doubtful")]
    return [_in_words_of(answer, each) for each in found] if verdict["verdict"] == "refused" else []


def _in_words_of(answer: Asked, found: Report) -> Report:
    """Where the engine knows the scheduler's last words alone, all of them."""
    subject, _, words = found.what.partition(" says: ")
    said = " / ".join(reasons(answer.said))
    if found.rule != "scheduler" or words.rstrip(".") not in said:
        return found
    return replace(found, what=f"{subject}'s twin says: {said}.")
