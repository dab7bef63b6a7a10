"""The twins: they start, survive what happens to daemons, end by themselves, and leave nothing behind."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from scripts.errors import BadInput
from scripts.facts.units import Walltime
from scripts.twin import daemon, home, login, processes, twin_of
from scripts.twin.daemon import AS_TEXT, Twin
from scripts.twin.grid_engine.policy import _perl, policy_jsv
from scripts.twin.keeper import Keeper
from scripts.twin.slurm import twin as slurm
from scripts.twin.slurm.ports import claim
from tests.clusters import CLUSTERS
from tests.run import run, until
from tests.snippets.sandbox import ROOT
from tests.tiers import by_day
from tests.twin import kept

SCRIPT = ROOT / "snippets/puhti/one_gpu.sh"
of_slurm = pytest.mark.parametrize("lasting", ["puhti"], indirect=True)
JOB = "#!/bin/bash\n#SBATCH --account=project_2001234 --partition=test --time=5\n"


def keeper(twin: Twin) -> psutil.Process:
    return psutil.Process(int(twin.reads("pid")))


def alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def judge(twin: Twin, script: Path = SCRIPT) -> int:
    return twin.run(["sbatch", "--test-only", script], capture_output=True).returncode


@pytest.mark.parametrize("victim", by_day(["keeper", "munged", "slurmctld", "sge_qmaster"], {"keeper", "slurmctld"}))
def test_after_a_kill_the_next_command_says_so_and_works(short, victim, capfd):
    key = "arc4" if victim == "sge_qmaster" else "puhti"
    kept.need_scheduler(CLUSTERS[key].scheduler.kind)
    twin, script = twin_of(CLUSTERS[key], short), ROOT / f"snippets/{key}/one_gpu.sh"
    try:
        assert twin.judge(script).returncode == 0
        before = twin.processes()
        next(each for each in before if any(victim in word for word in each.cmdline())).kill()
        assert until(lambda: not any(alive(each) for each in before))  # the others end by themselves
        capfd.readouterr()
        assert twin.judge(script).returncode == 0
        (said,) = capfd.readouterr().err.splitlines()
        assert said.startswith(f"The twin of {twin.cluster.name} had stopped (") and victim in said
        assert twin.judge(script).returncode == 0
        assert capfd.readouterr().err == ""
    finally:
        twin.stop()


def test_a_stale_pid_file_is_not_believed(own):
    own.folder.mkdir(parents=True)
    (own.folder / "pid").write_text(str(os.getpid()), encoding="utf-8")  # a living process, but not a twin
    assert judge(own) == 0


def test_changed_facts_are_used_by_the_next_command(own, short):
    assert judge(own) == 0
    first = (own.folder / "pid").read_text(encoding="utf-8")
    puhti = own.cluster
    shorter = puhti.partitions["gpu"].model_copy(update={"max_time": Walltime("0-00:10:00")})
    changed = slurm.SlurmTwin(puhti.model_copy(update={"partitions": puhti.partitions | {"gpu": shorter}}), short)
    assert judge(changed) != 0
    second = (own.folder / "pid").read_text(encoding="utf-8")
    assert second != first
    software = puhti.software.model_copy(update={"modules": [*puhti.software.modules, "new/1.0"]})
    more = slurm.SlurmTwin(changed.cluster.model_copy(update={"software": software}), short)
    load = ["env", "bash", "-lc", "module load new/1.0"]  # a command that begins with `bash` would wake nodes
    assert more.run(load, capture_output=True).returncode == 0, "the new module"
    assert (own.folder / "pid").read_text(encoding="utf-8") != second


@of_slurm
def test_many_verdicts_at_once(lasting, tmp_path):
    bad = tmp_path / "bad.sh"
    bad.write_text(SCRIPT.read_text(encoding="utf-8").replace("v100:1", "v100:5"), encoding="utf-8")
    with ThreadPoolExecutor(16) as pool:
        verdicts = list(pool.map(lambda number: judge(lasting, bad if number % 2 else SCRIPT), range(60)))
    assert [code != 0 for code in verdicts] == [bool(number % 2) for number in range(60)]


@pytest.mark.parametrize(
    "key, package",
    [("puhti", "slurmctld"), ("puhti", "munge"), ("arc4", "gridengine-master"), ("arc4", "libsocket-wrapper")],
)
def test_without_the_scheduler_it_says_so(short, monkeypatch, key, package):
    twin = twin_of(CLUSTERS[key], short)
    monkeypatch.setattr(twin, "programs", {package: short / "nothing"})
    with pytest.raises(BadInput, match=f"{package} is not installed"):
        twin.start()
    assert list(short.iterdir()) == []


def test_the_scheduler_need_not_be_on_the_path(own, monkeypatch):
    monkeypatch.setenv("PATH", str(own.folder))
    assert judge(own) == 0


def test_a_port_that_is_taken_does_no_harm(own, monkeypatch):
    """Somebody takes the port between our asking for it and the daemon's."""
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        offered = iter([(squatter.getsockname()[1], [])])
        monkeypatch.setattr(slurm, "claim", lambda number: next(offered, None) or claim(number))
        assert judge(own) == 0
        assert next(offered, None) is None


