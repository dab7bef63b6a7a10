"""The numbers at the end of a run are sums of what its tests said."""

from types import SimpleNamespace

from tests import counts


def report(*properties, when="call"):
    return SimpleNamespace(when=when, user_properties=list(properties))


def test_numbers_are_summed_and_shares_each_for_itself():
    passed = [
        report(("facts", 3), ("pairs", [9, 10])),
        report(("facts", 1_000), ("fields of no pair", "Gpu.note")),
        report(("pairs", [1, 1]), ("seconds", 5)),
        report(("facts", 50), when="teardown"),
    ]
    assert counts.lines(passed) == [
        "1,003 facts, each in a table",
        "10 of 11 pairs of jobs, one at a limit and one past it",
        "Gpu.note stand in no pair; tests/twin/fields.py says why",
    ]
