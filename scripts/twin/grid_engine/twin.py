"""A Grid Engine cluster's twin: a private qmaster, and an execd on its first GPU node where a job is to run.

Grid Engine believes whatever user a client says it is, and listens to the whole network. So it is given no network:
under socket_wrapper its sockets are files in the folder `net` of the twin, which only the owner can enter. The same
goes for the commands that speak to it.
"""

import os
import re
import shlex
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import psutil

from scripts.errors import BadInput
from scripts.twin import login
from scripts.twin.daemon import AS_TEXT, JOB_SECONDS, MARK, PATIENCE_SECONDS, STATUS_LATE, Twin, daemon
from scripts.twin.grid_engine.cell import LIBRARY, LIVING, SHARE, cell_files
from scripts.twin.grid_engine.policy import policy_jsv

LINKS = {"util": SHARE / "util", "bin": LIBRARY, "lib": LIBRARY, "utilbin": LIBRARY}
# A job starts at once, not at the next quarter minute.
PROMPT = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}
RUNS_JOBS = {"qsub", "qrsh", "qlogin", "qsh", "bash", "reframe"}
PORTS = {"SGE_QMASTER_PORT": "6444", "SGE_EXECD_PORT": "6445"}  # in a network of its own

# Every command of Grid Engine on the twin's PATH is this one, by its name.
COMMAND = """#!/bin/sh
LD_PRELOAD="{wrappers}" SOCKET_WRAPPER_DIR={folder}/net NSS_WRAPPER_HOSTS={folder}/hosts \
    NSS_WRAPPER_MAX_HOSTENTS=100000 LD_LIBRARY_PATH={library} exec {library}/"${{0##*/}}" "$@"
"""

# Grid Engine gives a job the home folder of the system's user, so the queue starts jobs by this.
STARTER = """#!/bin/bash
unset LD_PRELOAD SOCKET_WRAPPER_DIR  # the job's own network is the machine's
{variables}
exec "$@"
"""


def wrapper(name: str) -> Path:
    """Where the dynamic linker has a library of cwrap."""
    places = [Path(f"/usr/lib/{os.uname().machine}-linux-gnu"), Path("/usr/lib64"), Path("/usr/lib")]
    found = [place / f"lib{name}.so" for place in places]
    return next((path for path in found if path.exists()), found[0])


