"""Records are judged by the work that each case should have done: every fault that is planted into a sound one is told.

The sound record has made-up times, so it is of no machine, and stays here.
"""

import copy
import datetime
import json
import re
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.measure import __main__ as tool
from scripts.measure import records as results
from scripts.measure.cases import Case, cases
from scripts.measure.catalogue import RULES
from scripts.measure.limits import load_limits
from scripts.paths import MEASURED

KEY = "h200-sxm5-141gb"
DEVICES = load_limits()
H200 = DEVICES[KEY]
CATALOGUE = list(cases(H200))


def timed(seconds: float) -> dict:
    """What the timer of a program writes: samples around this time."""
    return {"samples_s": [seconds * (1 + 0.001 * step) for step in range(-4, 5)]}


def recorded(case: Case, seconds: float) -> dict:
    """The case as the tool records it. Fails if it is refused."""
    found = {"error": 0.0, "timings": [{"label": case.label, **timed(seconds)}]}
    measured = tool.measured(case, found, H200)
    assert not isinstance(measured, str), measured
    return measured.model_dump(mode="json")


def retimed(found: dict, seconds: float) -> None:
    """Give a recorded case another time, with all that follows from it: only the time itself can be wrong."""
    found |= timed(seconds)
    found["fraction"] = min(least(found) / seconds, 1)


def least(found: dict) -> float:
    """The limit of a recorded case."""
    (case,) = [each for each in CATALOGUE if each.key == tuple(found[name] for name in ("program", "label", "size"))]
    return H200.shortest(case.work)[0]


@pytest.fixture
def sound() -> dict:
    return copy.deepcopy(SOUND)


SOUND = {
    "device": KEY,
    "driver_name": "NVIDIA H200",
    "driver": "580.1",
    "clocks_mhz": {"sm": 1980},
    "versions": {"torch": "2.13.0"},
    "commit": "0" * 40,
    "date": "2026-11-21",
    "where": {"cluster": "made up", "job": None, "host_cpu": "a CPU"},
    "cases": [recorded(case, max(3 * H200.shortest(case.work)[0], 8e-6)) for case in CATALOGUE],
}


def load(record: dict, folder: Path) -> dict[str, results.Record]:
    (folder / f"{KEY}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    return results.load_records(folder, DEVICES)


def test_the_sound_record_is_accepted(sound, tmp_path):
    assert len(load(sound, tmp_path)[KEY].cases) == len(CATALOGUE) >= 20


def test_the_committed_records_are_accepted():
    assert results.load_records().keys() == {path.stem for path in MEASURED.glob("*.json")}


def first(record: dict) -> dict:
    return record["cases"][0]


def in_case(**changes):
    return lambda record: first(record).update(changes)


TOMORROW = (datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)).isoformat()
PLANTED = {
    "an invented size": (in_case(size="9 x 9, float64"), "this case is not measured"),
    "an invented program": (in_case(program="magic.py"), "this case is not measured"),
    "an invented timer": (in_case(label="faster"), "this case is not measured"),
    "a case twice": (lambda record: record["cases"].append(record["cases"][3]), "is in the record twice"),
    "too few samples": (in_case(samples_s=[0.01] * 8), "only 8 samples"),
    "no samples": (in_case(samples_s=[]), "samples_s"),
    "another fraction": (in_case(fraction=0.5), "fraction does not match"),
    "a fraction over one": (in_case(fraction=1.5), "fraction"),
    "no fraction": (in_case(fraction=None), "fraction"),
    "a claim of other work": (in_case(work={"device_bytes": 18e9}), "`cases.0.work` is not a key"),
    "a wrong result": (in_case(error=0.1), "the result is wrong"),
    "a time of zero": (in_case(samples_s=[0.01] * 8 + [0.0]), "samples_s"),
    "a time that is no number": (in_case(samples_s=[0.01] * 8 + [float("nan")]), "samples_s"),
    "an error that is no number": (in_case(error=float("nan")), "error"),
    "a wide spread": (in_case(samples_s=[0.01, 0.02, 0.03] * 3), "the spread is"),
    "tomorrow": (lambda record: record.update(date=TOMORROW), f"{TOMORROW} is in the future"),
    "no day": (lambda record: record.update(date="2026-02-30"), "not a day of the calendar"),
    "a page's own code": (lambda record: record["where"].update(host_cpu="<script>x</script>"), "should match"),
    "a letter that is none": (lambda record: record["versions"].update(torch="\ud800"), "a valid string"),
    "an unknown field": (lambda record: record.update(note="x"), "`note` is not a key"),
    "a field that is missing": (lambda record: record.pop("driver"), "`driver` is missing"),
    "another device": (lambda record: record.update(device="l40s-48gb"), "this is a record of l40s-48gb"),
    "a device without limits": (lambda record: record.update(device="h300"), "no device h300"),
    "the driver's name of another device": (
        lambda record: record.update(driver_name="NVIDIA H100 80GB HBM3"),
        "is not what a driver calls",
    ),
    "a slower form of the device": (lambda record: record.update(driver_name="NVIDIA H200 NVL"), "is not what a driv"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_told_in_one_sentence(sound, tmp_path, kind):
    change, said = PLANTED[kind]
    change(sound)
    assert sound != SOUND
    with pytest.raises(BadInput) as told:
        load(sound, tmp_path)
    assert re.fullmatch(rf"\S*/{KEY}\.json:\d+: .*({said}).*", str(told.value)), told.value


@pytest.mark.parametrize("case", CATALOGUE, ids=lambda case: f"{case.label}, {case.size}")
def test_each_row_is_refused_above_its_limit(sound, tmp_path, case):
    retimed(sound["cases"][CATALOGUE.index(case)], 0.99 * max(H200.shortest(case.work)[0], RULES["call"]))
    with pytest.raises(BadInput, match="faster than possible"):
        load(sound, tmp_path)


def test_a_record_tells_all_its_faults_with_their_lines(sound, tmp_path):
    sound["cases"][0]["fraction"], sound["cases"][5]["size"] = 0.5, "x"
    with pytest.raises(BadInput) as told:
        load(sound, tmp_path)
    text = (tmp_path / f"{KEY}.json").read_text(encoding="utf-8").splitlines()
    lines = [int(line.split(":")[1]) for line in str(told.value).splitlines()]
    assert len(lines) == 2 and [text[line - 1].strip() for line in lines] == ["{", "{"]
