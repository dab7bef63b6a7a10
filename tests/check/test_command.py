"""`guide check` as people, editors and forges call it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from functools import partial

import pytest
import yaml

from scripts.check import __main__
from scripts.check.__main__ import status
from scripts.check.files import LARGEST, unfit
from scripts.check.findings import by_scheduler
from scripts.check.report import LEVELS, Report, notes
from scripts.check.sarif import sarif
from scripts.check.scheduler import Answer
from scripts.check.shell import shellcheck
from scripts.facts import load_named
from scripts.paths import ROOT
from tests.in_process import call
from tests.needs import need
from tests.twin import kept as twins

SOUND = (ROOT / "snippets/roihu/one_gpu.sh").read_text(encoding="utf-8").replace("project_2001234", "project_2009999")
BAD = SOUND.replace("#SBATCH --time=", "#SBATCH --time=99-")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Twins of these tests alone, which end with them."""
    twins.need_scheduler("slurm")
    found = os.environ | {"TMPDIR": str(tmp_path_factory.mktemp("twins"))}
    yield found
    subprocess.run([sys.executable, "-m", "scripts.twin", "--stop-all"], cwd=ROOT, env=found, check=True)


@pytest.fixture
def check(environment, tmp_path, monkeypatch):
    """check(words, input): the command, run in an empty folder."""
    monkeypatch.setenv("TMPDIR", environment["TMPDIR"])
    return partial(call, "scripts.check", cwd=tmp_path)


def test_a_sound_script_ends_with_0_and_says_what_is_not_judged(check, tmp_path):
    (tmp_path / "my.sh").write_text(SOUND, encoding="utf-8")
    done = check("roihu", "my.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Roihu: no findings. Checked 1 script, with a simulated scheduler. We cannot check")


def test_standard_input(check):
    done = check("roihu", "-", text=BAD)
    assert done.returncode == 1 and done.stdout.startswith("<stdin>:") and "error (refused): `--time=99-" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Roihu: 1 refused.")


def test_at_the_bounds_of_size_of_reasons_and_of_scripts_without_a_scheduler():
    assert unfit("a.sh", b"#" * LARGEST) is None and unfit("a.sh", b"#" * (LARGEST + 1))
    roihu, alone = load_named("roihu"), Report("a.sh", 1, "not judged", "", "", "by-engine")
    lines = [__main__.closing(roihu, [alone] * number, 2) for number in (0, 1, 2)]
    told = [re.search(r"scripts, (.*?) a simulated", line)[1] for line in lines]
    assert told == ["with", "1 of them without", "without"]
    said = "".join(f"sbatch: error: reason {number}\n" for number in (1, 1, 2, 3, 4))
    assert Answer(False, said).words == "reason 1 / reason 2 / reason 3"
    doubted = Report("a.sh", 1, "doubtful", "", "", "cores-with-threads")
    assert by_scheduler(roihu, [doubted], "refused", Answer(True, ""), "a.sh") == []


def test_an_unused_name_of_a_loop_is_no_finding_and_one_that_is_set_is():
    need("shellcheck", "shellcheck")
    script = b"#!/bin/bash\nfor i in 1 2; do\n  true\ndone\nx=1\n"
    assert [(line, rule) for line, *_, rule in shellcheck([script])[script]] == [(5, "SC2034")]


@pytest.mark.parametrize("kind", LEVELS)
def test_the_status_is_that_of_the_help(kind):
    """It names the kinds that end with 1; a script that the twin could not judge ends with 2, unless one is found."""
    (named,) = re.findall(r"or 1 if something (.*?)\.", __main__.__doc__)
    report, unjudged = (
        Report("my.sh", 1, each, "what", "", rule) for each, rule in ((kind, "a"), ("unwise", "no-twin"))
    )
    ends = int({"refused": "rejected"}.get(kind, kind) in named)
    assert (status([report]), status([report, unjudged]), status([])) == (ends, ends or 2, 0)


