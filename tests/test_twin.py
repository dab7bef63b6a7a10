"""The twins: each accepts what its cluster would, refuses a step past every limit, and survives what happens to daemons."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.twin import daemon, slurm, twin_of
from scripts.twin.daemon import Twin
from scripts.twin.ports import claim_ports
from scripts.facts.units import Walltime
from tests import twins
from tests.snippets.sandbox import ROOT
from tests.twin_pairs import Options, pairs

CLUSTERS = load_all()
SCRIPT = ROOT / "snippets/puhti/one_gpu.sh"


def submit(twin: Twin, options: Options) -> subprocess.CompletedProcess[str]:
    if twin.cluster.scheduler.kind == "slurm":
        command = ["sbatch", "--test-only", *(f"--{name}={value}" for name, value in options.items()), "--wrap=true"]
    else:
        named = [["-pe", "smp", str(value)] if name == "pe smp" else ["-l", f"{name}={value}"] for name, value in options.items()]
        command = ["qsub", "-w", "v", *(word for words in named for word in words), "-b", "y", "true"]
    return subprocess.run(command, env=twin.environment, capture_output=True, text=True)


def judge(twin: Twin, script: Path = SCRIPT) -> int:
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
def short():
    """A folder with a short path: pytest's own are too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="own-") as folder:
        yield Path(folder)


@pytest.fixture
def own(short):
    """A twin of Puhti that only this test uses."""
    twins.need_scheduler("slurm")
    twin = slurm.SlurmTwin(CLUSTERS["puhti"], short)
    yield twin
    twin.stop()


def test_two_twins_side_by_side(own, short):
    other = slurm.SlurmTwin(CLUSTERS["mahti"], short)
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


def test_changed_facts_are_used_by_the_next_command(own, short):
    assert judge(own) == 0
    first = (own.folder / "pid").read_text()
    puhti = own.cluster
    shorter = puhti.partitions["gpu"].model_copy(update={"max_time": Walltime("0-00:10:00")})
    changed = slurm.SlurmTwin(puhti.model_copy(update={"partitions": puhti.partitions | {"gpu": shorter}}), short)
    assert judge(changed) != 0
    assert (own.folder / "pid").read_text() != first


def test_two_hundred_verdicts_at_once(own, tmp_path):
    bad = tmp_path / "bad.sh"
    bad.write_text(SCRIPT.read_text().replace("v100:1", "v100:5"))
    with ThreadPoolExecutor(16) as pool:
        verdicts = list(pool.map(lambda number: judge(own, bad if number % 2 else SCRIPT), range(200)))
    assert [code != 0 for code in verdicts] == [bool(number % 2) for number in range(200)]


@pytest.mark.parametrize("key, package", [("puhti", "slurmctld"), ("arc4", "gridengine-master")])
def test_without_the_scheduler_it_says_so(tmp_path, monkeypatch, key, package):
    twin = twin_of(CLUSTERS[key], tmp_path)
    monkeypatch.setattr(type(twin), "program", tmp_path / "nothing")
    with pytest.raises(BadInput, match=f"{package} is not installed"):
        twin.start()


def test_a_port_that_is_taken_does_no_harm(own, monkeypatch):
    """Somebody takes the port between our asking for it and the daemon's."""
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        offered = iter([squatter.getsockname()[1]])
        real = daemon.claim_ports
        monkeypatch.setattr(daemon, "claim_ports", lambda *arguments: next(offered, None) or real(*arguments))
        assert judge(own) == 0


