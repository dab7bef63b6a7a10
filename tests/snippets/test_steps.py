"""The training example grows by little in each step, and a run that began on one GPU goes on with several."""

import shutil
import subprocess
import sys

import pytest
import torch

from scripts.paths import PROGRAMS
from scripts.programs import TORCHRUN
from scripts.tables.steps import STEPS, diffs
from tests.snippets.collector import until_changed
from tests.snippets.sandbox import environment_in

LINES = 30  # that a reader changes in one step


@pytest.mark.parametrize("name", diffs())
def test_a_step_changes_few_lines(name):
    changed = [line for line in diffs()[name].splitlines() if line.startswith(("+", "-"))]
    assert 4 < len(changed) <= LINES


@pytest.mark.runs
@until_changed(*(PROGRAMS / name for name in STEPS[-2:]))
def test_several_processes_go_on_where_one_stopped(tmp_path):
    def output(*command: str) -> str:
        environment = environment_in(tmp_path) | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
        assert not done.returncode, done.stderr
        return done.stdout

    one, several = (shutil.copy(PROGRAMS / name, tmp_path) for name in STEPS[-2:])
    assert output(sys.executable, one, "--epochs", "1").startswith("epoch 1:")
    starter = [sys.executable, "-m", "torch.distributed.run", *TORCHRUN[1:], "2"]
    assert output(*starter, several, "--epochs", "2").splitlines()[0] == "resumes after epoch 1"
    optimizer = torch.load(tmp_path / "train.pt", weights_only=True)["optimizer"]
    assert optimizer["state"][0]["step"] == 80 + 40, "Adam goes on too: an epoch of one process, and one of two"
