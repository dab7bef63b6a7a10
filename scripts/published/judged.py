"""What a cluster's twin says of a script that was drawn out of another's text."""

from __future__ import annotations

from scripts.check.findings import check
from scripts.check.report import Report
from scripts.facts import Cluster
from scripts.published.record import Used, Verdict


def judged(cluster: Cluster, script: Used) -> tuple[Verdict, list[Report]]:
    """The verdict, and the findings that it rests on."""
    text = script.drawn.script(cluster.scheduler.kind).encode()
    # Many a published account is a sample; whose it is, decides nothing here.
    found = [each for each in check(cluster, text, script.path) if not each.rule.startswith("account-")]
    for kind in ("refused", "not judged"):
        if of_it := [report for report in found if report.kind == kind]:
            return kind, of_it
    return "accepted", []
