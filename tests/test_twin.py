"""The twins: each accepts what its cluster would, refuses a step past every limit, and survives what happens to daemons."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.twin import slurm
from scripts.units import Walltime
from tests import twins
from tests.needs import need
from tests.sandbox import ROOT
from tests.twin_pairs import Options, pairs

CLUSTERS = {key: cluster for key, cluster in load_all().items() if cluster.scheduler.kind == "slurm"}
SCRIPT = ROOT / "snippets/puhti/one_gpu.sh"


def submit(twin: slurm.SlurmTwin, options: Options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sbatch", "--test-only", *(f"--{name}={value}" for name, value in options.items()), "--wrap=true"],
                          env=twin.environment, capture_output=True, text=True)


def judge(twin: slurm.SlurmTwin, script: Path = SCRIPT) -> int:
    return twin.run(["sbatch", "--test-only", script], capture_output=True).returncode


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_every_limit_is_kept_and_none_is_invented(cluster, record_property):
    twin = twins.twin(cluster)
    twin.start()
    wrong = []
    found = pairs(cluster)
    for pair in found:
        at, past = submit(twin, pair.at), submit(twin, pair.past)
        if at.returncode:
            wrong.append(f"{pair.limit}: a job at the limit is refused: {pair.at}: {at.stderr}")
        if past.returncode == 0:
            wrong.append(f"{pair.limit}: a job past the limit is accepted: {pair.past}")
        elif pair.reason not in past.stderr:
            wrong.append(f"{pair.limit}: refused for another reason than `{pair.reason}`: {past.stderr}")
    record_property("pairs", len(found))
    assert wrong == []
    assert found


def test_the_limits_tried_are_many():
    assert sum(len(pairs(cluster)) for cluster in CLUSTERS.values()) > 300


@pytest.fixture
def own(tmp_path):
    """A twin of Puhti that only this test uses."""
    need("/usr/sbin/slurmctld", "slurmctld")
    twin = slurm.SlurmTwin(CLUSTERS["puhti"], tmp_path)
    yield twin
    twin.stop()


def test_two_twins_side_by_side(own, tmp_path):
    other = slurm.SlurmTwin(CLUSTERS["mahti"], tmp_path)
    try:
        assert judge(own) == 0
        assert judge(other) != 0  # Mahti has no V100
        assert judge(own) == 0
    finally:
        other.stop()


def test_a_killed_twin_starts_again(own):
    assert judge(own) == 0
    pid = int((own.folder / "pid").read_text())
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert judge(own) == 0


def test_a_stale_pid_file_is_not_believed(own):
    own.folder.mkdir(parents=True)
    (own.folder / "pid").write_text(str(os.getpid()))  # a living process, but not a twin
    assert judge(own) == 0


def test_changed_facts_are_used_by_the_next_command(own, tmp_path):
    assert judge(own) == 0
    first = (own.folder / "pid").read_text()
    puhti = own.cluster
    shorter = puhti.partitions["gpu"].model_copy(update={"max_time": Walltime("0-00:10:00")})
    changed = slurm.SlurmTwin(puhti.model_copy(update={"partitions": puhti.partitions | {"gpu": shorter}}), tmp_path)
    assert judge(changed) != 0
    assert (own.folder / "pid").read_text() != first


def test_two_hundred_verdicts_at_once(own, tmp_path):
    bad = tmp_path / "bad.sh"
    bad.write_text(SCRIPT.read_text().replace("v100:1", "v100:5"))
    with ThreadPoolExecutor(16) as pool:
        verdicts = list(pool.map(lambda number: judge(own, bad if number % 2 else SCRIPT), range(200)))
    assert [code != 0 for code in verdicts] == [bool(number % 2) for number in range(200)]


def test_without_slurm_it_says_so(own, monkeypatch):
    monkeypatch.setattr(slurm.shutil, "which", lambda *arguments, **options: None)
    with pytest.raises(BadInput, match="Slurm is not installed"):
        own.start()


def test_nothing_is_left_behind(own):
    judge(own)
    pid = int((own.folder / "pid").read_text())
    assert own.stop()
    assert not own.folder.exists() and not Path(f"/proc/{pid}").exists()


def test_the_command_passes_output_and_status_through(tmp_path):
    need("/usr/sbin/slurmctld", "slurmctld")

    def twin(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "scripts.twin", *arguments], cwd=ROOT, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(tmp_path)})

    try:
        assert "gpu" in twin("puhti", "sinfo", "--noheader", "--format=%P").stdout.split()
        assert twin("puhti", "sbatch", "--test-only", str(SCRIPT)).returncode == 0
        assert twin("puhti", "sbatch", "--test-only", "snippets/mahti/one_gpu.sh").returncode == 1
        assert "there is no cluster `putti`" in twin("putti", "sinfo").stderr
    finally:
        assert "stopped the twin of Puhti" in twin("--stop-all").stdout
