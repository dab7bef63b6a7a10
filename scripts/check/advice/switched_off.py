"""No job runs on a system that is switched off."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report
from scripts.facts import successor_name


def advise(case: Case) -> Iterator[Report]:
    cluster = case.cluster
    if not cluster.running:
        successor = successor_name(cluster)
        cure = f"Use {successor} instead." if successor else ""
        yield case.report(
            "switched-off", f"{cluster.name} is switched off; no job runs there.", cure, fact="status.state"
        )
