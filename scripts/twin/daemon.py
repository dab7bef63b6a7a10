"""What every twin has in common: a folder of its own, a keeper with the daemons, and the commands run against it.

A twin lives in a folder that only its owner can enter, one for each checkout and cluster. It touches nothing of the
system's scheduler, believes nobody but its owner, starts anew when the facts have changed or a daemon is gone, and ends
by itself when nobody uses it.
"""

import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import psutil

from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import ROOT
from scripts.twin import home, login
from scripts.twin.processes import MARK, PATIENCE_SECONDS, clear, end_processes, living, owns, processes, stop

AS_TEXT = {"capture_output": True, "encoding": "utf-8", "errors": "replace"}  # how a command is run that is read
VERDICT_SECONDS = 60
NOT_HEARD = re.compile("unable to contact|Zero Bytes|timed out|unable to send message to qmaster", re.IGNORECASE)
JOB_SECONDS = 120  # for a job at small size
IDLE_SECONDS = 30 * 60
LOOK_SECONDS = 2  # how often the keeper looks whether anybody still needs it
ATTEMPTS = 3
LEAST_ROOM = 4096  # bytes: less is a full disk
KEEPER = Path(__file__).with_name("keeper.py")
STATUS_LATE = 124  # as timeout(1) has it


def daemon(command: list, environment: dict[str, str], needed: bool = True, socket: str | None = None) -> dict:
    """A daemon, as the keeper reads it.

    One that is needed starts at once, and the twin ends with it. The next waits for its socket, if it has one.
    """
    words = [str(word) for word in command]
    return {"command": words, "environment": environment, "needed": needed, "socket": socket}


