"""Faults planted into the guide's own job scripts are found, on their line."""

from collections import defaultdict

import pytest

from scripts.check.report import Report
from scripts.engine.ask import ask
from tests.check.faults import FAULTS, OF_LIMITS
from tests.check.many import check_many
from tests.check.planted import Plant, plants
from tests.clusters import CLUSTERS

# Of each kind of scheduler: in how many scripts each fault is planted at most, and in how many spellings.
PLANTED = {"slurm": (20, 1), "grid_engine": (2, 6)}
BY_DAY = {"slurm": (6, 1), "grid_engine": (1, 6)}
SHARE = 0.99
# The same for faults that only the facts can tell.
PLANTED_OF_LIMITS = {"slurm": (6, 1), "grid_engine": (2, 2)}


def named(plant: Plant, found: list[tuple[str, int]]) -> bool:
    """Does a finding, of which this is kind and line, stand where the fault is?"""
    return any(kind != "not judged" and line in plant.lines for kind, line in found)


def rules(scripts: list[tuple[str, bytes]]) -> list[list[dict]]:
    """What the rules find in each (cluster, script), by one question."""
    asked = [[key, data.decode("utf-8", "surrogateescape")] for key, data in scripts]
    return ask("rules", CLUSTERS.values(), asked)


def shown(missed: list[Plant]) -> str:
    each = (f"{plant.fault}: {plant.script.parent.name}/{plant.script.name}: {plant.planted()}" for plant in missed)
    return "\n".join(["missed:", *each])


@pytest.mark.parametrize("given", [BY_DAY, pytest.param(PLANTED, marks=pytest.mark.nightly)], ids=["few", "all"])
def test_planted_faults_are_found(given):
    planted = [plant for kind, some in given.items() for plant in plants(kind, FAULTS[kind], *some)]
    found = rules([(plant.script.parent.name, plant.data) for plant in planted])
    kinds = ([(each["kind"], each["line"]) for each in own] for own in found)
    missed = [plant for plant, own in zip(planted, kinds, strict=True) if not named(plant, own)]
    assert len(planted) >= (1000 if given is PLANTED else 300)
    assert len(planted) - len(missed) >= SHARE * len(planted), shown(missed)


@pytest.mark.parametrize("kind", OF_LIMITS)
def test_planted_faults_that_only_the_scheduler_knows_are_found(kind):
    planted = [*plants(kind, OF_LIMITS[kind], *PLANTED_OF_LIMITS[kind])]
    of_each: dict[str, list[Plant]] = defaultdict(list)
    for plant in planted:
        of_each[plant.script.parent.name].append(plant)
    missed = [
        plant
        for key, own in of_each.items()
        for plant, reports in zip(own, checked(key, own), strict=True)
        if not named(plant, [(report.kind, report.line) for report in reports])
    ]
    assert len(planted) - len(missed) >= SHARE * len(planted), shown(missed)


def checked(key: str, own: list[Plant]) -> list[list[Report]]:
    return check_many(CLUSTERS[key], [(plant.data, "job.sh") for plant in own])


def test_every_class_of_faults_is_planted():
    for faults, numbers in ((FAULTS, PLANTED), (OF_LIMITS, PLANTED_OF_LIMITS)):
        for kind in faults:
            assert {plant.fault for plant in plants(kind, faults[kind], *numbers[kind])} == set(faults[kind])
