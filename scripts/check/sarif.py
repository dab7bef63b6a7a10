"""Findings as SARIF 2.1.0, which editors and forges read."""

from pathlib import PurePath
from urllib.parse import quote

from scripts.check.report import Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(reports: list[Report]) -> dict:
    """One run with a result for each finding. Where a file is named from the working folder, so is its URI."""
    rules = sorted({report.rule for report in reports})
    results = [
        {
            "ruleId": report.rule,
            "ruleIndex": rules.index(report.rule),
            "level": report.level,
            "message": {"text": f"{report.kind}: {report.text}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(PurePath(report.file).as_posix(), errors="surrogateescape")},
                        "region": {"startLine": report.line},
                    }
                }
            ],
            "properties": {name: getattr(report, name) for name in ("kind", "option", "limit", "source")},
        }
        for report in reports
    ]
    driver = {"name": "guide check", "rules": [{"id": rule} for rule in rules]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