def test_no_two_twins_get_the_same_ports(short):
    folders = [short / str(number) for number in range(30)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(8) as pool:
        firsts = list(pool.map(lambda folder: claim_ports(folder, 40), folders))
    assert len(set(firsts)) == len(folders)
    assert all(later - earlier >= 40 for earlier, later in pairwise(sorted(firsts)))


def test_a_twin_that_cannot_start_says_why(own, monkeypatch):
    monkeypatch.setattr(slurm, "slurm_conf", lambda *arguments: "ClusterName=puhti\nNoSuchLine=1\n")
    with pytest.raises(BadInput, match="did not start"):
        own.start()
    assert own.processes() == []


def test_files_left_by_a_dead_twin_do_no_harm(own):
    """Power was cut: the folder is full, nothing runs."""
    assert judge(own) == 0
    own.end_processes()
    (own.folder / "state" / "job_state").write_bytes(b"half a fil")
    (own.folder / "slurmctld.pid").write_text("1")
    assert judge(own) == 0


def test_a_job_runs_and_leaves_nothing_behind(own, tmp_path):
    (tmp_path / "long.sh").write_text("#!/bin/bash\n#SBATCH --account=project_2001234 --partition=test --time=5\nsleep 1000 &\necho \"$SLURM_JOB_NODELIST\" > started\nwait\n")
    own.run(["sbatch", "long.sh"], cwd=tmp_path, capture_output=True, check=True)
    end = time.monotonic() + 60
    while not (tmp_path / "started").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert (tmp_path / "started").read_text().startswith("cpu-")
    ours = own.processes()
    assert any("sleep" in process.name() for process in ours)
    own.stop()
    assert not any(process.is_running() for process in ours)


def test_a_path_that_is_too_long_is_named(tmp_path):
    twins.need_scheduler("slurm")
    twin = slurm.SlurmTwin(CLUSTERS["puhti"], tmp_path / ("x" * 60))
    try:
        with pytest.raises(BadInput, match="too long for the sockets"):
            twin.run(["sbatch", str(SCRIPT)])
    finally:
        twin.stop()


def test_a_failed_job_gives_its_status(own, tmp_path):
    (tmp_path / "job.sh").write_text("#!/bin/bash\n#SBATCH --account=project_2001234 --partition=test --time=5\nexit 7\n")
    assert own.run_to_end(tmp_path / "job.sh", tmp_path).returncode == 7


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_nothing_is_left_behind(tmp_path, key):
    twins.need_scheduler(CLUSTERS[key].scheduler.kind)
    twin = twin_of(CLUSTERS[key], tmp_path)
    twin.start()
    pid = int((twin.folder / "pid").read_text())
    assert twin.stop()
    assert not twin.folder.exists() and not Path(f"/proc/{pid}").exists()
    assert not twin.stop()


def test_grid_engine_killed_and_changed(tmp_path):
    twins.need_scheduler("grid_engine")
    twin, script = twin_of(CLUSTERS["arc4"], tmp_path), ROOT / "snippets/arc4/one_gpu.sh"
    try:
        assert twin.judge(script).returncode == 0
        pid = int((twin.folder / "pid").read_text())
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        assert twin.judge(script).returncode == 0
        queues = {name: queue.model_copy(update={"max_time": Walltime("0-00:10:00")}) for name, queue in twin.cluster.partitions.items()}
        changed = twin_of(twin.cluster.model_copy(update={"partitions": queues}), tmp_path)
        assert changed.judge(script).returncode != 0
    finally:
        twin.stop()


def test_the_command_passes_output_and_status_through(tmp_path):
    twins.need_scheduler("slurm")

    def twin(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "scripts.twin", *arguments], cwd=ROOT, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(tmp_path)})

    try:
        assert "gpu" in twin("puhti", "sinfo", "--noheader", "--format=%P").stdout.split()
        assert twin("puhti", "sbatch", "--test-only", str(SCRIPT)).returncode == 0
        assert twin("puhti", "sbatch", "--test-only", "snippets/mahti/one_gpu.sh").returncode == 1
        assert "there is no cluster `putti`" in twin("putti", "sinfo").stderr
    finally:
        assert "stopped the twin of Puhti" in twin("--stop-all").stdout


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_the_text_that_the_copy_button_gives_is_accepted(tmp_path, key):
    """tests/test_browser.py compares it with the file: all of it but the last line's end."""
    copied = tmp_path / "copied.sh"
    copied.write_text((ROOT / "snippets" / key / "one_gpu.sh").read_text().rstrip("\n"))
    assert twins.twin(CLUSTERS[key]).judge(copied).returncode == 0
