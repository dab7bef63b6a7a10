"""The page's script judges a reader's record as Python does, and says of what is no record that it is none."""

import copy
import json
import random
import subprocess
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.measure import catalogue
from scripts.measure import records as results
from scripts.paths import DOCS, ROOT
from tests.measure.test_records import CATALOGUE, DEVICES, KEY, PLANTED, SOUND, load, retimed

NODE = ROOT / ".venv" / "bin" / "node"
JUDGE = DOCS / "assets" / "judge-record.js"
# What the page does not look at, since it shows nothing of it.
ONLY_IN_PYTHON = {
    "a far day",
    "a field that is missing",
    "a slower form of the device",
    "an unknown field",
    "an unknown field of a case",
    "an unknown field of a time",
    "an unknown field of the work",
    "more operations",
    "no commit",
    "no day",
    "other arguments",
    "the driver's name of another device",
    "tomorrow",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """page(records): what the page's script says of each."""
    data = tmp_path_factory.mktemp("data") / "own-record.js"
    data.write_text(catalogue.as_js(DEVICES), encoding="utf-8")

    def ask(records: list) -> list[dict]:
        command = [NODE, Path(__file__).with_name("record.mjs"), data, JUDGE]
        done = subprocess.run(command, input=json.dumps(records), capture_output=True, encoding="utf-8", timeout=60)
        assert done.returncode == 0, done.stderr[-300:]
        return json.loads(done.stdout)

    return ask


def python_refuses(record: dict, folder) -> bool:
    try:
        load(record, folder)
    except BadInput:
        return True
    return False


def test_a_sound_record_holds_in_the_page_too(page):
    (found,) = page([SOUND])
    assert found["refused"] == [] and len(found["good"]) == len(CATALOGUE)
    for case, shown in zip(SOUND["cases"], found["good"], strict=True):
        assert shown["median"] == pytest.approx(case["timing"]["median_s"], rel=1e-12)
        assert case["on"] == "host" or shown["least"] == pytest.approx(case["limit_s"], rel=1e-12)


def test_every_planted_fault_that_the_page_looks_for_is_refused_there(page, tmp_path):
    made = {}
    for kind, (change, _) in PLANTED.items():
        record = copy.deepcopy(SOUND)
        change(record)
        made[kind] = json.loads(json.dumps(record), parse_constant=lambda _: None)
    found = page(list(made.values()))
    taken = {kind for kind, one in zip(made, found, strict=True) if not one.get("fault") and not one["refused"]}
    assert taken == ONLY_IN_PYTHON


def test_times_around_every_limit_are_judged_alike(page, tmp_path):
    """The same decision, above and below, on 4 to 400 cores."""
    chance, records, wanted = random.Random(20261122), [], []
    for _ in range(60):
        record = copy.deepcopy(SOUND)
        record["where"]["cores"] = chance.choice([1, 4, 64, 400])
        for case in record["cases"]:
            factor = chance.choice([0.003, 0.3, 0.34, 1, 1, 1.5, 30])
            retimed(case, case["timing"]["median_s"] * factor)
            if case["limit_s"]:
                case["fraction"] = case["limit_s"] / case["timing"]["median_s"]
        records.append(record)
    known = {case.key: case for case in CATALOGUE}
    for record in records:
        cores = record["where"]["cores"]
        for case in record["cases"]:
            case["fraction"] = min(case["fraction"], 1.0) if case["fraction"] else case["fraction"]
        cases = [results.Measured(**case) for case in record["cases"]]
        wanted.append([bool(results.fault(case, known, DEVICES[KEY], cores)) for case in cases])
    refused = 0
    for record, found, faults in zip(records, page(records), wanted, strict=True):
        held = {(case["size"], case["on"]) for case in found["good"]}
        assert [(case["size"], case["on"]) not in held for case in record["cases"]] == faults
        refused += sum(faults)
    assert 300 < refused < 60 * len(CATALOGUE) - 300


@pytest.mark.parametrize(
    "record, said",
    [
        (None, "This is no record"),
        ([], "This is no record"),
        ({"cases": []}, "no limits for the device undefined"),
        ({"cases": [], "device": "__proto__"}, "no limits for the device __proto__"),
        ({"cases": [], "device": "x" * 10_000}, "no limits for the device x"),
        ({"cases": [], "device": KEY}, "how many cores"),
        ({"cases": [], "device": KEY, "where": {"cores": 1e300}}, "how many cores"),
        ({"cases": [{}] * 1001, "device": KEY, "where": {"cores": 4}}, "or more than 1000"),
    ],
)
def test_what_is_no_record_is_told_in_a_sentence(page, record, said):
    (found,) = page([record])
    assert said in found["fault"] and len(found["fault"]) < 200


def test_nonsense_in_a_case_is_refused_and_never_shown(page):
    nonsense = [None, 3, "x", [], {"program": {"a": 1}}, {"timing": 3}, {"timing": {"samples_s": ["1"] * 9}}]
    record = {**SOUND, "cases": nonsense}
    (found,) = page([record])
    assert found["good"] == [] and len(found["refused"]) == len(nonsense)
    broken = copy.deepcopy(SOUND)
    for number, case in enumerate(broken["cases"]):
        wrong = [None, "1", [], [-1.0] * 9, [0] * 9, ["1"] * 9, [None] * 9, {"length": 9}][number % 8]
        case["timing"]["samples_s"] = wrong
    (found,) = page([broken])
    assert found["good"] == []
