"""`guide check`: the guide's own scripts pass it, and each way in which engine and twin may answer is told."""

import os

import pytest

from scripts.check import findings as module
from scripts.check.findings import check
from scripts.check.report import Report
from scripts.check.scheduler import Answer
from scripts.check.shell import shellcheck
from scripts.errors import BadInput
from tests.check.many import check_many
from tests.check.planted import job_scripts
from tests.clusters import CLUSTERS
from tests.engine.advice_sample import samples
from tests.run import program
from tests.twin import kept as twins

SCRIPTS = job_scripts("slurm") + job_scripts("grid_engine")
SOUND = b"#!/bin/bash\n#SBATCH -A project_2009999 -p small -t 5 --mem=1G\nsrun ./a\n"
LONG = SOUND.replace(b"-t 5", b"-t 99-0")


@pytest.mark.parametrize("key", CLUSTERS)
def test_none_of_the_guides_scripts_is_accused(key):
    own = [(path.read_bytes(), str(path)) for path in SCRIPTS if path.parent.name == key]
    reports = [report for of_one in check_many(CLUSTERS[key], own) for report in of_one]
    allowed = () if CLUSTERS[key].running else ("switched-off",)
    assert own and [str(report) for report in reports if report.rule not in allowed] == []


def found(data: bytes, key: str = "roihu") -> list[Report]:
    return check(CLUSTERS[key], [("my.sh", data)])[0]


def told(data: bytes) -> list[tuple[int, str, str]]:
    return [(report.line, report.kind, report.rule) for report in found(data)]


def answers(monkeypatch, answer):
    def answer_of(*_):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(module, "answer_of", answer_of)


def test_the_twin_refuses_and_the_engine_says_why():
    twins.need_scheduler("slurm")
    (report,) = found(LONG)
    assert (report.line, report.kind, report.rule) == (2, "refused", "time-over-partition")
    assert report.option == "-t 99-0" and report.limit and report.source.startswith("CSC, checked ")


def test_the_twin_refuses_what_the_engine_would_accept(monkeypatch):
    """The scheduler's own sentence is shown, as its own words."""
    answers(monkeypatch, Answer(False, "sbatch: error: Batch job submission failed: Too many pigs.\n"))
    (report,) = found(SOUND)
    assert (report.line, report.kind, report.rule) == (1, "refused", "scheduler")
    assert report.what == "Roihu's simulated scheduler rejects this script: Batch job submission failed: Too many pigs."


def test_the_twin_accepts_what_the_engine_would_refuse(monkeypatch):
    answers(monkeypatch, Answer(True, ""))
    assert told(LONG) == [(1, "not judged", "disagreement")]


def test_without_a_scheduler_the_engine_judges_and_it_is_said(monkeypatch):
    answers(monkeypatch, BadInput("slurmctld", None, "slurmctld is not installed.", "Install it."))
    said, *rest = found(LONG)
    assert (said.kind, said.rule) == ("not judged", "by-engine") and "not installed" in said.what
    assert [report.rule for report in rest] == ["time-over-partition"]
    assert told(SOUND) == [(1, "not judged", "by-engine")]
    unsure = SOUND.replace(b"-t 5", b"-t 5 --distribution=cyclic:wrong")
    assert (1, "not judged", "no-twin") in told(unsure)


def test_what_the_scheduler_has_judged_is_not_called_open(monkeypatch):
    unsure = SOUND.replace(b"-t 5", b"-t 5 --distribution=cyclic:wrong")
    answers(monkeypatch, Answer(True, ""))
    assert told(unsure) == []


def test_shellcheck_is_told_once_and_by_line(monkeypatch):
    answers(monkeypatch, Answer(True, ""))
    assert told(SOUND + b"`ls`\n")[0][0] == 4


@pytest.mark.parametrize("first", [b"#!/usr/bin/env python3", b"#!/usr/bin/perl", b"#!/bin/tcsh"])
def test_shellcheck_reads_shells_alone(first):
    script, of_bash = first + b"\nset a = (1 2)\nprint(f'{a}')\n", b"#!/bin/bash -l\nset a = (1 2)\n"
    warned = shellcheck([script, of_bash])
    assert warned[script] == [] != warned[of_bash]


def test_shellcheck_is_run_under_a_locale_with_all_letters(monkeypatch, tmp_path):
    """One that ends where the locale has no UTF-8, as some versions do at the first letter outside ASCII."""
    item = '[{"file": "0", "line": 3, "message": "", "code": 2164}]'
    program(tmp_path / "shellcheck", f"[ \"$(locale charmap)\" = UTF-8 ] && echo '{item}'")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C")
    script = "#!/bin/bash\n: é\ncd é\n".encode()
    assert [line for line, *_ in shellcheck([script])[script]] == [3]


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_refused(data):
    assert told(data) == [(1, "refused", "empty")]


def test_every_kind_of_advice_reaches_the_check(monkeypatch):
    answers(monkeypatch, Answer(True, ""))
    sample = samples()["launcher-over-nodes"].bad[0]
    cluster = CLUSTERS[sample.cluster]
    reports = found(sample.script(cluster).encode(), cluster.key)
    assert "launcher-over-nodes" in {report.rule for report in reports}
