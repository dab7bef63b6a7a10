"""The weekly workflow: what reads pages of others may write nothing, and what writes the issue runs no code of ours."""

import subprocess

import pytest
import yaml

from tests.run import program
from tests.snippets.sandbox import ROOT

WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/weekly.yml").read_text(encoding="utf-8"))
SOURCES, ISSUE = WORKFLOW["jobs"]["sources"], WORKFLOW["jobs"]["issue"]


def test_it_runs_once_a_week_on_main_alone():
    on = WORKFLOW[True]  # YAML 1.1 reads `on` as true
    (when,) = on["schedule"]
    minute, hour, day, month, weekday = when["cron"].split()
    assert (day, month) == ("*", "*") and weekday.isdigit() and hour.isdigit() and minute.isdigit()
    assert on.keys() == {"schedule", "workflow_dispatch"} and WORKFLOW["permissions"] == {}
    assert SOURCES["if"] == "github.ref == 'refs/heads/main'" and ISSUE["needs"] == "sources"


def test_who_reads_the_pages_can_write_nothing_and_who_writes_reads_none():
    assert SOURCES["permissions"] == {"contents": "read"} and ISSUE["permissions"] == {"issues": "write"}
    (download, write) = ISSUE["steps"]
    assert download["uses"].startswith("actions/download-artifact@")
    commands = write["run"]
    assert "./guide" not in commands and "python" not in commands and "${{" not in commands
    # What a page says reaches the issue as a file, never as words of a command.
    assert commands.count("--body-file short.md") == 2 and "$(cat" not in commands


def test_it_keeps_what_was_read():
    (kept,) = [step["with"]["path"] for step in SOURCES["steps"] if "cache@" in step.get("uses", "")]
    assert kept == "~/.cache/gpu-cluster-guide/sources"


@pytest.mark.parametrize(
    "status, issue, asked", [(0, "", "true"), (1, "x", "true"), (2, "x", "true"), (2, "", "false"), (3, "", "false")]
)
def test_last_weeks_issue_stays_where_not_enough_could_be_asked(tmp_path, status, issue, asked):
    out = tmp_path / "out"
    program(tmp_path / "guide", f"printf '{issue}' > $3; exit $STATUS")
    (ask,) = [step["run"] for step in SOURCES["steps"] if step.get("id") == "ask"]
    for code, end in ((status, 0), (4, 4)):  # 4 is a fault of the command itself
        env = {"PATH": "/usr/bin:/bin", "STATUS": str(code), "GITHUB_OUTPUT": str(out)}
        assert subprocess.run(["bash", "-e", "-c", ask], cwd=tmp_path, env=env).returncode == end
    assert out.read_text(encoding="utf-8") == f"asked={asked}\n"
