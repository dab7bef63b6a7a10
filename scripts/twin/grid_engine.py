"""A Grid Engine cluster's twin: a private qmaster, and an execd on its first GPU node where a job is to run."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

from scripts.errors import BadInput
from scripts.twin import login
from scripts.twin.daemon import MARK, JOB_SECONDS, PATIENCE_SECONDS, Twin
from scripts.twin.grid_engine_cell import LIBRARY, LIVING, SHARE, cell_files
from scripts.twin.policy_jsv import policy_jsv

LINKS = {"util": SHARE / "util", "bin": LIBRARY, "lib": LIBRARY, "utilbin": LIBRARY}
PROMPT = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}  # a job starts at once, not at the next quarter minute
RUNS_JOBS = {"qsub", "qrsh", "qlogin", "qsh", "bash"}

# Grid Engine gives a job the home folder of the system's user, so the queue starts jobs by this.
STARTER = """#!/bin/bash
{variables}
exec "$@"
"""


class GridEngineTwin(Twin):
    program = LIBRARY / "sge_qmaster"
    package = "gridengine-master"
    variables = ("SGE_",)
    logs = ("spool/messages", "qmaster.out")

    def addresses(self) -> dict[str, str]:
        return {"SGE_ROOT": str(self.folder), "SGE_CELL": "cell"} | dict(line.split("=") for line in self._reads("ports").split())

    @property
    def daemons_environment(self) -> dict[str, str]:
        """The daemons believe in the twin's host names, by way of nss_wrapper; the system knows nothing of them."""
        return self.environment | {MARK: str(self.folder), "LD_LIBRARY_PATH": str(LIBRARY), "SGE_ND": "1", "LD_PRELOAD": "libnss_wrapper.so",
                                   "NSS_WRAPPER_HOSTS": str(self.folder / "hosts"), "NSS_WRAPPER_MAX_HOSTENTS": "100000"}

    def files(self, port: int) -> dict[str, str]:
        return cell_files(self.cluster, self.folder) | {"policy": policy_jsv(self.cluster), "starter": STARTER.format(variables=login.exports(self.folder)), "ports": f"SGE_QMASTER_PORT={port}\nSGE_EXECD_PORT={port + 1}\n"}

    def launch(self, port: int) -> subprocess.Popen:
        for name, target in LINKS.items():
            (self.folder / name).symlink_to(target)
        for name in ("spool", "execd", "tmp"):
            (self.folder / name).mkdir()
        for name in ("policy", "starter"):
            (self.folder / name).chmod(0o700)
        new = self.folder / "new"
        for path in (SHARE / "util/resources/centry").iterdir():
            if not (new / "complexes" / path.name).exists():
                (new / "complexes" / path.name).write_text(path.read_text())
        self._prepare("spoolinit", "classic", "libspoolc", f"{self.folder}/cell/common;{self.folder}/spool", "init")
        self._prepare("spooldefaults", "configuration", new / "configuration")
        self._prepare("spooldefaults", "complexes", new / "complexes")
        self._prepare("spooldefaults", "usersets", SHARE / "util/resources/usersets")
        self._prepare("spooldefaults", "managers", self._reads("new/user"))
        self._prepare("spooldefaults", "exechosts", new / "hosts")
        self._prepare("spooldefaults", "pes", new / "parallel")
        return self._daemon_process("sge_qmaster", "qmaster.out", {})

    def settle(self) -> None:
        """The queue's instances come into being only when a living qmaster is given the queue."""
        self._until_ok(["qping", "-info", "localhost", self.addresses()["SGE_QMASTER_PORT"], "qmaster", "1"])
        shown = subprocess.run(["qconf", "-ssconf"], env=self.environment, capture_output=True, text=True).stdout
        prompt = re.sub(r"^(schedule_interval|flush_submit_sec|flush_finish_sec)\s.*$", lambda line: f"{line[1]} {PROMPT[line[1]]}", shown, flags=re.MULTILINE)
        (self.folder / "new" / "schedule").write_text(prompt)
        for command in (["qconf", "-Msconf", str(self.folder / "new" / "schedule")], ["qconf", "-as", "localhost"], ["qconf", "-Aq", str(self.folder / "new" / "queue")]):
            self._until_ok(command)

    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        done = self.run(["qsub", "-w", "v", script], capture_output=True, text=True)
        done.stderr = done.stderr or done.stdout
        return done

    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        if words[0] != "qrsh":
            return None
        return self.run(["qrsh", "-w", "v", *words[1:]], capture_output=True, text=True)

    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        return self.run(["qsub", "-sync", "y", script], cwd=folder, capture_output=True, text=True, timeout=JOB_SECONDS)

    def version(self) -> str:
        said = self.run(["qstat", "-help"], capture_output=True, text=True)
        return f"Grid Engine {said.stdout.split()[1]}"

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        self.start()
        words = [str(word) for word in command]
        if Path(words[0]).name in RUNS_JOBS and "-verify" not in words and ("-w", "v") not in list(zip(words, words[1:])):
            self._wake()
        return subprocess.run(command, env=self.environment, **options)

    def _wake(self) -> None:
        """Bring the first GPU node to life."""
        answers = ["qping", "-info", LIVING, self.addresses()["SGE_EXECD_PORT"], "execd", "1"]
        with self.lock():
            if not self._answers(answers):
                self._daemon_process("sge_execd", "execd.out", {"NSS_WRAPPER_HOSTNAME": LIVING})
                self._until_ok(answers)

    def _daemon_process(self, name: str, log: str, more: dict[str, str]) -> subprocess.Popen:
        with (self.folder / log).open("w") as out:
            return subprocess.Popen([LIBRARY / name], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.daemons_environment | more, cwd=self.folder, start_new_session=True)

    def _prepare(self, program: str, *arguments: str | os.PathLike) -> None:
        done = subprocess.run([LIBRARY / program, *arguments], env=self.daemons_environment, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise BadInput(self.folder, None, f"{program} {arguments[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}", "Is Debian's gridengine-master whole?")

    def _answers(self, command: list[str]) -> bool:
        return subprocess.run(command, env=self.daemons_environment, cwd=self.folder, capture_output=True).returncode == 0

    def _until_ok(self, command: list[str]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._answers(command):
            if time.monotonic() > end:
                raise BadInput(self.folder, None, f"`{' '.join(command)}` has no success on the twin of {self.cluster.name}.", "Read the logs in that folder.")
            time.sleep(0.05)
