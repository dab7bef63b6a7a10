"""Findings as workflow commands, which GitHub shows beside the line:
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from scripts.check.report import Report

EXPECTED = "by-engine"  # a runner has no scheduler, and nobody needs to read that on each file


def notes(reports: list[Report]) -> list[str]:
    return [
        f"::{report.level.replace('note', 'notice')} file={_property(report.file)},line={report.line},"
        f"title={_property(f'{report.kind}: {report.rule}')}::{_escaped(report.text)}"
        for report in reports
        if report.rule != EXPECTED
    ]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
