"""A Slurm cluster's twin: a private slurmctld with a munged of its own, and a slurmd for each node that a job is given.

Slurm believes the user number in a munge credential. Only this munged has the key for it, and only the owner can reach
its socket.
"""

import os
import re
import shlex
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path

import psutil

from scripts.errors import BadInput
from scripts.twin import home
from scripts.twin.daemon import AS_TEXT, JOB_SECONDS, MARK, PATIENCE_SECONDS, STATUS_LATE, Twin, daemon
from scripts.twin.slurm.conf import device_files, first_nodes, gres_conf, living_nodes, slurm_conf
from scripts.twin.slurm.policy import job_submit_lua
from scripts.twin.slurm.ports import claim

# slurmctld calls it for nodes that a job was given: the nodes come to life, as in a cloud.
RESUME = """#!/bin/bash
export SLURM_CONF={conf}
# slurmctld counts in whole seconds, and takes no node that says it has booted before it was called
called=$EPOCHSECONDS; while ((EPOCHSECONDS == called)); do sleep 0.02; done
scontrol show hostnames "$1" | sed 's/^/slurmd /' > {folder}/wake
"""
# What a job is in when nothing more happens to it; else it waits, runs, or cleans up.
ENDED = set("BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED TIMEOUT".split())
RUNS_JOBS = {"sbatch", "srun", "salloc", "bash", "reframe"}
INTERACTIVE = {"srun", "salloc", "ijob"}  # UVA's ijob hands its options to salloc
ONLY_SALLOC = re.compile(r"--(no-)?(shell|bell)|(-K|--kill-command)(=?\w+)?")
# Newer versions look for cgroups although no plugin of ours uses them; older ones do not know this value.
CGROUP = "CgroupPlugin=disabled\n"
CGROUP_SINCE = (23, 11)
LONGEST_FOLDER = 50  # where nodes live: the path of slurmd's socket ends in /spool/NODE/NODE_JOB.STEP
MUNGED = Path(shutil.which("munged") or "/usr/sbin/munged")


@cache
def slurm_version(program: Path) -> str:
    return subprocess.run([program, "-V"], **AS_TEXT, check=True).stdout.split()[-1]


