"""The collector itself: it must fail when a snippet does, and say where."""

import re
from pathlib import Path

import pytest

from scripts import programs
from scripts.errors import BadInput
from scripts.paths import ROOT
from tests.check import job_scripts
from tests.snippets.sandbox import normalised, run_program

GOOD = (ROOT / "snippets/puhti/one_gpu.sh").read_text(encoding="utf-8")


def faults(tmp_path: Path, text: str, cluster: str = "puhti") -> str:
    folder = tmp_path / cluster
    folder.mkdir(exist_ok=True)
    (folder / "cluster.yml").write_text(
        (ROOT / "snippets" / cluster / "cluster.yml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "job.sh").write_bytes(text.encode())
    job_scripts.cluster_of.cache_clear()
    return "\n".join(f"{line}: {what}" for line, what in job_scripts.faults(folder / "job.sh"))


def test_the_good_script_has_no_fault(tmp_path):
    assert faults(tmp_path, GOOD) == ""


@pytest.mark.parametrize(
    "old, new, said",
    [
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
    ],
    ids=lambda value: value.strip()[:20],
)
def test_a_planted_fault_is_named(tmp_path, old, new, said):
    assert old in GOOD
    assert said in faults(tmp_path, GOOD.replace(old, new, 1))


def test_a_program_runs_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    program = tmp_path / "alone.py"
    program.write_text("import os\nprint(sorted(os.listdir('.')), 'LEAK' in os.environ, __name__)\n", encoding="utf-8")
    assert run_program(program, []).stdout == "[] False __main__\n"


def test_volatile_numbers_are_set_aside_but_words_are_not():
    assert normalised("took 3.14 s at 1,024 GB/s") == normalised("took  12 s at 9 GB/s")
    assert normalised("took 3 s") != normalised("took 3 ms")


def test_what_is_known_of_a_program_stands_beside_it(monkeypatch, tmp_path):
    """No line for our tests in what readers copy; a run of no program, and an import of no package, are told."""
    for path in programs.PROGRAMS.glob("*.py"):
        assert not re.search(r"(?m)^# (test|needs):", path.read_text(encoding="utf-8")), f"{path}: see programs.yml"
        assert programs.packages(path) is not None
    assert programs.packages(programs.PROGRAMS / "multiply_copies.py") == ["numba", "numba-cuda", "numpy"]
    (tmp_path / "programs.yml").write_text("runs:\n  gone.py: {}\npackages: {numpy: numpy}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"programs\.yml:2: there is no program gone\.py"):
        programs.load(tmp_path / "programs.yml")
    (tmp_path / "odd.py").write_text("import os\nimport numpy, odder\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"odd\.py:2: no package is known for `import odder`"):
        programs.packages(tmp_path / "odd.py")
