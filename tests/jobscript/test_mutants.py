"""Whatever is broken in the engine, or in a number of the facts, some recorded case notices."""

import random

import pytest

from tests.jobscript.mutants import break_it, recorded, share

# So much of what is broken is noticed today, and no less may be; python -m tests.jobscript.record --look says what is
# not. Much of that changes no verdict: which of two equal nodes is taken first, a disk that nobody publishes.
NOTICED = {"places": 0.55, "facts": 0.4}
SAMPLE = 60


@pytest.fixture(scope="module")
def record():
    return recorded()


def test_the_engine_says_what_the_twins_said(record):
    found = break_it(record["systems"], record["cases"], [], [])
    assert len(found["truth"]) == len(record["cases"]) > 200
    wrong = [
        case
        for case, verdict in zip(record["cases"], found["truth"], strict=True)
        if verdict != ("accepted" if case[2] else "refused")
    ]
    assert not wrong, "python -m tests.jobscript.record"


@pytest.mark.parametrize("what", NOTICED)
def test_what_is_broken_is_noticed(record, what):
    numbers = random.Random(what).sample(range(10**6), SAMPLE)
    found = break_it(record["systems"], record["cases"], **{"places": [], "facts": [], what: numbers})[what]
    unnoticed = [each.what for each in found if each.case is None]
    assert share(found) >= NOTICED[what], unnoticed