class SlurmTwin(Twin):
    programs = {"slurmctld": Path(shutil.which("slurmctld") or "/usr/sbin/slurmctld"), "munge": MUNGED}
    variables = ("SLURM_", "SBATCH_", "SALLOC_", "SRUN_")
    logs = ("slurmctld.log", "slurmctld.out", "munged.out")
    keeps_accounts = False

    def addresses(self) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def files(self) -> dict[str, str]:
        conf, folder = shlex.quote(str(self.folder / "slurm.conf")), shlex.quote(str(self.folder))
        found = {
            **self.with_ports(0),
            "gres.conf": gres_conf(self.cluster, self.folder),
            "job_submit.lua": job_submit_lua(self.cluster, self.keeps_accounts),
            "resume": RESUME.format(conf=conf, folder=folder),
        }
        if tuple(map(int, self.version().split()[1].split(".")[:2])) >= CGROUP_SINCE:
            found["cgroup.conf"] = CGROUP
        return found | {f"gpu{number}": "" for number in range(device_files(self.cluster))}

    def with_ports(self, first: int) -> dict[str, str]:
        """The files that name ports."""
        return {"slurm.conf": slurm_conf(self.cluster, self.folder, first)}

    def ports(self) -> int:
        return 1 + living_nodes(self.cluster)

    def prepare(self) -> list[int]:
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "resume").chmod(0o700)
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        port, held = claim(self.ports())
        (self.folder / "port").write_text(str(port), encoding="utf-8")
        for name, text in self.with_ports(port).items():
            (self.folder / name).write_text(text, encoding="utf-8")
        return [each.detach() for each in held]

    def daemons(self) -> dict[str, dict]:
        folder, environment = self.folder, self.environment | {MARK: str(self.folder)}
        files = (f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed"))
        socket = f"{folder}/munge.socket"
        # --force, because the folder keeps others from the socket, which is what is wanted
        munged = [MUNGED, "--foreground", "--force", "--num-threads=1", "--group-update-time=-1", f"--socket={socket}"]
        slurmctld = [self.programs["slurmctld"], "-D", "-f", folder / "slurm.conf"]
        slurmd = [self.slurmd, "-D", "-b", "-N", "{node}", "-f", folder / "slurm.conf"]
        return {
            "munged": daemon([*munged, *files], environment, socket=socket),
            "slurmctld": daemon(slurmctld, environment),
            "slurmd": daemon(slurmd, environment, needed=False),
        }

    @property
    def slurmd(self) -> Path:
        return Path(shutil.which("slurmd", path=self.environment["PATH"]) or "/usr/sbin/slurmd")

    def answers(self, processes: list[psutil.Process]) -> bool:
        """Does slurmctld itself listen? That the port answers is not enough: it may be somebody else's."""
        port = int(self.reads("port"))
        if not re.search(rf":{port:04X} \w+:0000 0A ", Path("/proc/net/tcp").read_text(encoding="utf-8")):
            return False  # nobody listens (0A): psutil needs 15 ms to say so, and the daemon needs the processor
        try:
            return any(
                each.status == psutil.CONN_LISTEN and each.laddr.port == port
                for process in processes
                for each in process.net_connections("tcp")
            )
        except psutil.Error:
            return False

    def judge(self, script: Path) -> subprocess.CompletedProcess[str]:
        return self.verdict(["sbatch", "--test-only", script.resolve()])

    def judge_interactive(self, words: list[str]) -> subprocess.CompletedProcess[str] | None:
        """srun has --test-only; salloc has not, but srun takes its options."""
        if words[0] not in INTERACTIVE:
            return None
        options = [word for word in words[1:] if not ONLY_SALLOC.fullmatch(word)]
        return self.verdict(["srun", "--test-only", *options, "true"])

    def run_to_end(self, script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
        """sbatch's own --wait asks after 2, 10 and 42 s only, however short the job."""
        with self.in_use():
            done = self.run(["sbatch", str(script.resolve())], cwd=folder, **AS_TEXT)
            number = re.search(r"batch job (\d+)", done.stdout)
            if done.returncode or not number:
                return done
            end = time.monotonic() + JOB_SECONDS
            while (status := self._status_of(number[1])) is None:
                if time.monotonic() > end:
                    self.run(["scancel", number[1]], capture_output=True)
                    status = STATUS_LATE
                    done.stderr += f"the job was ended after {JOB_SECONDS} s\n"
                    break
                time.sleep(0.2)
        return subprocess.CompletedProcess(done.args, status, done.stdout, done.stderr)

    def _status_of(self, job: str) -> int | None:
        """None while any task of it waits or runs; else the highest status of its tasks, as a shell would give it."""
        tasks = re.findall(r" JobState=(\w+) .* ExitCode=(\d+):(\d+) ", self._ask("scontrol", "-o", "show", "job", job))
        if not tasks or any(state not in ENDED for state, *_ in tasks):
            return None
        return max(
            int(status) or (128 + int(signal) if signal != "0" else int(state != "COMPLETED"))
            for state, status, signal in tasks
        )

    def version(self) -> str:
        return f"Slurm {slurm_version(self.programs['slurmctld'])}"

    def runs_jobs(self, command: list[str]) -> bool:
        return Path(command[0]).name in RUNS_JOBS and "--test-only" not in command

    def wake(self, nodes: int) -> None:
        """Bring the first nodes of each type to life. Slurm alone, which wakes any others, takes half a minute, and
        may take one that cannot live here.
        """
        home.usable(self.folder, LONGEST_FOLDER)
        self.needs("slurmd", self.slurmd, "no job can run on the twin")
        names = first_nodes(self.cluster, nodes)
        end = time.monotonic() + PATIENCE_SECONDS
        if not self._awake(names):
            self._ask("scontrol", "update", f"nodename={','.join(names)}", "state=power_up")
        while not self._awake(names):
            if time.monotonic() > end:
                what = f"no node of {self.cluster.name}'s twin came to life."
                raise BadInput(self.folder / "slurmd.out", None, what, "Read that log.")
            time.sleep(0.1)

    def _awake(self, names: list[str]) -> bool:
        """A state such as `idle` without `~` (powered down) or `#` (powering up) behind it."""
        states = self._ask("sinfo", "--noheader", "--Node", f"--nodes={','.join(names)}", "--format=%T").split()
        return bool(states) and all(state.isalpha() for state in states)

    def _ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, **AS_TEXT).stdout
