"""Twins on a shared machine: another user can neither use nor read nor end them, and has twins of their own.

The other user is a real one, by number; so these tests need root. A stranger may say anything to a daemon that
listens. What a stranger says who claims to be the owner is, byte by byte, what the owner says with the same forged
client; so the owner plays that part.
"""

import multiprocessing
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from scripts.errors import BadInput
from scripts.twin import __main__ as command
from scripts.twin import daemon, home, processes, twin_of
from scripts.twin.daemon import AS_TEXT
from scripts.twin.slurm import twin as slurm
from tests.clusters import CLUSTERS
from tests.run import until
from tests.snippets.sandbox import ROOT
from tests.tiers import by_day
from tests.twin import kept

STRANGER = 65534
NAMELESS = next(number for number in range(54_321, 60_000) if number not in {user.pw_uid for user in pwd.getpwall()})
needs_root = pytest.mark.skipif(
    os.getuid() != 0, reason="only root can act as a second user: these tests are left out."
)


@pytest.fixture(autouse=True)
def keeper_for_all(monkeypatch):
    """The checkout may lie where only its owner can read; what a stranger's own twin needs is made readable here."""
    with tempfile.TemporaryDirectory(prefix="keeper-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        monkeypatch.setattr(daemon, "KEEPER", Path(shutil.copy(daemon.KEEPER, folder)))
        yield


@pytest.fixture
def theirs():
    """A folder of the stranger's."""
    with tempfile.TemporaryDirectory(prefix="theirs-", dir="/tmp") as folder:
        os.chown(folder, STRANGER, STRANGER)
        yield Path(folder)


def as_user(number: int, act: Callable[[], object]) -> object:
    """What `act` returns, run as another user. Raises BadInput again, and AssertionError for all else."""
    told, tell = multiprocessing.Pipe()

    def become_and_act() -> None:
        os.setgroups([])
        os.setgid(number)
        os.setuid(number)
        os.chdir("/")
        sys.executable = "/usr/bin/python3"  # the tests' own may lie where only its owner can read
        try:
            tell.send(("returned", act()))
        except BadInput as fault:
            tell.send(("bad input", str(fault)))
        except BaseException as fault:
            tell.send(("raised", repr(fault)))

    child = multiprocessing.get_context("fork").Process(target=become_and_act)
    child.start()
    how, answer = told.recv()
    child.join()
    if how == "bad input":
        raise BadInput("", None, answer, "")
    assert how == "returned", answer
    return answer


def refused(act: Callable[[], object]) -> bool:
    try:
        act()
    except PermissionError:
        return True
    return False


def connect(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(path))


@needs_root
@pytest.mark.parametrize("lasting", ["puhti", "arc4"], indirect=True)
def test_a_stranger_can_read_and_reach_nothing(lasting):
    lasting.start()
    files = sorted(path for path in lasting.folder.rglob("*") if not path.is_dir())
    sockets = [path for path in files if path.is_socket()]
    assert sockets and len(files) > 10

    def look() -> list[str]:
        open_to_all = [str(path) for path in files if not refused(path.stat)]
        open_to_all += [str(path) for path in sockets if not refused(lambda path=path: connect(path))]
        folders = (lasting.folder, lasting.folder.parent)
        return open_to_all + [str(path) for path in folders if not refused(lambda path=path: os.listdir(path))]

    assert as_user(STRANGER, look) == []


@needs_root
def test_no_daemon_listens_beyond_this_machine(lasting):
    """Grid Engine believes whatever a client says, so it has no port at all."""
    lasting.run(["bash", "-c", "true"])  # wakes a node
    daemons = sorted(process.name() for process in lasting.needed())
    assert daemons[-1] == ("slurmctld" if lasting.cluster.key == "puhti" else "sge_qmaster")
    heard: set[str] = set()
    for process in lasting.processes():
        with suppress(psutil.NoSuchProcess):  # such as a script that has ended
            heard |= {end.laddr.ip for end in process.net_connections("inet") if end.status == psutil.CONN_LISTEN}
    assert heard == (set() if lasting.cluster.key == "arc4" else {"127.0.0.1"})


def forged(conf: str, folder: Path, **changes: str) -> Path:
    """A slurm.conf as a stranger would write it, who has guessed all of the owner's."""
    lines = [line for line in conf.splitlines() if line.partition("=")[0] not in changes]
    (folder / "slurm.conf").write_text(
        "\n".join([*lines, *(f"{name}={value}" for name, value in changes.items())]) + "\n", encoding="utf-8"
    )
    for name in ("gres.conf", "cgroup.conf"):
        (folder / name).write_text("AutoDetect=off\n" if name == "gres.conf" else slurm.CGROUP, encoding="utf-8")
    if slurm.slurm_version(slurm.SlurmTwin.programs["slurmctld"]).startswith("22."):
        (folder / "cgroup.conf").unlink()
    for path in (folder, *folder.iterdir()):
        path.chmod(0o755)
    return folder / "slurm.conf"


def submits(conf: Path, target: Path) -> bool:
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin", "SLURM_CONF": str(conf), "HOME": "/"}
    done = subprocess.run(
        ["sbatch", "--account=project_2001234", "--partition=test", "--time=5", f"--wrap=touch {target}"],
        cwd="/tmp",
        env=environment,
        **AS_TEXT,
        timeout=120,
    )
    return done.returncode == 0


NO_AUTHENTICATION = {"AuthType": "auth/none", "CredType": "cred/none", "AuthInfo": "socket=/nowhere"}


@needs_root
@pytest.mark.parametrize(
    "claims_to_be, door_is_open", by_day([(STRANGER, False), (0, False), (STRANGER, True)], {(STRANGER, False)})
)
def test_a_stranger_cannot_submit(own, theirs, monkeypatch, claims_to_be, door_is_open):
    """The same forged client gets in where the door is open: so this test can fail."""
    if door_is_open:
        conf = slurm.slurm_conf
        monkeypatch.setattr(slurm, "slurm_conf", lambda *given: conf(*given).replace("/munge\n", "/none\n"))
    own.start()
    path = forged(own.reads("slurm.conf"), theirs, **NO_AUTHENTICATION)
    assert as_user(claims_to_be, lambda: submits(path, theirs / "owned")) is door_is_open
    if not door_is_open:
        assert own.run(["squeue", "--noheader"], **AS_TEXT).stdout == ""


@needs_root
@pytest.mark.parametrize("wrapped", [True, False], ids=["through the owner's folder", "through the network"])
def test_a_stranger_cannot_speak_to_grid_engine(short, theirs, wrapped):
    kept.need_scheduler("grid_engine")
    twin = twin_of(CLUSTERS["arc4"], short)
    try:
        twin.start()
        os.rmdir(theirs)
        shutil.copytree(twin.folder / "cell", theirs / "cell")
        subprocess.run(["chmod", "-R", "a+rX", theirs], check=True)
        environment = {
            "PATH": "/usr/bin:/bin",
            "SGE_ROOT": str(theirs),
            "SGE_CELL": "cell",
            "SGE_QMASTER_PORT": "6444",
            "SGE_EXECD_PORT": "6445",
        }
        if wrapped:
            environment |= {
                "LD_PRELOAD": str(twin.programs["libsocket-wrapper"]),
                "SOCKET_WRAPPER_DIR": f"{twin.folder}/net",
            }
        ask = ["/usr/lib/gridengine/qstat"]
        assert (
            as_user(STRANGER, lambda: subprocess.run(ask, env=environment, capture_output=True, timeout=60).returncode)
            != 0
        )
        if wrapped:  # and the same client, run by the owner, is heard
            assert subprocess.run(ask, env=environment, capture_output=True, timeout=60).returncode == 0
    finally:
        twin.stop()


@needs_root
def test_a_stranger_cannot_end_a_twin(lasting):
    lasting.start()
    ours = lasting.needed()  # what an earlier test started may end by itself

    def try_all() -> list[str]:
        ended = processes.stop_below(lasting.folder.parent)
        ended += [lasting.cluster.key] * processes.end_processes(lasting.folder)
        return ended + [
            process.name()
            for process in ours
            if not refused(lambda process=process: os.kill(process.pid, signal.SIGKILL))
        ]

    try:
        assert as_user(STRANGER, try_all) == []
    except AssertionError as fault:
        assert "PermissionError" in str(fault)
    assert all(process.is_running() for process in ours) and lasting.folder.exists()
    assert lasting.start() is False


@needs_root
@pytest.mark.parametrize("key", by_day(["puhti", "arc4"], {"puhti"}))
def test_a_second_user_has_twins_beside_the_first(short, theirs, key):
    """Also a twin of a user without rights: it judges, and runs a job to its end."""
    kept.need_scheduler(CLUSTERS[key].scheduler.kind)
    first = twin_of(CLUSTERS[key], short)
    script = theirs / "job.sh"
    options = {
        "puhti": "#SBATCH --account=project_2001234 --partition=test --time=5 --output=said",
        "arc4": "#$ -l h_rt=0:5:0 -cwd -o said",
    }[key]
    script.write_text(f"#!/bin/bash\n{options}\nid -u\n", encoding="utf-8")
    script.chmod(0o755)

    def second() -> list:
        twin = twin_of(CLUSTERS[key], theirs)
        try:
            judged, ran = twin.judge(script), twin.run_to_end(script, theirs)
            return [judged.returncode, ran.returncode, ran.stderr, (theirs / "said").read_text(encoding="utf-8")]
        finally:
            twin.stop()

    try:
        first.start()
        assert as_user(STRANGER, second) == [0, 0, "", f"{STRANGER}\n"]
        assert first.start() is False
    finally:
        first.stop()


def test_a_lying_environment_is_not_believed(each, monkeypatch):
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "alice")
    assert each.judge(ROOT / f"snippets/{each.cluster.key}/one_gpu.sh").returncode == 0


