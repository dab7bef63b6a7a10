"""Everything that is to be said of one script."""

from __future__ import annotations

from scripts.check import advice
from scripts.check.file_faults import without_file_faults
from scripts.check.report import Report
from scripts.check.rules import rules
from scripts.check.shell import shellcheck
from scripts.check.verdict import verdict
from scripts.facts import Cluster

# Findings that repeat what the scheduler says or did; where a rule says on that line what is wrong, it is enough.
# What is refused is not called unwise as well.
BARE = {"scheduler", "warning", "taken-otherwise"}


def check(cluster: Cluster, data: bytes, file: str) -> list[Report]:
    """All findings about one script on one cluster, by line. `file` is what they call it."""
    if not data.strip():
        return [Report(file, 1, "refused", "the file is empty.", "Start from one of the guide's scripts.", "empty")]
    found = rules(data, cluster.scheduler.kind, file)
    explained = {(report.line, report.kind) for report in found}
    script = without_file_faults(data)
    understood, said = verdict(cluster, script, file)
    refused = {(report.line, report.option) for report in said if report.kind == "refused" and report.option}
    found = [each for each in found if each.kind != "unwise" or (each.line, each.option) not in refused]
    found += [each for each in said if not _bare(each) or (each.line, each.kind) not in explained]
    found += advice.all(cluster, understood, script.decode("utf-8", "replace"), file)
    found += shellcheck(script, file)
    once = {(report.line, report.kind, report.what): report for report in found}
    return sorted(once.values(), key=lambda report: report.line)


def _bare(report: Report) -> bool:
    """Does it say no more than the scheduler's words? As docs/assets/your-script/judge.js has it."""
    return report.rule in BARE or (report.rule == "unknown-option" and not report.cure)
