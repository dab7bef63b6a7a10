"""The page decides for ARC4 as its twin does."""

from __future__ import annotations

from pathlib import Path

from scripts.facts import load_all
from scripts.jobscript.node import ask
from tests.jobscript.grid_engine_cases import cases
from tests.twin import kept as twins

NUMBER = 150


def wrong(scripts: list[str], folder: Path) -> tuple[list[str], int]:
    """Where the two differ, and how many the page did not judge."""
    cluster = load_all()["arc4"]
    twin = twins.twin(cluster)
    found, unjudged = [], 0
    for script, decided in zip(scripts, ask("gridEngine", [cluster], "arc4", scripts), strict=True):
        path = folder / "job.sh"
        path.write_text(script, encoding="utf-8")
        said = twin.judge(path)
        unjudged += decided["verdict"] == "not judged"
        if decided["verdict"] != "not judged" and (decided["verdict"] == "accepted") != (said.returncode == 0):
            what = [each["what"] for each in decided["findings"]]
            found.append(f"{script}the page: {decided['verdict']} {what}\nthe twin: {said.stdout}{said.stderr}")
    return found, unjudged


def test_it_decides_as_the_scheduler(tmp_path):
    found, unjudged = wrong(cases(NUMBER, "arc4"), tmp_path)
    assert not found, "\n".join(found[:5])
    assert unjudged <= NUMBER // 50


def test_both_answers_are_drawn():
    verdicts = [each["verdict"] for each in ask("gridEngine", [load_all()["arc4"]], "arc4", cases(NUMBER, "arc4"))]
    assert min(verdicts.count("accepted"), verdicts.count("refused")) >= NUMBER // 4


def test_a_refusal_names_its_line_and_the_limit():
    script = "#!/bin/bash\n#$ -cwd\n#$ -l h_rt=72:0:0\n#$ -l coproc_v100=5\nhostname\n"
    ((first, second),) = [each["findings"] for each in ask("gridEngine", [load_all()["arc4"]], "arc4", [script])]
    assert (first["line"], first["rule"], first["limit"]) == (3, "time-over-partition", "2 days")
    assert (second["line"], second["rule"], second["limit"]) == (4, "gpus-over-partition", "4")
    assert first["source"].startswith("University of Leeds, read ")
