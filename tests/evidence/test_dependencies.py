"""What a check rests on: each thing that could change its outcome takes the line away, and nothing else does."""

import re
import socket
from pathlib import Path

import pytest

from scripts.evidence import dependencies
from scripts.evidence.dependencies import APPLICATIONS, NAMES, RUNS, TWIN, changed, judge_of, judges, rests_on, started
from scripts.facts import load_all, load_cluster
from scripts.paths import PROGRAMS, ROOT, SNIPPETS, write_whole
from scripts.programs import Run
from scripts.twin import home
from scripts.twin.written import written


def after(tmp_path: Path, script: str, old: str, new: str) -> list[str]:
    """What a script of the guide no longer rests on, after this change of its cluster's facts."""
    file = ROOT / script
    facts = tmp_path / file.parent.name / "cluster.yml"
    facts.parent.mkdir()
    text = file.with_name("cluster.yml").read_text(encoding="utf-8")
    assert re.search(old, text), "the facts no longer say so; plant another change"
    facts.write_text(re.sub(old, new, text, count=1), encoding="utf-8")
    now, then = load_cluster(facts), load_cluster(file.with_name("cluster.yml"))
    assert now != then
    known = ({each.key: judge_of(each)} for each in (then, now))
    return changed(*(rests_on(file, each) for each in known))


@pytest.mark.parametrize(
    "script, old, new, differ",
    [
        ("puhti/one_gpu.sh", r"(  gpu:\n.*\n    max_time:) 3-00:00:00", r"\1 1-00:00:00", [TWIN]),
        ("puhti/one_gpu.sh", r"gpus: \{v100: 4\}", "gpus: {v100: 2}", [TWIN]),
        ("puhti/one_gpu.sh", "rule: required, refusal: .*}", "rule: required, refusal: No}", [TWIN]),
        ("puhti/many_cpus.sh", r"modules: \[pytorch/2.9\]", "modules: [pytorch/2.10]", [NAMES]),
        ("puhti/interactive.sh", "project_2001234", "project_2009999", [NAMES]),
        ("lumi/one_gpu.sh", r"lumi-multitorch-latest\.sif\]", "lumi-multitorch-new.sif]", [NAMES]),
        ("lumi/one_gpu.sh", r"module_paths: \[.*\]", "module_paths: [/appl/elsewhere]", [NAMES]),
        ("arc4/one_gpu.sh", r"max_time: .*", "max_time: 0-12:00:00", [TWIN]),
        ("arc4/one_gpu.sh", r"gpus: \{coproc_v100: 4\}", "gpus: {coproc_v100: 2}", [TWIN]),
        ("kestrel/one_gpu.sh", "HPC-Help@nlr.gov", "help@nlr.gov or +1 303", []),
        ("puhti/one_gpu.sh", "note: CSC planned to shut down .*", "note: CSC shut it down.", []),
        ("puhti/one_gpu.sh", "/scratch/<project>", "/scratch-new/<project>", []),
        ("puhti/one_gpu.sh", r"modules: \[pytorch/2.9\]", "modules: [pytorch/2.9, tensorflow/2.20, pytorch/2.9.1]", []),
        ("puhti/interactive.sh", r"modules: \[pytorch/2.9\]", "modules: [pytorch/2.10]", []),
        ("puhti/one_gpu.sh", "host: puhti.csc.fi", "host: puhti-login.csc.fi", []),
        ("puhti/one_gpu.sh", r"read: 2026-11-20\n", "read: 2026-11-21\n", []),
        ("puhti/one_gpu.sh", "A GPU-hour cost 60", "A GPU-hour cost 70", []),
        ("lumi/interactive.sh", r"lumi-multitorch-latest\.sif\]", "lumi-multitorch-new.sif]", []),
        ("arc4/one_gpu.sh", r"use: .*\}", "use: another}", []),
    ],
)
def test_what_the_script_rests_on_takes_the_line_away_and_nothing_else_does(tmp_path, script, old, new, differ):
    assert after(tmp_path, f"snippets/{script}", old, new) == differ


@pytest.fixture
def programs(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(dependencies, "PROGRAMS", tmp_path)
    for name, text in {
        "first.py": "import json, second\n",
        "second.py": "from third import it\n",
        "third.py": "it = 1\n",
        "other.py": "import first\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_whole(tmp_path / "jobs/job.sh", "#!/bin/bash\nsrun python3 first.py --size 3\n")
    (tmp_path / "jobs/all.sh").write_text("bash ./job.sh && python3 other.py.bak\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["jobs/job.sh", "jobs/all.sh", "first.py", "first.out"])
@pytest.mark.parametrize("program, counts", [("third.py", True), ("other.py", False)])
def test_a_changed_program_takes_the_line_away(programs, name, program, counts):
    """Also one that is imported by what is imported by what the script starts."""
    (programs / "first.out").write_text("1\n", encoding="utf-8")
    then = rests_on(programs / name, {})
    (programs / program).write_text("it = 2\n", encoding="utf-8")
    assert changed(then, rests_on(programs / name, {})) == ([str(programs / program)] if counts else [])


@pytest.mark.parametrize("name", ["programs/matmul.py", "programs/matmul.out", "puhti/one_gpu.sh"])
def test_another_size_of_the_test_takes_the_line_away(monkeypatch, name):
    then = rests_on(SNIPPETS / name, {})
    monkeypatch.setattr(dependencies, "run_of", lambda program: Run(arguments="--size 2"))
    now = rests_on(SNIPPETS / name, {})
    assert changed(then, now) == [RUNS]
    del then[RUNS]  # it ran as it stands
    assert changed(then, now) == changed(now, then) == [RUNS]


def test_what_the_guides_scripts_start():
    assert started(SNIPPETS / "puhti/one_gpu.sh") == {PROGRAMS / "check_gpu.py", PROGRAMS / "matmul.py"}
    assert started(SNIPPETS / "narval/validate.sh") == {PROGRAMS}, "a folder stands for its files"
    assert started(PROGRAMS / "matmul.out") == {PROGRAMS / "matmul.py"}
    assert started(SNIPPETS / "puhti/interactive.sh") == set()


def test_every_job_script_rests_on_its_twin(made):
    known = judges()
    scripts = [path for key in known for path in (SNIPPETS / key).glob("*.sh")] + [*APPLICATIONS.glob("*.sh")]
    assert len(scripts) > 60 and all(TWIN in rests_on(path, known) for path in scripts)


def test_a_script_that_is_added_to_a_folder_changes_the_folder(programs):
    then = dependencies.digest(dependencies.files_of(programs))
    (programs / "new.py").touch()
    assert dependencies.digest(dependencies.files_of(programs)) != then


def test_it_is_the_same_on_every_machine(monkeypatch):
    """Whatever the user, the host's name, and whether a scheduler is installed."""

    def nameless():
        raise KeyError("no such user")

    clusters = load_all()
    here = {key: written(cluster) for key, cluster in clusters.items()}
    monkeypatch.setattr(home.pwd, "getpwuid", lambda number: nameless())
    monkeypatch.setattr(socket, "gethostname", lambda: "elsewhere")
    monkeypatch.setattr("os.getuid", lambda: 4711)
    monkeypatch.setattr("scripts.twin.grid_engine.cell.SHARE", Path("/nowhere"))
    assert {key: written(cluster) for key, cluster in clusters.items()} == here
    assert not any(str(ROOT) in text for files in here.values() for text in files.values())
