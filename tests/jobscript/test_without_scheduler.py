"""`guide check` where no scheduler can be had."""

import pytest

from scripts.check import verdict
from scripts.check.__main__ import status
from scripts.check.all import check
from scripts.errors import BadInput
from scripts.facts import load_named
from scripts.jobscript import node
from scripts.paths import SNIPPETS

NO_TWIN = BadInput("slurmctld", None, "slurmctld is not installed, so there is no twin.", "Install it.")


@pytest.fixture(autouse=True)
def no_scheduler(monkeypatch):
    def nobody(cluster, text):
        raise NO_TWIN

    monkeypatch.setattr(verdict, "asked", nobody)


def found(key: str, script: str):
    return check(load_named(key), script.encode(), "job.sh")


@pytest.mark.parametrize("key, name", [("puhti", "one_gpu.sh"), ("arc4", "one_gpu.sh")])
def test_an_accepted_script_is_said_to_be_judged_by_the_engine(key, name):
    reports = found(key, (SNIPPETS / key / name).read_text(encoding="utf-8"))
    (said,) = [report for report in reports if report.rule == "by-engine"]
    assert "not installed" in said.text and "engine of the guide's page judged instead" in said.text
    assert not [report for report in reports if report.kind in ("refused", "ignored")] and status(reports) == 0


@pytest.mark.parametrize(
    "key, script",
    [
        (
            "puhti",
            "#!/bin/bash\n#SBATCH --account=project_2001234 --partition=gpu --gres=gpu:v100:5\n#SBATCH --time=60\n",
        ),
        ("arc4", "#!/bin/bash\n#$ -l h_rt=99:00:00\n"),
    ],
)
def test_a_refused_script_is_refused_by_the_engine(key, script):
    reports = found(key, script)
    assert {"refused"} <= {report.kind for report in reports} and status(reports) == 1
    assert next(report.line for report in reports if report.kind == "refused") == 2


def test_what_the_engine_does_not_judge_either_ends_with_2():
    script = "#!/bin/bash\n#SBATCH -A project_2001234 -p small -t 5 --overcommit\n"
    assert status(found("puhti", script)) == 2


def test_without_node_it_is_told_that_nobody_could_be_asked(monkeypatch):
    def no_node():
        raise BadInput("node", None, "there is no Node here.", "Install it.")

    monkeypatch.setattr(node, "node", no_node)
    reports = found("puhti", "#!/bin/bash\n#SBATCH -p small -t 5\n")
    (said,) = [report for report in reports if report.rule == "no-twin"]
    assert "not installed" in said.text and "no Node" in said.text and status(reports) == 2
