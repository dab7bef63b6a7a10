"""Everything that is to be said of one script."""

from __future__ import annotations

from pathlib import Path

from scripts.check.report import Report
from scripts.check.silent import lint
from scripts.check.unwise import unwise
from scripts.check.verdict import shellcheck, verdict
from scripts.errors import BadInput
from scripts.facts import Cluster


def check(cluster: Cluster, script: Path) -> list[Report]:
    """All findings about one script on one cluster, by line. Raises BadInput if it cannot be read."""
    file = str(script)
    try:
        data = script.read_bytes()
    except OSError as fault:
        raise BadInput(file, None, f"cannot be read: {fault.strerror}.", "Check the path.") from None
    if not data.strip():
        return [Report(file, 1, "refused", "the file is empty.", "Start from one of the guide's scripts.", "empty")]
    lines = data.decode("utf-8", "replace").splitlines()
    found = [
        Report(file, finding.line, "ignored" if finding.ignored else "refused", finding.what, finding.cure, "silent")
        for finding in lint(data, cluster)
    ]
    found += verdict(cluster, script.resolve(), file)
    found += unwise(cluster, lines, file)
    found += shellcheck(script.resolve(), file)
    return sorted(found, key=lambda report: report.line)