def test_no_two_twins_get_the_same_ports():
    with ThreadPoolExecutor(8) as pool:
        claims = list(pool.map(lambda _: claim(40), range(30)))
    firsts = [first for first, _ in claims]
    assert all(later - earlier >= 40 for earlier, later in pairwise(sorted(firsts)))
    with socket.socket() as other:  # whoever else asks finds them taken, and our daemons may listen there
        with pytest.raises(OSError):
            other.bind(("127.0.0.1", firsts[0]))
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", firsts[0]))
        other.listen()
    for _, held in claims:
        for each in held:
            each.close()


def test_a_twin_that_cannot_start_says_why(own, monkeypatch):
    monkeypatch.setattr(slurm, "slurm_conf", lambda *arguments: "ClusterName=puhti\nNoSuchLine=1\n")
    with pytest.raises(BadInput, match="did not start"):
        own.start()
    assert own.processes() == []


def test_files_left_by_a_dead_twin_do_no_harm(own):
    """Power was cut: the folder is full, nothing runs."""
    assert judge(own) == 0
    processes.end_processes(own.folder)
    (own.folder / "state" / "job_state").write_bytes(b"half a fil")
    (own.folder / "slurmctld.pid").write_text("1", encoding="utf-8")
    assert judge(own) == 0


def test_a_job_runs_and_leaves_nothing_behind(own, short, tmp_path):
    (tmp_path / "long.sh").write_text(
        JOB + 'sleep 1000 &\necho "$SLURM_JOB_NODELIST" > started\nwait\n', encoding="utf-8"
    )
    own.run(["sbatch", "long.sh"], cwd=tmp_path, capture_output=True, check=True)
    started = tmp_path / "started"
    assert until(lambda: started.exists() and started.stat().st_size)  # it is there before its text
    assert started.read_text(encoding="utf-8").startswith("cpu-")
    ours = own.processes()
    assert any(variable.startswith("SLURM_JOB_ID=") for process in ours for variable in processes.variables(process))
    assert own.stop()
    assert not any(alive(process) for process in ours)
    assert list(short.iterdir()) == [] and not own.stop()


@pytest.mark.parametrize(
    ("name", "variable", "ends"),
    [
        ("slurmstepd", "SLURM_CONF={}/slurm.conf", True),  # as newer Slurm starts the process of a job
        ("job", "GPU_GUIDE_TWIN={}", True),
        ("job", "SLURM_CONF={}/slurm.conf", False),  # a reader's own, who asks the twin
        ("slurmstepd", "SLURM_CONF={}2/slurm.conf", False),
        ("job", "GPU_GUIDE_TWIN={}2", False),
    ],
)
def test_the_processes_of_a_twin_end_with_it_and_no_others(short, name, variable, ends):
    shutil.copy(shutil.which("sleep"), short / name)
    process = subprocess.Popen([short / name, "600"], env=dict([variable.format(short / "puhti").split("=")]))
    try:
        assert processes.stop(short / "puhti") is ends
        assert (process.poll() is None) is not ends
    finally:
        process.kill()
        process.wait()


@of_slurm
def test_a_job_on_several_nodes_gets_those_that_can_live(lasting, tmp_path):
    """Also when only one of them is awake."""
    several = "-A project_2001234 -p gpu -t 5 --nodes=3 --gpus-per-node=v100:1 --wrap=true"
    job = lasting.run(["sbatch", "--parsable", *several.split()], cwd=tmp_path, **AS_TEXT).stdout.strip()
    nodes = ["squeue", "--noheader", "--format=%N", f"--jobs={job}"]
    assert until(lambda: lasting.run(nodes, **AS_TEXT).stdout.strip())
    assert lasting.run(nodes, **AS_TEXT).stdout.strip() == "gpu-[00001-00003]"


