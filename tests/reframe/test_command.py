"""`guide reframe` on the command line: what it refuses, it refuses with a sentence, and then it has written nothing."""

import json
import subprocess
import sys

import pytest

from scripts.errors import BadInput
from scripts.facts import load_named
from scripts.reframe import __main__ as tool
from scripts.reframe.__main__ import REPORT, ran
from scripts.reframe.folder import write
from tests.in_process import call


def guide(folder, *arguments) -> subprocess.CompletedProcess[str]:
    return call("scripts.reframe", *arguments, cwd=folder)


def test_it_writes_a_suite_and_says_where(tmp_path):
    done = guide(tmp_path, "kestrel")
    number = len(json.loads((tmp_path / "reframe-kestrel/cases.json").read_text(encoding="utf-8"))["jobs"]) + 1
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{number} tests for Kestrel are in {tmp_path / 'reframe-kestrel'}\n")
    assert guide(tmp_path, "arc4").stdout.endswith("\nRun them on this machine: guide reframe arc4 --twin\n")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["kestrell"], "Did you mean `kestrel`?"),
        (["kestrel", "--account=$(reboot)"], "an account has only letters, digits"),
        (["kestrel", "--account=a b"], "an account has only letters, digits"),
        (["kestrel", "--account="], "an account has only letters, digits"),
        (["aire", "--account=abc"], "jobs on Aire name no account."),
        (["roihu", "--account=abc"], "accounts of Roihu look like this: project_"),
        (["arc4", "--run"], "ARC4 cannot run jobs now."),
        (["lumi"], "contains other files"),
        (["mahti"], "is a file, not a folder"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(arguments, said, tmp_path):
    (tmp_path / "reframe-lumi").mkdir()
    (tmp_path / "reframe-lumi/thesis.tex").touch()
    (tmp_path / "reframe-mahti").touch()
    before = sorted(tmp_path.rglob("*"))
    done = guide(tmp_path, *arguments)
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_it_runs_on_login_nodes_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = guide(tmp_path, "kestrel", "--run")
    assert done.returncode == 2 and "not a login node of Kestrel" in done.stderr and list(tmp_path.iterdir()) == []


def test_a_new_suite_leaves_what_reframe_has_kept(tmp_path):
    guide(tmp_path, "kestrel")
    kept = tmp_path / "reframe-kestrel/perflogs/kestrel/one.log"
    kept.parent.mkdir(parents=True)
    kept.touch()
    old = tmp_path / "reframe-kestrel/jobs/no_longer.sh"
    old.touch()
    assert guide(tmp_path, "kestrel").returncode == 0 and kept.exists() and not old.exists()


@pytest.mark.parametrize(
    "session, status",
    [
        ({"num_cases": 2, "num_skipped": 0, "num_failures": 0, "num_aborted": 0}, 0),
        ({"num_cases": 2, "num_skipped": 0, "num_failures": 1, "num_aborted": 0}, 1),
        ({"num_cases": 2, "num_skipped": 0, "num_failures": 0, "num_aborted": 1}, 1),
        ({"num_cases": 2, "num_skipped": 2, "num_failures": 0, "num_aborted": 0}, None),
        ({"num_cases": 0, "num_skipped": 0, "num_failures": 0, "num_aborted": 0}, None),
        (None, None),
    ],
)
def test_a_run_in_which_nothing_ran_is_no_success(session, status, tmp_path):
    if session:
        (tmp_path / REPORT).write_text(json.dumps({"session_info": {}, "runs": [session]}), encoding="utf-8")
    if status is None:
        with pytest.raises(BadInput, match="no test has run"):
            ran(tmp_path)
    else:
        assert ran(tmp_path) == status


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be written"):
        write(load_named("kestrel"), tmp_path / "file/below", "slurm")


@pytest.mark.parametrize("own, reported, status", [(0, 0, 0), (0, 1, 1), (3, 0, 3)])
def test_the_status_is_the_worse_of_reframes_and_its_reports(own, reported, status, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["guide reframe", "kestrel", "--twin", "--", "--name=x"])
    monkeypatch.setattr(tool, "command", lambda cluster, folder, further: further)
    monkeypatch.setattr(tool, "on_twin", lambda cluster, words: own if words == ["--name=x"] else 9)
    monkeypatch.setattr(tool, "ran", lambda folder: reported)
    assert tool.main() == status
