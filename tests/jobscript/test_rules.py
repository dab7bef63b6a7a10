"""The page's rules say the same as the command's: of each script the same findings, in the same words."""

from __future__ import annotations

import pytest

from scripts.check.report import Report
from scripts.check.rules import rules
from scripts.facts import load_all
from scripts.jobscript.node import ask
from tests.jobscript import corpus

CLUSTER = {"slurm": "puhti", "grid_engine": "arc4"}


def engine(kind: str, scripts: list[bytes]) -> list[list[dict]]:
    """What the engine finds in each: one process for all."""
    cluster = load_all()[CLUSTER[kind]]
    texts = [script.decode("utf-8", "surrogateescape") for script in scripts]
    return ask("rules", [cluster], cluster.key, texts)


def differences(kind: str, scripts: list[bytes]) -> list[str]:
    found = []
    for script, theirs in zip(scripts, engine(kind, scripts), strict=True):
        ours = [vars(report) for report in rules(script, kind, "job.sh")]
        theirs = [vars(Report(**{name: each[name] for name in Report.__dataclass_fields__})) for each in theirs]
        if ours != theirs:
            odd = [each for each in ours if each not in theirs], [each for each in theirs if each not in ours]
            found.append(f"{script!r}\n  only Python: {odd[0]}\n  only the page: {odd[1]}")
    return found


@pytest.mark.parametrize("kind", CLUSTER)
def test_every_sample_of_every_rule(kind):
    scripts = [script for of, script in corpus.samples() if of == kind]
    assert len(scripts) >= {"slurm": 700, "grid_engine": 200}[kind]
    assert not (wrong := differences(kind, scripts)), "\n".join(wrong[:5])


@pytest.mark.parametrize("kind, most, spellings, least", [("slurm", 6, 1, 500), ("grid_engine", 2, 4, 150)])
def test_every_planted_fault(kind, most, spellings, least):
    scripts = [plant.data for plant in corpus.planted(kind, most, spellings)]
    assert len(scripts) >= least
    assert not (wrong := differences(kind, scripts)), "\n".join(wrong[:5])


@pytest.mark.parametrize("kind", CLUSTER)
def test_the_guides_own_scripts(kind):
    scripts = [script for of, script in corpus.own() if of == kind]
    assert all(not found for found in engine(kind, scripts))


@pytest.mark.parametrize("kind, number", [("slurm", 2000), ("grid_engine", 400)])
def test_scripts_with_several_faults_and_noise(kind, number):
    scripts = list(corpus.spoilt(number, kind, "rules"))
    assert len(scripts) == number
    assert not (wrong := differences(kind, scripts)), "\n".join(wrong[:5])
