"""Twin and check go by the day: what is announced counts from its day on, and a running twin is then another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.site.copy import copy_guide
from tests.facts.test_coming import DAY, EVE, SHORTER
from tests.twin import kept

JOB = """#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpu
#SBATCH --gres=gpu:v100:1
#SBATCH --time=2-12:00:00
hostname
"""


@pytest.fixture
def ask(tmp_path, short):
    """ask(day, tool, arguments): a tool of a copy of the guide in which puhti's gpu is to be cut to two days."""
    kept.need_scheduler("slurm")
    copy_guide(tmp_path)
    (tmp_path / "snippets/puhti/cluster.yml").write_text(SHORTER, encoding="utf-8")
    (tmp_path / "job.sh").write_text(JOB, encoding="utf-8")

    def run(day: str, tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", f"scripts.{tool}", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"GUIDE_DAY": day, "TMPDIR": str(short)},
        )

    yield run
    run(EVE, "twin", "--stop", "puhti")


def test_the_limit_of_the_day(ask):
    limits = "scontrol", "show", "partition", "gpu"
    for day, limit, starts in ((EVE, "3-00:00:00", True), (EVE, "3-00:00:00", False), (DAY, "2-00:00:00", True)):
        told = ask(day, "twin", "puhti", *limits)
        assert f"MaxTime={limit}" in told.stdout and ("has started" in told.stderr) is starts, told.stderr
    assert ask(DAY, "twin", "puhti", "sbatch", "--test-only", "job.sh").returncode != 0
    after, before = ask(DAY, "check", "puhti", "job.sh"), ask(EVE, "check", "puhti", "job.sh")
    assert after.returncode == 1 and "refused" in after.stdout
    assert "refused" not in before.stdout and before.returncode == 0, before.stdout
