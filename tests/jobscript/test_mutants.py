"""Whatever is broken in the engine, or in a number of the facts, some recorded case notices."""

import random

import pytest

from tests.jobscript.mutants import break_it, equal, recorded, share, unnoticed, wrongly_hidden

NOTICED = {"places": 0.95, "facts": 0.99}  # of a sample; of all, record --look wants 0.99
SAMPLE = {"places": 60, "facts": 300}
EQUAL = 10


@pytest.fixture(scope="module")
def record():
    return recorded()


def numbers(what, many):
    return random.Random(what).sample(range(10**6), many)


def test_the_engine_says_what_the_twins_said(record):
    found = break_it(record["systems"], record["cases"], [], [])
    assert len(found["truth"]) == len(record["cases"]) > 1000
    verdicts = {True: "accepted", False: "refused", None: "not judged"}
    wrong = [
        case for case, verdict in zip(record["cases"], found["truth"], strict=True) if verdict != verdicts[case[2]]
    ]
    assert not wrong, "python -m tests.jobscript.record"


@pytest.mark.parametrize("what", NOTICED)
def test_what_is_broken_is_noticed(record, what):
    only = {"places": [], "facts": [], what: numbers(what, SAMPLE[what])}
    found = break_it(record["systems"], record["cases"], **only)[what]
    assert share(found) >= NOTICED[what], list(map(str, unnoticed(found)))
    assert not wrongly_hidden(found)


def test_what_is_said_to_change_nothing_is_there_and_changes_nothing(record):
    """All of equal.yml must be places of the engine; some of them are broken here, all of them by make agree."""
    keys = random.Random("equal").sample(sorted(equal()), min(EQUAL, len(equal())))
    found = break_it(record["systems"], record["cases"], keys, [])
    assert not equal().keys() - set(found["keys"])
    assert {each.key for each in found["places"]} == set(keys)
    assert not [str(each) for each in found["places"] if each.case is not None]
