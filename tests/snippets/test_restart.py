"""What goes on from its own state, ended at any moment, ends as if nothing had happened; the job lets it save."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.facts import load_all
from scripts.paths import PROGRAMS, SNIPPETS
from tests.run import until
from tests.snippets.collector import until_changed
from tests.snippets.sandbox import environment_in
from tests.tiers import by_day
from tests.twin import kept

RESTARTS = Path(__file__).with_name("restarts.py")
RUNS = {"checkpoint.py": ("checkpoint.pt", "--epochs", "40"), "train.py": ("train.pt", "--epochs", "3")}


def restarted(program: Path, kills: int, seed: int, folder: Path) -> subprocess.CompletedProcess[str]:
    file, *arguments = RUNS[program.name]
    return subprocess.run(
        [sys.executable, RESTARTS, program, file, str(kills), str(seed), *arguments],
        cwd=folder,
        env=environment_in(folder) | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.runs
@until_changed(*(PROGRAMS / name for name in RUNS))
@pytest.mark.parametrize(
    "name, kills, seed",
    by_day(
        [(name, kills, kills) for name, often in (("checkpoint.py", 50), ("train.py", 20)) for kills in (3, often)],
        {(name, 3, 3) for name in RUNS},
    ),
)
def test_a_run_that_was_killed_ends_bit_for_bit_as_one_that_was_not(tmp_path, name, kills, seed):
    done = restarted(PROGRAMS / name, kills, seed, tmp_path)
    assert not done.returncode, f"{done.stdout}{done.stderr}"
    assert "resumes after" in done.stdout


@pytest.mark.runs
@until_changed(PROGRAMS / "checkpoint.py", SNIPPETS / "roihu/requeue.sh")
def test_before_the_time_is_over_the_job_lets_its_program_save_and_goes_back_into_the_queue(tmp_path):
    twin = kept.twin(load_all()["roihu"])
    text = (SNIPPETS / "roihu/requeue.sh").read_text(encoding="utf-8")
    program = f"{sys.executable} {PROGRAMS / 'checkpoint.py'} --epochs 1000000"
    (tmp_path / "requeue.sh").write_text(text.replace("python3 checkpoint.py", program), encoding="utf-8")

    def ask(*command: str) -> str:
        return twin.run([*command], cwd=tmp_path, capture_output=True, encoding="utf-8").stdout

    with twin.in_use():
        job = re.search(r"batch job (\d+)", ask("sbatch", "requeue.sh"))[1]
        try:
            assert until((tmp_path / "checkpoint.pt").exists, 120)
            ask("scancel", "--batch", "--signal=USR1", job)  # as --signal does when the time is nearly over
            again = re.compile(r"JobState=PENDING.* Restarts=1")
            assert until(lambda: again.search(ask("scontrol", "-o", "show", "job", job)), 120)
        finally:
            ask("scancel", job)
    assert "asked to stop: saved after step" in (tmp_path / f"requeue-{job}.out").read_text(encoding="utf-8")
