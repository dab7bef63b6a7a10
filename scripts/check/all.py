"""Everything that is to be said of one script."""

from __future__ import annotations

from scripts.check import advice
from scripts.check.file_faults import file_faults
from scripts.check.report import Report
from scripts.check.shell import shellcheck
from scripts.check.silent import lint
from scripts.check.verdict import verdict
from scripts.facts import Cluster


def check(cluster: Cluster, data: bytes, file: str) -> list[Report]:
    """All findings about one script on one cluster, by line. `file` is what they call it."""
    script, found = file_faults(data, file, cluster.scheduler.kind)
    if not script:
        return found
    lines = script.decode("utf-8", "replace").split("\n")
    understood, said = verdict(cluster, script, file)
    found += said
    found += [
        Report(file, finding.line, "ignored" if finding.ignored else "unwise", finding.what, finding.cure, "silent")
        for finding in lint(script, cluster)
        if finding.ignored or "placeholder" in finding.what
    ]
    found += advice.all(cluster, understood, lines, file)
    found += shellcheck(script, file)
    once = {(report.line, report.kind, report.what): report for report in found}
    return sorted(once.values(), key=lambda report: report.line)
