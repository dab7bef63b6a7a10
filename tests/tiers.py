"""By day or by night: `make test` leaves out what carries the mark `nightly`; `make test-all` runs everything."""

from collections.abc import Collection, Iterable

import pytest


def by_day(cases: Iterable, chosen: Collection) -> list:
    """The cases as parameters of a test: those in `chosen` run by day, the others by night."""
    return [case if case in chosen else _by_night(case) for case in cases]


def _by_night(case: object):
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
