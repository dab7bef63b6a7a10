"""A Slurm cluster's twin: a private slurmctld, and a slurmd for each node that a job is given."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from pathlib import Path

import psutil

from scripts.errors import BadInput
from scripts.twin.daemon import MARK, JOB_SECONDS, PATIENCE_SECONDS, Twin, variables
from scripts.twin.policy_lua import job_submit_lua
from scripts.twin.slurm_conf import device_files, gres_conf, host_name, living_nodes, node_types, slurm_conf

# slurmctld calls it for nodes that a job was given: the nodes come to life, as in a cloud.
RESUME = """#!/bin/bash
export SLURM_CONF={conf} {mark}={folder}
for node in $(scontrol show hostnames "$1"); do
    slurmd -D -b -N "$node" -f {conf} < /dev/null >> {folder}/slurmd.out 2>&1 &
done
"""


INTERACTIVE = {"srun", "salloc", "ijob"}  # UVA's ijob hands its options to salloc
LONGEST_FOLDER = 50  # a Unix socket's path has at most 107 letters, of which Slurm needs the rest
RUNS_JOBS = {"sbatch", "srun", "salloc", "bash"}


class SlurmTwin(Twin):
    program = Path(shutil.which("slurmctld") or "/usr/sbin/slurmctld")
    package = "slurmctld"
    variables = ("SLURM_", "SBATCH_", "SALLOC_", "SRUN_")
    logs = ("slurmctld.log", "slurmctld.out")

    def addresses(self) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def node_ports(self) -> int:
        return living_nodes(self.cluster)

    def files(self, port: int) -> dict[str, str]:
        conf = self.folder / "slurm.conf"
        return {
            "slurm.conf": slurm_conf(self.cluster, self.folder, port),
            "gres.conf": gres_conf(self.cluster, self.folder),
            "job_submit.lua": job_submit_lua(self.cluster),
            "resume": RESUME.format(conf=shlex.quote(str(conf)), folder=shlex.quote(str(self.folder)), mark=MARK),
        } | {f"gpu{number}": "" for number in range(device_files(self.cluster))}

    def launch(self, port: int) -> subprocess.Popen:
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "resume").chmod(0o700)
        with (self.folder / "slurmctld.out").open("w") as out:
            return subprocess.Popen([self.program, "-D", "-f", self.folder / "slurm.conf"], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                    env=self.environment | {MARK: str(self.folder)}, cwd=self.folder, start_new_session=True)

    def owns(self, process: psutil.Process) -> bool:
        """slurmd starts the process of a job without the environment that marks it, and lets it go."""
        return super().owns(process) or process.name() == "slurmstepd" and f"SLURM_CONF={self.folder}/slurm.conf" in variables(process)

    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        return self.run(["sbatch", "--test-only", script], capture_output=True, text=True)

    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        """salloc has no --test-only; its options, and those of srun, are sbatch's."""
        if words[0] not in INTERACTIVE:
            return None
        options = [word for word in words[1:] if word.startswith("--") and word != "--pty"]
        return self.run(["sbatch", "--test-only", *options, "--wrap=true"], capture_output=True, text=True)

    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        return self.run(["sbatch", "--wait", script], cwd=folder, capture_output=True, text=True, timeout=JOB_SECONDS)

    def version(self) -> str:
        return "Slurm " + subprocess.run([self.program, "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        self.start()
        if Path(command[0]).name in RUNS_JOBS and "--test-only" not in command:
            self._wake()
        return subprocess.run(command, env=self.environment, **options)

    def _wake(self) -> None:
        """Bring the first node of each type to life; Slurm alone would do it too, but takes half a minute. Further nodes come that way."""
        if len(str(self.folder)) > LONGEST_FOLDER:
            raise BadInput(self.folder, None, "this path is too long for the sockets of a node.", "Set TMPDIR to a shorter folder, such as /tmp.")
        names = [host_name(key, 1) for key in node_types(self.cluster)]
        with self.lock():
            end = time.monotonic() + PATIENCE_SECONDS
            if not self._awake(names):
                self._ask("scontrol", "update", f"nodename={','.join(names)}", "state=power_up")
            while not self._awake(names):
                if time.monotonic() > end:
                    raise BadInput(self.folder / "slurmd.out", None, f"no node of {self.cluster.name}'s twin came to life.", "Is Debian's slurmd installed? Read that log.")
                time.sleep(0.05)

    def _awake(self, names: list[str]) -> bool:
        """A state such as `idle` without `~` (powered down) or `#` (powering up) behind it."""
        states = self._ask("sinfo", "--noheader", "--Node", f"--nodes={','.join(names)}", "--format=%T").split()
        return all(state.isalpha() for state in states)

    def _ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout
