"""The collector itself: it must fail when a snippet does, and say where."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.check import job_scripts
from tests.snippets.sandbox import ROOT, normalised, run_program

GOOD = (ROOT / "snippets/puhti/one_gpu.sh").read_text()


def faults(tmp_path: Path, text: str, cluster: str = "puhti") -> str:
    folder = tmp_path / cluster
    folder.mkdir(exist_ok=True)
    (folder / "cluster.yml").write_text((ROOT / "snippets" / cluster / "cluster.yml").read_text())
    (folder / "job.sh").write_bytes(text.encode())
    job_scripts.cluster_of.cache_clear()
    return "\n".join(f"{line}: {what}" for line, what in job_scripts.faults(folder / "job.sh"))


def test_the_good_script_has_no_fault(tmp_path):
    assert faults(tmp_path, GOOD) == ""


@pytest.mark.parametrize("old, new, said", [
    ("\n#SBATCH --account", "\necho hello\n#SBATCH --account", "a directive below"),
    ("#SBATCH --nodes=1", "# SBATCH --nodes=1", "a directive below"),
    ("#!/bin/bash", "\n#!/bin/bash", "1: the first line"),
    ("project_2001234", "project_9", "not the facts' sample"),
    ("--partition=gpu\n", "--partition=gpus\n", "no partition gpus"),
    ("--mem=", "—mem=", "outside ASCII"),
    ("\n#SBATCH --nodes", "\r\n#SBATCH --nodes", "Windows line ends"),
    ("matmul.py", "matmul_fast.py", "no program of this guide"),
    ("project_2001234", "<project>", "a placeholder"),
    ("module load ", "module load cuda/99.9 ", "no module cuda/99.9"),
], ids=lambda value: value.strip()[:20])
def test_a_planted_fault_is_named(tmp_path, old, new, said):
    assert old in GOOD
    assert said in faults(tmp_path, GOOD.replace(old, new, 1))


def test_a_failing_program_shows_file_and_output(tmp_path):
    program = tmp_path / "bad.py"
    program.write_text("print('so far')\nraise ValueError('no')\n")
    result = run_program(program, [])
    assert result.returncode == 1 and "so far" in result.stdout and "bad.py\", line 2" in result.stderr


def test_a_program_runs_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    program = tmp_path / "alone.py"
    program.write_text("import os\nprint(sorted(os.listdir('.')), 'LEAK' in os.environ, __name__)\n")
    assert run_program(program, []).stdout == "[] False __main__\n"


def test_volatile_numbers_are_set_aside_but_words_are_not():
    assert normalised("took 3.14 s at 1,024 GB/s") == normalised("took  12 s at 9 GB/s")
    assert normalised("took 3 s") != normalised("took 3 ms")


def test_ids_can_be_typed():
    listed = subprocess.run([sys.executable, "-m", "pytest", "-q", "--collect-only", "snippets/puhti"], cwd=ROOT, capture_output=True, text=True).stdout
    assert "snippets/puhti/one_gpu.sh::parse" in listed
