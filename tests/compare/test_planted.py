"""A change planted in a capture is found and named, and nothing besides."""

import re

import pytest

from scripts.compare.rows import AGREES
from tests.compare.asked import asked, rows_of
from tests.compare.plant import changes, sample
from tests.tiers import by_day

KEYS = ("kestrel", "lumi", "mahti", "puhti", "rivanna", "roihu")


@pytest.fixture(scope="module")
def captures() -> dict[str, str]:
    """As a cluster itself would have answered."""
    return {key: asked(key).replace("# twin: yes\n", "") for key in KEYS}


@pytest.mark.parametrize("number", by_day([60, 200], {60}))
def test_each_is_found_and_named_and_none_besides(number, captures, tmp_path):
    before = {key: {str(row) for row in rows_of(key, text, tmp_path)} for key, text in captures.items()}
    planted, wrong = sample(captures, number), []
    assert len(planted) == len({change.text for change in planted}) == number
    for change in planted:
        key = change.what.partition(":")[0]
        assert change.text != captures[key], f"{change.what} plants nothing"
        new = [row for row in rows_of(key, change.text, tmp_path) if str(row) not in before[key]]
        told = sorted(row.key for row in new if row.verdict != AGREES)
        unmet = [pattern for pattern in change.told if not any(re.fullmatch(pattern, name) for name in told)]
        if unmet or len(told) != len(change.told):
            wrong.append((change.what, change.told, [str(row) for row in new if row.verdict != AGREES]))
    assert wrong == []


def test_there_are_many_kinds_of_them(captures):
    kinds = {change.what.split(" of ")[0] for key, text in captures.items() for change in changes(key, text)}
    assert len({kind.split(": ", 1)[1] for kind in kinds}) >= 20