def test_a_job_waits_for_one_that_is_known_and_for_no_other(own):
    held = own.run(["sbatch", "--parsable", "--hold", SCRIPT], **AS_TEXT).stdout.strip()
    kinds = ("after", "afterany", "afternotok", "afterok")
    asked = {f"{kind}:{number}": waits for kind in kinds for number, waits in ((held, True), ("987654", False))}
    asked |= {f"afterany:{held}:987654": True, f"afterany:{held},afterok:{held}": True}
    for dependency, waits in asked.items():
        words = ["sbatch", "--parsable", "--hold", f"--dependency={dependency}", SCRIPT]
        job = own.run(words, **AS_TEXT).stdout.strip()
        said = own.run(["scontrol", "-o", "show", "job", job], **AS_TEXT).stdout
        kept_for = re.search(r"Dependency=(\S+)", said)[1]
        assert (held in kept_for) is waits, f"{dependency} is kept as {kept_for}"


@pytest.mark.parametrize("name", ["x" * 60, "x" * 100, "with space", "with;semicolon", "mit-ä"])
def test_a_path_that_schedulers_cannot_have_is_named(short, name):
    """With 60 letters it is too long for nodes only."""
    kept.need_scheduler("slurm")
    twin = slurm.SlurmTwin(CLUSTERS["puhti"], short / name)
    said = "too long for the sockets" if "xx" in name else "characters that schedulers do not accept"
    try:
        with pytest.raises(BadInput, match=f"{said}.*Set TMPDIR"):
            twin.run(["sbatch" if len(name) == 60 else "sinfo", str(SCRIPT)])
    finally:
        twin.stop()


@of_slurm
def test_a_failed_job_gives_its_status(lasting, tmp_path, monkeypatch):
    (tmp_path / "job.sh").write_text(JOB + "exit 7\n", encoding="utf-8")
    done = lasting.run_to_end(tmp_path / "job.sh", tmp_path)
    assert done.returncode == 7
    failed = lasting._ask("scontrol", "-o", "show", "job", done.stdout.split()[-1])
    good = failed.replace("JobState=FAILED", "JobState=COMPLETED").replace("ExitCode=7:0", "ExitCode=0:0")
    killed, runs = failed.replace("ExitCode=7:0", "ExitCode=0:9"), good.replace("COMPLETED", "RUNNING")
    arrays = {(good, failed): 7, (failed, good): 7, (good, good): 0, (failed, killed, good): 137, (failed, runs): None}
    for tasks, status in arrays.items():  # of an array, whose tasks Slurm starts half a minute apart
        monkeypatch.setattr(lasting, "_ask", lambda *_, tasks=tasks: "\n".join(tasks))
        assert lasting._status_of("1") == status, tasks


@pytest.mark.nightly
def test_a_job_that_takes_too_long_is_ended(each, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[type(each).__module__], "JOB_SECONDS", 15)
    options = JOB if each.cluster.key == "puhti" else "#!/bin/bash\n#$ -l h_rt=0:5:0 -cwd\n"
    (tmp_path / "job.sh").write_text(f"{options}touch started\nsleep 1000\n", encoding="utf-8")
    done = each.run_to_end(tmp_path / "job.sh", tmp_path)
    assert (tmp_path / "started").exists()
    assert done.returncode == 124 and "was ended after 15 s" in done.stderr
    queue = ["squeue", "--noheader"] if each.cluster.key == "puhti" else ["qstat"]
    assert until(lambda: each.run(queue, **AS_TEXT).stdout == "")


def test_a_verdict_that_does_not_come_is_not_waited_for(own, monkeypatch):
    own.start()
    slurmctld = next(each for each in own.processes() if each.name() == "slurmctld")
    slurmctld.suspend()
    monkeypatch.setattr(daemon, "VERDICT_SECONDS", 0.2)
    with pytest.raises(BadInput, match="gave no verdict within 0.2 s"):
        own.judge(SCRIPT)


def test_who_is_not_heard_by_a_busy_scheduler_asks_again(lasting, tmp_path):
    busy = "Unable to run job: unable to contact qmaster"  # 58 of 64 qsub, when the qmaster sleeps for 8 s
    asks = f"test -e {tmp_path}/asked || {{ touch {tmp_path}/asked; echo '{busy}' >&2; exit 1; }}"
    assert lasting.verdict(["sh", "-c", asks]).returncode == 0