@needs_root
@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_a_user_without_a_name_is_told_so(theirs, key):
    os.chown(theirs, NAMELESS, NAMELESS)
    with pytest.raises(BadInput, match=f"user number {NAMELESS} has no name"):
        as_user(NAMELESS, lambda: twin_of(CLUSTERS[key], theirs).start())
    assert list(theirs.iterdir()) == []


def is_made(mode: int, above: int = 0o700, owner: int | None = None) -> Callable[[Path], None]:
    """Makes the twins' folder with these rights, and the one above it."""

    def make(base: Path) -> None:
        base.mkdir()
        base.chmod(mode)
        base.parent.chmod(above)
        if owner:
            os.chown(base, owner, owner)

    return make


@pytest.mark.parametrize(
    "spoil, said",
    [
        (lambda base: base.symlink_to(base.parent), "is a link or a file"),
        (Path.touch, "is a link or a file"),
        (lambda base: base.parent.rmdir(), "is not a folder that you can use"),
        pytest.param(is_made(0o700, owner=STRANGER), "belongs to another user, number 65534", marks=needs_root),
        *((is_made(mode), "is open to others") for mode in (0o755, 0o750, 0o710, 0o704)),
        *((is_made(0o700, above), "other users can replace") for above in (0o770, 0o707)),
    ],
)
def test_a_folder_that_is_not_ours_alone_is_refused(short, monkeypatch, spoil, said):
    """By whatever starts or stops a twin, and nothing is made or removed."""
    kept.need_scheduler("slurm")
    folder = short / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    spoil(home.base())
    before = sorted(short.rglob("*"))
    for arguments in (["puhti", "sinfo"], ["--stop-all"])[: 2 if os.path.lexists(home.base()) else 1]:
        monkeypatch.setattr(sys, "argv", ["twin", *arguments])
        with pytest.raises(BadInput, match=said):
            command.main()
    assert sorted(short.rglob("*")) == before


