"""Faults planted into the guide's own job scripts are found, on their line; without them nothing is said."""

from collections import Counter

import pytest

from scripts.check.rules import rules
from tests.check import faults_grid_engine, faults_slurm
from tests.check.planted import Plant, job_scripts, plants

# Of each kind of scheduler: the faults, in how many scripts each is planted at most, and in how many spellings.
PLANTED = {"slurm": (faults_slurm.FAULTS, 20, 1), "grid_engine": (faults_grid_engine.FAULTS, 2, 6)}
SHARE = 0.99


def found(plant: Plant, kind: str) -> bool:
    reports = rules(plant.data, kind, plant.script.name)
    return any(report.kind != "not judged" and report.line in plant.lines for report in reports)


def count() -> tuple[int, list[Plant]]:
    """How many faults are planted, and those that are missed."""
    planted = [(plant, kind) for kind, given in PLANTED.items() for plant in plants(kind, *given)]
    return len(planted), [plant for plant, kind in planted if not found(plant, kind)]


def test_planted_faults_are_found():
    planted, missed = count()
    assert planted >= 1500
    assert planted - len(missed) >= SHARE * planted, Counter(plant.fault for plant in missed)


def test_every_class_of_faults_is_planted():
    for kind, given in PLANTED.items():
        assert {plant.fault for plant in plants(kind, *given)} == set(given[0])


@pytest.mark.parametrize("kind", PLANTED)
def test_nothing_is_said_of_the_sound_scripts(kind):
    said = [report for script in job_scripts(kind) for report in rules(script.read_bytes(), kind, str(script))]
    assert [str(report) for report in said] == []