@of_slurm
def test_a_script_may_be_named_like_an_option(lasting, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-x.sh").write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    assert lasting.judge(Path("-x.sh")).returncode == 0


INTERACTIVE = {
    "srun -A project_2001234 -p test -t 10 --pty bash": True,
    "srun -A project_2001234 -p nosuch -t 10 --pty bash": False,
    "salloc -A project_2001234 -p gpu -t 10 --gres=gpu:v100:1 --no-shell": True,
    "salloc --account=project_2001234 -p gpu -t 10 --gres=gpu:v100:9": False,
    "salloc -p test -t 10": False,
}


@of_slurm
def test_interactive_jobs_are_judged_with_their_short_options(lasting):
    taken = {words: lasting.judge_interactive(words.split()).returncode == 0 for words in INTERACTIVE}
    assert taken == INTERACTIVE


def test_a_twin_is_used_until_its_command_ends(short, monkeypatch):
    twin = twin_of(CLUSTERS["puhti"], short)
    monkeypatch.setattr(twin, "programs", {})
    removed = iter([FileNotFoundError])  # by another process's --stop-all

    def ensure() -> bool:
        for fault in removed:
            raise fault
        twin.folder.mkdir()
        return True

    monkeypatch.setattr(twin, "_ensure", ensure)
    with twin.in_use():
        os.utime(twin.folder / "used", (0, 0))
    assert time.time() - (twin.folder / "used").stat().st_mtime < 60


@pytest.mark.parametrize("below, ends", [("slurmstepd", False), ("sge_shepherd", False), ("slurmd", True)])
def test_a_job_of_either_scheduler_keeps_an_idle_twin(short, monkeypatch, below, ends):
    (short / "used").touch()
    idle, cleared = Keeper.__new__(Keeper), []
    idle.folder, idle.plan = str(short), {"idle_seconds": 0}
    monkeypatch.setattr(idle, "descendants", lambda: {1: below})
    monkeypatch.setattr(idle, "clear", lambda: cleared.append(True))
    idle.end_if_idle()
    assert bool(cleared) is ends


def test_a_twin_ends_by_itself_when_idle(each, short, monkeypatch):
    monkeypatch.setattr(daemon, "IDLE_SECONDS", 1)
    each.start()
    ours = each.processes()
    each.run(["sleep", "2"])  # as long as a command runs, the twin is in use
    assert all(alive(process) for process in ours)
    assert until(lambda: not any(alive(process) for process in ours), 20)
    assert until(lambda: list(short.iterdir()) == [])


@pytest.mark.parametrize("gone", ["folder", "folder, with another in its place", "checkout"])
def test_a_twin_ends_when_its_folder_or_checkout_is_gone(each, short, tmp_path, monkeypatch, gone):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    monkeypatch.setattr(daemon, "ROOT", checkout)
    each.start()
    ours = each.processes()
    if gone == "checkout":
        checkout.rmdir()
    else:
        each.folder.rename(tmp_path / "away")
    if "another" in gone:
        each.folder.mkdir(mode=0o700)
        (each.folder / "used").touch()
    assert until(lambda: not any(alive(process) for process in ours), 20)
    assert gone != "checkout" or until(lambda: list(short.iterdir()) == [])


def command(checkout: Path, tmpdir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "scripts.twin", *arguments, cwd=checkout, env={"TMPDIR": str(tmpdir)})


def test_the_command_passes_output_and_status_through(short):
    kept.need_scheduler("slurm")
    try:
        first = command(ROOT, short, "puhti", "sinfo", "--noheader", "--format=%P")
        assert "gpu" in first.stdout.split()
        said = "Puhti's simulated scheduler has started. It ends 30 minutes after its last command or job.\n"
        assert first.stderr == said
        again = command(ROOT, short, "puhti", "sbatch", "--test-only", str(SCRIPT))
        assert again.returncode == 0 and "The twin of" not in again.stderr
        assert command(ROOT, short, "puhti", "sh", "-c", "kill -9 $$").returncode == 137, "as a shell tells it"
        assert command(ROOT, short, "puhti", "sbatch", "--test-only", "snippets/mahti/one_gpu.sh").returncode == 1
        assert "there is no cluster `putti`" in command(ROOT, short, "putti", "sinfo").stderr
        assert "there is no command `sinfoo`" in command(ROOT, short, "puhti", "sinfoo").stderr
    finally:
        assert "stopped the twin of puhti" in command(ROOT, short, "--stop-all").stdout
    assert list(short.iterdir()) == []


@pytest.fixture
def checkout(tmp_path) -> Path:
    """Another checkout, with what twins need of it."""
    copy = tmp_path / "guide"
    shutil.copytree(ROOT / "scripts", copy / "scripts")
    shutil.copytree(ROOT / "docs/clusters", copy / "docs/clusters")  # the facts name their pages
    (copy / "snippets").mkdir()
    shutil.copy(ROOT / "snippets/centres.yml", copy / "snippets")
    for path in (ROOT / "snippets").glob("*/cluster.yml"):
        (copy / "snippets" / path.parent.name).mkdir(parents=True)
        shutil.copy(path, copy / "snippets" / path.parent.name)
    return copy


def test_stop_needs_no_facts_and_leaves_other_checkouts_alone(checkout, short):
    kept.need_scheduler("slurm")
    for key in ("puhti", "mahti"):
        assert command(checkout, short, key, "sinfo").returncode == 0
    (theirs,) = short.glob("gpu-guide-*/*/puhti")
    try:
        assert command(ROOT, short, "puhti", "sinfo").returncode == 0
        ours = processes.processes(theirs)
        assert command(ROOT, short, "--stop-all").stdout == "stopped the twin of puhti\n"
        assert theirs.exists() and all(alive(each) for each in ours)
        for broken, status in ("lumi", 0), ("puhti", 1):  # another cluster's file is not read
            (checkout / f"snippets/{broken}/cluster.yml").write_text("nonsense: [\n", encoding="utf-8")
            assert command(checkout, short, "puhti", "sinfo").returncode == status
    finally:
        done = command(checkout, short, "--stop-all")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "stopped the twin of mahti\nstopped the twin of puhti\n"
    assert list(short.iterdir()) == []


def test_stop_all_finds_twins_whose_folder_is_gone(short):
    kept.need_scheduler("slurm")
    assert command(ROOT, short, "puhti", "sinfo").returncode == 0
    (folder,) = short.glob("gpu-guide-*/*/puhti")
    ours = processes.processes(folder)
    started_by = next(each for each in ours if "keeper.py" in " ".join(each.cmdline()))
    started_by.suspend()  # otherwise it ends them all by itself
    shutil.rmtree(folder.parent)
    done = command(ROOT, short, "--stop-all")
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped the twin of puhti\n", "")
    assert not any(alive(each) for each in ours)
    assert list(short.iterdir()) == []


def test_a_login_node_has_the_module_that_brings_containers():
    for cluster in CLUSTERS.values():
        wanted = {cluster.software.container_module, *cluster.software.own_modules, *cluster.software.loadable} - {None}
        assert wanted <= {*login.modules(cluster)}


def test_a_name_with_a_version_stands_in_for_the_name_without_one(tmp_path):
    login.write_modules(tmp_path, ["a", "a/1", "b"])
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.lua")} == {"a/1.lua", "b.lua"}


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_no_variable_of_the_caller_points_its_commands_elsewhere(key, short, monkeypatch):
    twin = twin_of(CLUSTERS[key], short)
    assert twin.variables
    for name in twin.variables:
        monkeypatch.setenv(f"{name}MINE", "x")
    assert "x" not in {twin.environment.get(f"{name}MINE") for name in twin.variables}


def test_a_text_of_the_facts_is_the_same_in_perl():
    for text in ('the "4" @Leeds costs $x', "für 5 € \\\\ %s"):
        done = subprocess.run(["perl", "-e", f"print {_perl(text)}"], **AS_TEXT)
        assert (done.stdout, done.stderr) == (text, "")
    arc4 = CLUSTERS["arc4"].model_copy(update={"name": 'ARC "4"'})
    assert r'jsv_correct("as ARC \"4\" did")' in policy_jsv(arc4)


def test_two_collections_have_a_folder_each(tmp_path, monkeypatch):
    ours = home.home()
    monkeypatch.setattr(home, "OURS", False)
    theirs = set()
    for name in "ab":
        monkeypatch.setattr(home, "FACTS", tmp_path / name)
        theirs.add(home.home())
    assert len({ours, *theirs}) == 3 and all(each.name.startswith(home.checkout()) for each in theirs)
