"""By day or by night: `make test` leaves out what carries the mark `nightly`; `make test-all` runs everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest

LEFT: pytest.StashKey[Counter] = pytest.StashKey()  # room -> tests left to the night


def by_day(cases: Iterable, chosen: Collection) -> list:
    """The cases as parameters of a test: those in `chosen` run by day, the others by night."""
    return [case if case in chosen else pytest.param(case, marks=pytest.mark.nightly) for case in cases]


def pytest_configure(config) -> None:
    config.stash[LEFT] = Counter()


def pytest_deselected(items) -> None:
    for item in items:
        if item.get_closest_marker("nightly") and not item.get_closest_marker("gpu"):
            parts = Path(item.nodeid.split("::")[0]).parts
            item.config.stash[LEFT][parts[1] if parts[0] == "tests" else parts[0]] += 1


def pytest_sessionfinish(session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["nightly"] = dict(session.config.stash[LEFT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Under xdist each worker has collected the same tests, so one worker's numbers are the run's."""
    node.config.stash[LEFT] |= Counter(getattr(node, "workeroutput", {}).get("nightly", {}))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config) -> None:
    if left := config.stash[LEFT]:
        rooms = ", ".join(f"{room} {number}" for room, number in left.most_common())
        terminalreporter.write_line(f"Left to `make test-all`: {left.total()} nightly tests ({rooms}).")