class Twin(ABC):
    """One cluster's scheduler; a subclass for each kind. All methods but `stop` start it when it does not run."""

    def __init__(self, cluster: Cluster, folder: Path | None = None):
        self.cluster = cluster
        self.shared = folder is None
        self.folder = (folder or home.home()) / f"{cluster.key}{self.suffix}"

    # What a scheduler of one kind adds.
    programs: dict[str, Path]  # what must be installed, with the Debian package that brings it
    variables: tuple[str, ...] = ()  # prefixes of environment variables that would point the commands elsewhere
    logs: tuple[str, ...] = ()  # files of the twin's folder in which a failed start gives its reason
    suffix = ""  # of the folder's name, where a cluster has more twins than one

    @abstractmethod
    def files(self) -> dict[str, str]:
        """What the facts say, as the scheduler reads it: path in the folder -> text."""

    @abstractmethod
    def prepare(self) -> list[int]:
        """What comes before the daemons, once the files are written. Returns descriptors that the keeper holds open."""

    @abstractmethod
    def daemons(self) -> dict[str, dict]:
        """By name, for the keeper."""

    @abstractmethod
    def answers(self, processes: list[psutil.Process]) -> bool:
        """Are the daemons ready? Raises BadInput if they are not what they should be."""

    def settle(self) -> None:  # noqa: B027
        """What can be set only once the daemons answer."""

    @abstractmethod
    def addresses(self) -> dict[str, str]:
        """Environment variables by which the scheduler's commands find this twin."""

    @abstractmethod
    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        """Would the cluster take this job script? Status 0 if so, otherwise its reasons on stderr."""

    def ask(self, script: bytes, name: str) -> subprocess.CompletedProcess[str]:
        """The same for a script by its text."""
        with self.writing(), self.in_use(), tempfile.TemporaryDirectory(dir=self.folder, prefix="asked-") as folder:
            file = Path(folder, Path(name).name)
            file.write_bytes(script)
            return self.judge(file)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Raises BadInput where the twin's folder cannot be written: a full disk, a quota."""
        try:
            yield
        except OSError as fault:
            what = f"the twin of {self.cluster.name} cannot be written here: {fault.strerror}."
            cure = "Make room, or set TMPDIR to another folder of your own."
            raise BadInput(fault.filename or self.folder, None, what, cure) from None

    @abstractmethod
    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        """The same for a command that asks for an interactive job. None if it is the site's own, unknown here."""

    @abstractmethod
    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        """Submit a script in a folder and wait for its end. The status is the job's, or 124 if it took too long."""

    @abstractmethod
    def version(self) -> str:
        """The scheduler with its version, as the program gives it."""

    @abstractmethod
    def wake(self, nodes: int) -> None:
        """Bring so many nodes of each type with GPUs to life, and one of the others, for a command that runs jobs."""

    @abstractmethod
    def runs_jobs(self, command: list[str]) -> bool:
        """May this command run a job, so that a node must live?"""

    # What they share.
    @property
    def environment(self) -> dict[str, str]:
        """The caller's, without what would point the commands elsewhere, and as on the cluster's login node."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(self.variables)}
        path = {"PATH": f"{kept.get('PATH', '')}:/usr/sbin:/sbin:/usr/bin:/bin"}
        return kept | path | login.environment(self.folder) | self.addresses()

    def run(self, command: list[str | os.PathLike], nodes: int = 1, **options) -> subprocess.CompletedProcess:
        """Run a command as on the cluster's login node; start the twin first if it does not run.

        nodes: how many of each type with GPUs live already when a job of this command comes.
        """
        words = [str(word) for word in command]
        with self.in_use():
            if self.runs_jobs(words):
                with home.locked(self.folder):
                    self.wake(nodes)
            return subprocess.run(words, env=self.environment, **options)

    def verdict(self, command: list[str | os.PathLike]) -> subprocess.CompletedProcess[str]:
        """Run a command that judges, again while the scheduler is too busy to hear it.

        Raises BadInput if it says nothing in time.
        """
        end = time.monotonic() + VERDICT_SECONDS
        try:
            while True:
                done = self.run(command, **AS_TEXT, timeout=end - time.monotonic())
                if not NOT_HEARD.search(done.stderr):
                    return done
                time.sleep(0.1)
        except subprocess.TimeoutExpired:
            what = f"the twin of {self.cluster.name} gave no verdict within {VERDICT_SECONDS} s."
            raise BadInput(self.folder, None, what, "Stop it and try again: guide twin --stop-all") from None

    def start(self) -> bool:
        """Make sure that a twin with today's facts answers. True if it did not run before.

        Raises BadInput if the scheduler is missing or does not start.
        """
        with self.in_use() as started:
            return started

    def needs(self, package: str, program: Path, lack: str) -> None:
        """Raises BadInput if a program is not installed, with what is lacking then."""
        if not program.exists():
            what = f"{package} is not installed, so {lack} of {self.cluster.name}."
            raise BadInput(program.name, None, what, f"Install Debian's {package}, or run `make test` once.")

    @contextmanager
    def in_use(self) -> Iterator[bool]:
        """The twin runs, and does not end by itself while this is open. Gives True if it was started for this."""
        for package, program in self.programs.items():
            self.needs(package, program, "there is no twin")
        home.user()
        with self.writing():
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    started, used = self._use()
                    break
                except FileNotFoundError:  # somebody's --stop-all has just removed the folder
                    if attempt == ATTEMPTS:
                        raise
        with used:
            yield started
            if self.folder.exists():
                os.utime(used.fileno())

    def _use(self) -> tuple[bool, TextIO]:
        """Start it if need be, and hold the file that says that it is in use."""
        if self.shared:
            home.private(self.folder.parent.parent)
        home.private(self.folder.parent)
        home.usable(self.folder)
        with home.locked(self.folder):
            started = self._ensure()
            used = (self.folder / "used").open("a", encoding="utf-8")
            fcntl.flock(used, fcntl.LOCK_SH)
            os.utime(used.fileno())
        return started, used

    def _ensure(self) -> bool:
        """Start it if it does not run with today's facts. The lock is held."""
        wanted = hashlib.sha256(repr([self.files(), login.modules(self.cluster)]).encode()).hexdigest()
        lives = len(self.needed()) == len([each for each in self.daemons().values() if each["needed"]]) + 1
        if lives and self.reads("wanted") == wanted:
            return False
        if not lives and self.reads("wanted"):
            reason = self.reads("ended") or "its keeper was killed"
            print(f"The twin of {self.cluster.name} had stopped ({reason}) and starts again.", file=sys.stderr)
        for attempt in range(1, ATTEMPTS + 1):
            end_processes(self.folder)
            try:
                self._start(wanted)
                return True
            except OSError:
                end_processes(self.folder)
                clear(self.folder)
                raise
            except BadInput:
                end_processes(self.folder)
                if "No space left" in self.said():
                    clear(self.folder)
                if attempt == ATTEMPTS or not self.folder.exists():
                    raise  # else another attempt, for somebody may have taken a port
        return True

    def _start(self, wanted: str) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        for name, text in self.files().items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")
        login.write(self.folder, self.cluster)
        (self.folder / "used").touch()
        os.mkfifo(self.folder / "wake")
        held = self.prepare()
        plan = {"checkout": str(ROOT), "idle_seconds": IDLE_SECONDS, "look_seconds": LOOK_SECONDS}
        plan["daemons"] = self.daemons()
        (self.folder / "keeper.json").write_text(json.dumps(plan), encoding="utf-8")
        try:
            with (self.folder / "keeper.out").open("w", encoding="utf-8") as out:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", KEEPER, self.folder],
                    pass_fds=held,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    cwd=self.folder,
                    env={MARK: str(self.folder)},
                    start_new_session=True,
                )
        finally:
            for number in held:
                os.close(number)
        (self.folder / "pid").write_text(str(process.pid), encoding="utf-8")
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.answers(self.needed()):
            if process.poll() is not None or time.monotonic() > end:
                if shutil.disk_usage(self.folder).free < LEAST_ROOM:  # then the daemons cannot even write why
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.folder))
                what = f"the twin of {self.cluster.name} did not start: {self.said()}."
                raise BadInput(self.folder / self.logs[0], None, what, "Read that log.")
            time.sleep(0.02)
        self.settle()
        (self.folder / "wanted").write_text(wanted, encoding="utf-8")

    def said(self) -> str:
        """The last complaint in the logs."""
        marks = ("fatal", "error", "Error", "|C|", "|E|", "No space")
        every = (line for name in (*self.logs, "keeper.out") for line in self.reads(name)[-4000:].splitlines())
        lines = [line for line in every if any(mark in line for mark in marks)]
        return lines[-1].strip().rstrip(".") if lines else "no reason given"

    def stop(self) -> bool:
        """End the twin with all that runs in it, and remove its folder. True if it ran."""
        return stop(self.folder)

    def processes(self) -> list[psutil.Process]:
        """Every process of this twin: the keeper, the daemons, and what they started, such as jobs."""
        return processes(self.folder)

    def needed(self) -> list[psutil.Process]:
        """The keeper and the daemons that all else needs, as far as they live."""
        numbers = f"{self.reads('pid')} {self.reads('pids')}".split()
        return [process for number in numbers if (process := living(int(number))) and owns(self.folder, process)]

    def reads(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def start_daemon(self, name: str) -> None:
        """Ask the keeper for one more daemon."""
        with (self.folder / "wake").open("a", encoding="utf-8") as wake:
            wake.write(f"{name}\n")