@needs_root
@pytest.mark.parametrize(
    "key, kilobytes",
    by_day(
        [("puhti", 4), ("puhti", 40), ("puhti", 60), ("arc4", 4), ("arc4", 40), ("arc4", 120), ("arc4", 400)],
        {("puhti", 40), ("arc4", 120)},
    ),
)
def test_a_full_disk_is_one_sentence_and_leaves_nothing(short, key, kilobytes):
    kept.need_scheduler(CLUSTERS[key].scheduler.kind)
    disk = short / "d"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "none", disk], capture_output=True
    ).returncode:
        pytest.skip("no file system can be mounted here: this test is left out.")
    try:
        twin = twin_of(CLUSTERS[key], disk)
        with pytest.raises(BadInput, match="No space left on device.*Make room"):
            twin.start()
        assert twin.processes() == [] and list(disk.iterdir()) == []
        subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
        twin.start()
        subprocess.run(["dd", "if=/dev/zero", f"of={disk}/rest"], stderr=subprocess.DEVNULL)
        with pytest.raises(BadInput, match="No space left on device.*Make room"):
            twin.ask(b"#!/bin/bash\n", "a.sh")
    finally:
        twin.stop()
        # What has just ended may hold a file for another moment.
        assert until(lambda: subprocess.run(["umount", disk], capture_output=True) and not disk.is_mount())
