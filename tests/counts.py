"""What a run has proved, at its end: tests say it by `record_property`, as a number, as [found, all], or in words."""

from __future__ import annotations

import pytest

WORDS = {
    "facts": "facts, each in a table",
    "doubts": "doubts, each marked where its value stands",
    "pairs": "pairs of jobs, one at a limit and one past it",
    "fields": "fields of the facts' model at work in a pair",
    "fields of no pair": "stand in no pair; tests/twin/fields.py says why",
    "cases": "cases of the operators' own pages, on which the twins agree",
    "lines copied": "lines of code copied from the PDF as they stand",
    "planted faults": "planted faults found by the check",
    "sound scripts": "sound job scripts of others, none accused by the check",
}


def total(values: list) -> str:
    """The sum of numbers, or of [found, all] each for itself; or words as they are."""
    if isinstance(values[0], str):
        return ", ".join(values)
    if isinstance(values[0], int):
        return f"{sum(values):,}"
    return " of ".join(f"{sum(column):,}" for column in zip(*values, strict=True))


def lines(passed: list) -> list[str]:
    """A line for each thing counted, in the order of WORDS. `passed` are pytest's reports."""
    found: dict[str, list] = {}
    for report in passed:
        for name, value in getattr(report, "user_properties", ()):
            if report.when == "call":
                found.setdefault(name, []).append(value)
    return [f"{total(found[name])} {words}" for name, words in WORDS.items() if name in found]


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter):
    yield
    if counted := lines(terminalreporter.stats.get("passed", [])):
        terminalreporter.section("counted")
        for line in counted:
            terminalreporter.write_line(line)