class GridEngineTwin(Twin):
    programs = {
        "gridengine-master": LIBRARY / "sge_qmaster",
        "gridengine-client": LIBRARY / "qsub",
        "libsocket-wrapper": wrapper("socket_wrapper"),
        "libnss-wrapper": wrapper("nss_wrapper"),
    }
    variables = ("SGE_", "SOCKET_WRAPPER_")
    logs = ("spool/messages", "sge_qmaster.out")

    def addresses(self) -> dict[str, str]:
        return {"SGE_ROOT": str(self.folder), "SGE_CELL": "cell"} | PORTS

    @property
    def wrappers(self) -> str:
        return f"{self.programs['libsocket-wrapper']} {self.programs['libnss-wrapper']}"

    @property
    def environment(self) -> dict[str, str]:
        """The commands stand first on the PATH, since those elsewhere know nothing of the twin's network."""
        found = super().environment
        return found | {"PATH": f"{self.folder}/commands:{found['PATH']}"}

    @property
    def daemons_environment(self) -> dict[str, str]:
        """The daemons also believe in the twin's host names, by way of nss_wrapper; the system knows none of them."""
        return self.environment | {
            MARK: str(self.folder),
            "LD_LIBRARY_PATH": str(LIBRARY),
            "SGE_ND": "1",
            "LD_PRELOAD": self.wrappers,
            "SOCKET_WRAPPER_DIR": f"{self.folder}/net",
            "NSS_WRAPPER_HOSTS": str(self.folder / "hosts"),
            "NSS_WRAPPER_MAX_HOSTENTS": "100000",
        }

    def files(self) -> dict[str, str]:
        return cell_files(self.cluster, self.folder) | {
            "policy": policy_jsv(self.cluster),
            "starter": STARTER.format(variables=login.exports(self.folder)),
            "command": COMMAND.format(folder=shlex.quote(str(self.folder)), library=LIBRARY, wrappers=self.wrappers),
        }

    def prepare(self) -> list[int]:
        for name, target in LINKS.items():
            (self.folder / name).symlink_to(target)
        for name in ("spool", "execd", "tmp", "net", "commands"):
            (self.folder / name).mkdir(mode=0o700)
        for name in ("policy", "starter", "command"):
            (self.folder / name).chmod(0o700)
        for program in LIBRARY.glob("q*"):
            (self.folder / "commands" / program.name).symlink_to("../command")
        new = self.folder / "new"
        for path in (SHARE / "util/resources/centry").iterdir():
            if not (new / "complexes" / path.name).exists():
                (new / "complexes" / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        self._prepare("spoolinit", "classic", "libspoolc", f"{self.folder}/cell/common;{self.folder}/spool", "init")
        self._prepare("spooldefaults", "configuration", new / "configuration")
        self._prepare("spooldefaults", "complexes", new / "complexes")
        self._prepare("spooldefaults", "usersets", SHARE / "util/resources/usersets")
        self._prepare("spooldefaults", "managers", self.reads("new/user"))
        self._prepare("spooldefaults", "exechosts", new / "hosts")
        self._prepare("spooldefaults", "pes", new / "parallel")
        return []

    def daemons(self) -> dict[str, dict]:
        master, node = self.daemons_environment, self.daemons_environment | {"NSS_WRAPPER_HOSTNAME": LIVING}
        return {
            "sge_qmaster": daemon([LIBRARY / "sge_qmaster"], master),
            "sge_execd": daemon([LIBRARY / "sge_execd"], node, needed=False),
        }

    def answers(self, processes: list[psutil.Process]) -> bool:
        for process in processes:
            self._has_no_network(process)
        return any((self.folder / "net").iterdir())

    def _has_no_network(self, process: psutil.Process) -> None:
        try:
            if not process.net_connections("inet"):
                return
        except psutil.Error:
            return
        process.kill()
        what = f"Grid Engine's daemon listens to the network, so the twin of {self.cluster.name} was ended."
        cure = "Install Debian's libsocket-wrapper for this machine's architecture."
        raise BadInput("libsocket-wrapper", None, what, cure)

    def settle(self) -> None:
        """The queues' instances come into being only when a living qmaster is given the queues."""
        self._until_ok(["qping", "-info", "localhost", PORTS["SGE_QMASTER_PORT"], "qmaster", "1"])
        shown = subprocess.run(["qconf", "-ssconf"], env=self.environment, **AS_TEXT).stdout
        new = self.folder / "new"
        prompt = re.sub(rf"(?m)^({'|'.join(PROMPT)})\s.*$", lambda line: f"{line[1]} {PROMPT[line[1]]}", shown)
        (new / "schedule").write_text(prompt, encoding="utf-8")
        self._until_ok(["qconf", "-Msconf", str(new / "schedule")])
        self._until_ok(["qconf", "-as", "localhost"])
        for queue in sorted((new / "queues").iterdir()):
            self._until_ok(["qconf", "-Aq", str(queue)])

    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        done = self.verdict(["qsub", "-w", "v", script.resolve()])
        done.stderr = done.stderr or done.stdout
        return done

    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        return self.verdict(["qrsh", "-w", "v", *words[1:]]) if words[0] == "qrsh" else None

    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        limit = ["timeout", "--signal=INT", "--kill-after=10", str(JOB_SECONDS)]  # at SIGINT qsub takes the job back
        done = self.run([*limit, "qsub", "-sync", "y", script.resolve()], cwd=folder, **AS_TEXT)
        if done.returncode == STATUS_LATE:
            done.stderr += f"the job was ended after {JOB_SECONDS} s\n"
        return done

    def version(self) -> str:
        return f"Grid Engine {self.verdict(['qstat', '-help']).stdout.split()[1]}"

    def runs_jobs(self, command: list[str]) -> bool:
        return (
            any(Path(word).name in RUNS_JOBS for word in command)
            and "-verify" not in command
            and ("-w", "v") not in list(pairwise(command))
        )

    def wake(self, nodes: int) -> None:
        """Bring the first GPU node to life."""
        self.needs("gridengine-exec", LIBRARY / "sge_execd", "no job can run on the twin")
        answers = ["qping", "-info", LIVING, PORTS["SGE_EXECD_PORT"], "execd", "1"]
        if self._as_daemon(answers).returncode:
            self.start_daemon("sge_execd")
            self._until_ok(answers)

    def _prepare(self, program: str, *arguments: str | os.PathLike) -> None:
        done = self._as_daemon([LIBRARY / program, *arguments])
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            what = f"{program} {arguments[0]} ended with {done.returncode}: {said[-300:]}."
            raise BadInput(self.folder, None, what, "Check that Debian's gridengine-master is complete.")

    def _as_daemon(self, command: list[str | os.PathLike]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=self.daemons_environment, cwd=self.folder, **AS_TEXT)

    def _until_ok(self, command: list[str]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while self._as_daemon(command).returncode:
            if time.monotonic() > end:
                what = f"`{' '.join(command)}` has no success on the twin of {self.cluster.name}."
                raise BadInput(self.folder, None, what, "Read the logs in that folder.")
            time.sleep(0.05)
