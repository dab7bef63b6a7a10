"""What every twin has in common: a folder of its own, one scheduler daemon, and the commands run against it.

A twin lives below the user's temporary folder, one for each checkout and cluster. It listens on loopback only, touches nothing of the
system's scheduler, and starts anew when the facts have changed or the daemon is gone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from scripts.errors import BadInput
from scripts.facts import ROOT, Cluster
from scripts.twin import login
from scripts.twin.ports import claim_ports

PATIENCE_SECONDS = 30
JOB_SECONDS = 120  # for a job at small size
PORT_ATTEMPTS = 3
MARK = "GPU_GUIDE_TWIN"  # an environment variable that every daemon of a twin carries: its folder


def home() -> Path:
    """Where this user's twins of this checkout live."""
    checkout = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"gpu-guide-twins-{os.getuid()}-{checkout}"


class Twin:
    """One cluster's scheduler; a subclass for each kind. All methods but `start` and `stop` start it when it does not run."""

    def __init__(self, cluster: Cluster, folder: Path | None = None):
        self.cluster = cluster
        self.folder = (folder or home()) / cluster.key

    # What a scheduler of one kind adds.
    program: Path  # the daemon
    package: str  # the Debian package that brings it
    variables: tuple[str, ...] = ()  # prefixes of environment variables that would point the commands elsewhere
    logs: tuple[str, ...] = ()  # files of the twin's folder in which a failed start gives its reason

    def node_ports(self) -> int:
        """How many ports the nodes need, beside the daemon's."""
        return 1

    def files(self, port: int) -> dict[str, str]:
        """The scheduler's configuration: path in the folder -> text. The daemon listens on `port`, the nodes on those behind it."""
        raise NotImplementedError

    def launch(self, port: int) -> subprocess.Popen:
        """Start the daemon in the foreground of a session of its own; the files are written."""
        raise NotImplementedError

    def settle(self) -> None:
        """What can be set only once the daemon answers."""

    def addresses(self) -> dict[str, str]:
        """Environment variables by which the scheduler's commands find this twin."""
        raise NotImplementedError

    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        """Would the cluster take this job script? Status 0 if so, otherwise its reasons on stderr."""
        raise NotImplementedError

    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        """The same for a command that asks for an interactive job. None if the command is the site's own, so that nobody here knows it."""
        raise NotImplementedError

    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        """Submit a script in a folder and wait for the job's end. The status is the job's."""
        raise NotImplementedError

    def version(self) -> str:
        """The scheduler with its version, as the program gives it."""
        raise NotImplementedError

    # What they share.
    @property
    def environment(self) -> dict[str, str]:
        """The caller's environment, without what would point the commands elsewhere, and as on the cluster's login node."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(self.variables)}
        return kept | {"PATH": f"{kept.get('PATH', '')}:/usr/sbin:/sbin"} | login.environment(self.folder) | self.addresses()

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        """Run a command as on the cluster's login node; start the twin first if it does not run."""
        self.start()
        return subprocess.run(command, env=self.environment, **options)

    def start(self) -> None:
        """Make sure that a twin with today's facts answers. Raises BadInput if the scheduler is missing or does not start."""
        if not self.program.exists():
            raise BadInput(self.program.name, None, f"{self.package} is not installed, so there is no twin of {self.cluster.name}.", f"Install Debian's {self.package}, or run `make test` once.")
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self.lock():
            wanted = self._wanted()
            if self._daemon() and self._reads("wanted") == wanted:
                return
            for attempt in range(1, PORT_ATTEMPTS + 1):
                self.end_processes()
                try:
                    self._start(wanted)
                    return
                except BadInput:  # somebody may have taken the port between our asking and the daemon's
                    if attempt == PORT_ATTEMPTS:
                        raise

    @contextmanager
    def lock(self) -> Iterator[None]:
        """One process at a time starts the twin or wakes its nodes."""
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _start(self, wanted: str) -> None:
        for path in self.folder.iterdir():
            if path.name != "lock":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        port = claim_ports(self.folder, 1 + self.node_ports())
        for name, text in self.files(port).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        login.write(self.folder, self.cluster)
        daemon = self.launch(port)
        (self.folder / "pid").write_text(str(daemon.pid))
        self._await(daemon, port)
        self.settle()
        (self.folder / "wanted").write_text(wanted)

    def stop(self) -> bool:
        """End the twin with all that runs in it, and remove its folder. True if it ran."""
        ran = self.end_processes()
        shutil.rmtree(self.folder, ignore_errors=True)
        return ran

    def processes(self) -> list[psutil.Process]:
        """Every process of this twin: the daemons, by their mark, and what they started, such as jobs."""
        found = {}
        for process in psutil.process_iter():
            try:
                if self.owns(process):
                    found |= {each.pid: each for each in (process, *process.children(recursive=True))}
            except psutil.Error:
                continue
        return list(found.values())

    def owns(self, process: psutil.Process) -> bool:
        """Is this a daemon of this twin?"""
        return f"{MARK}={self.folder}" in variables(process)

    def end_processes(self) -> bool:
        """End whatever of this twin runs. True if there was something."""
        processes = self.processes()
        for process in processes:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                pass
        psutil.wait_procs(processes, timeout=PATIENCE_SECONDS)
        return bool(processes)

    def _wanted(self) -> str:
        return hashlib.sha256(repr([self.files(0), self.cluster.software.modules]).encode()).hexdigest()

    def _reads(self, name: str) -> str:
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def _daemon(self) -> psutil.Process | None:
        """Our daemon, if the pid file's process is really it."""
        try:
            process = psutil.Process(int(self._reads("pid")))
            return process if self.owns(process) and process.status() != psutil.STATUS_ZOMBIE else None
        except (ValueError, psutil.Error):
            return None

    def _await(self, daemon: subprocess.Popen, port: int) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end and daemon.poll() is None:
            if self._listens(daemon.pid, port):
                return
            time.sleep(0.01)
        said = [line for name in self.logs for line in self._reads(name)[-2000:].splitlines() if "fatal" in line or "error" in line or "|C|" in line or "|E|" in line]
        self.end_processes()
        raise BadInput(self.folder / self.logs[0], None, f"the twin of {self.cluster.name} did not start: {(said or ['no reason given'])[-1]}.", "Read that log.")

    @staticmethod
    def _listens(pid: int, port: int) -> bool:
        """Does this very process listen? That the port answers is not enough: it may be somebody else's."""
        try:
            return any(each.laddr and each.laddr.port == port for each in psutil.Process(pid).net_connections())
        except psutil.Error:
            return False


def variables(process: psutil.Process) -> list[str]:
    """A process's environment as `NAME=value`; empty if it may not be read. psutil's own stops at a title that a process gave itself."""
    try:
        return os.fsdecode(Path(f"/proc/{process.pid}/environ").read_bytes()).split("\0")
    except OSError:
        return []
