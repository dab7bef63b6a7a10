"""Faults planted into the guide's own job scripts are found, on their line; without them nothing is said."""

import pytest

from scripts.check.findings import check
from scripts.check.report import Report
from scripts.engine.ask import ask
from scripts.facts import load_all
from tests.check import faults_grid_engine, faults_of_limits, faults_slurm
from tests.check.planted import Plant, job_scripts, plants
from tests.twin import kept as twins

# Of each kind of scheduler: the faults, in how many scripts each is planted at most, and in how many spellings.
PLANTED = {"slurm": (faults_slurm.FAULTS, 20, 1), "grid_engine": (faults_grid_engine.FAULTS, 2, 6)}
SHARE = 0.99


# The same for faults that only a twin can find.
OF_LIMITS = {"slurm": (faults_of_limits.SLURM, 6, 1), "grid_engine": (faults_of_limits.GRID_ENGINE, 2, 2)}


def named(plant: Plant, reports: list[Report]) -> bool:
    """Does a finding stand where the fault is?"""
    return any(report.kind != "not judged" and report.line in plant.lines for report in reports)


def by_rules(scripts: list[tuple[str, bytes]]) -> list[list[dict]]:
    """What the rules alone find in each (kind of scheduler, script)."""
    clusters = {cluster.scheduler.kind: cluster for cluster in load_all().values()}
    asked = [[clusters[kind].key, data.decode("utf-8", "surrogateescape")] for kind, data in scripts]
    return ask("rules", clusters.values(), asked)


def shown(missed: list[Plant]) -> str:
    """What was missed, for a person."""
    each = (f"{plant.fault}: {plant.script.parent.name}/{plant.script.name}: {plant.planted()}" for plant in missed)
    return "\n".join(["missed:", *each])


def test_planted_faults_are_found(record_property):
    planted = [(plant, kind) for kind, given in PLANTED.items() for plant in plants(kind, *given)]
    found = by_rules([(kind, plant.data) for plant, kind in planted])
    missed = [
        plant
        for (plant, _), findings in zip(planted, found, strict=True)
        if not any(each["line"] in plant.lines for each in findings)
    ]
    record_property("planted faults", [len(planted) - len(missed), len(planted)])
    assert len(planted) >= 1500
    assert len(planted) - len(missed) >= SHARE * len(planted), shown(missed)


@pytest.mark.parametrize("kind", OF_LIMITS)
def test_planted_faults_that_only_the_scheduler_knows_are_found(kind, record_property):
    twins.need_scheduler(kind)
    planted = [*plants(kind, *OF_LIMITS[kind])]
    clusters = load_all()
    missed = [
        each for each in planted if not named(each, check(clusters[each.script.parent.name], each.data, "job.sh"))
    ]
    record_property("planted faults", [len(planted) - len(missed), len(planted)])
    assert len(planted) - len(missed) >= SHARE * len(planted), shown(missed)


def test_every_class_of_faults_is_planted():
    for kind, given in [*PLANTED.items(), *OF_LIMITS.items()]:
        assert {plant.fault for plant in plants(kind, *given)} == set(given[0])


@pytest.mark.parametrize("kind", PLANTED)
def test_nothing_is_said_of_the_sound_scripts(kind):
    scripts = job_scripts(kind)
    found = by_rules([(kind, script.read_bytes()) for script in scripts])
    assert [(str(script), each) for script, findings in zip(scripts, found, strict=True) for each in findings] == []