def test_a_folder_stands_for_its_job_scripts(check, tmp_path):
    (tmp_path / "jobs/deep").mkdir(parents=True)
    (tmp_path / "jobs/deep/loop").symlink_to(tmp_path / "jobs")
    files = {"b.slurm": BAD, "a.sh": BAD, "deep/c.sbatch": BAD.replace("#SBATCH", "# SBATCH")}
    others = {"setup.sh": "#!/bin/bash\nmake\n", "note.txt": BAD, "other.qsub": "#$ -cwd\n"}
    for name, text in (files | others).items():
        (tmp_path / "jobs" / name).write_text(text, encoding="utf-8")
    done = check("roihu", "jobs", "--json")
    named = dict.fromkeys(each["file"] for each in json.loads(done.stdout))
    assert [*named] == ["jobs/a.sh", "jobs/b.slurm", "jobs/deep/c.sbatch"] and done.returncode == 1


def test_json_has_these_fields_and_no_others(check):
    found = json.loads(check("roihu", "-", "--json", text=BAD).stdout)
    names = ["file", "line", "kind", "what", "cure", "rule", "option", "limit", "source"]
    assert [list(each) for each in found] == [names] and [field.name for field in fields(Report)] == names
    assert found[0]["rule"] == "time-over-partition"


def test_sarif_names_rule_level_and_line(check):
    (run,) = json.loads(check("roihu", "-", "--sarif", text=BAD).stdout)["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "time-over-partition"
    line = 1 + next(at for at, text in enumerate(BAD.splitlines()) if "--time" in text)
    assert (result["level"], result["locations"][0]["physicalLocation"]["region"]) == ("error", {"startLine": line})


def test_sarif_is_what_the_standard_requires():
    """Its names and kinds of value, for a finding of each kind."""
    written = sarif([Report("a b/ö.sh", line, kind, "what.", "", kind) for line, kind in enumerate(LEVELS, 1)])
    (run,) = written["runs"]
    assert written.keys() == {"$schema", "version", "runs"} and written["version"] == "2.1.0"
    names = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["tool"]["driver"]["name"] and sorted(names) == sorted(LEVELS)
    for line, (each, kind) in enumerate(zip(run["results"], LEVELS, strict=True), 1):
        assert names[each["ruleIndex"]] == each["ruleId"] == kind and each["message"]["text"] == f"{kind}: what."
        assert each["level"] == LEVELS[kind] and each["level"] in ("note", "warning", "error")
        (place,) = [location["physicalLocation"] for location in each["locations"]]
        assert place == {"artifactLocation": {"uri": "a%20b/%C3%B6.sh"}, "region": {"startLine": line}}
    assert sarif([])["runs"][0]["results"] == []


def test_a_note_for_github_escapes_what_would_end_a_property():
    (note,) = notes([Report("a,b:c.sh", 3, "refused", "50 % of a, b", "One.\nTwo: x.", "r:s")])
    assert note == "::error file=a%2Cb%3Ac.sh,line=3,title=refused%3A r%3As::50 %25 of a, b One.%0ATwo: x."


@pytest.mark.parametrize(
    "name, prepare, said",
    [
        ("none.sh", lambda path: None, "there is no such file."),
        ("program", lambda path: path.write_bytes(b"\x7fELF\0\0\0"), "this is not a text file."),
        ("huge.sh", lambda path: path.write_bytes(b"#" * 5 * 2**20), "this file is over 4 MiB"),
        ("loop.sh", lambda path: path.symlink_to(path), "this file cannot be read: Too many levels of symbolic links."),
        ("folder", lambda path: (path.mkdir(), os.mkfifo(path / "a.sh")), "there is no job script in this folder."),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_hides_no_other_finding(check, tmp_path, name, prepare, said):
    prepare(tmp_path / name)
    (tmp_path / "my.sh").write_text(BAD, encoding="utf-8")
    done = check("roihu", name, "my.sh", "my.sh")
    assert done.returncode == 2 and done.stdout.count("my.sh:") == 1
    assert done.stderr.startswith(f"{name}: {said}") and done.stderr.count("\n") == 1


def test_a_cluster_that_is_not_known_is_one_sentence(check):
    done = check("roiu", "-", text=SOUND)
    assert (done.returncode, done.stdout) == (2, "") and "roihu" in done.stderr and done.stderr.count("\n") == 1


def test_the_hook_runs_the_command_as_pre_commit_does(environment, tmp_path):
    hook, _ = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook.keys() >= {"id", "name", "entry", "language"} and hook["language"] == "script"
    program, *words = hook["entry"].split()  # its path in the repository
    (tmp_path / "my.sh").write_text(BAD, encoding="utf-8")
    command = [ROOT / program, *words, "roihu", "my.sh"]
    assert subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True).returncode == 1
