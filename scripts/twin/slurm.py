"""Start, find and stop a cluster's private slurmctld; run Slurm's commands against it.

A twin lives in a folder of its own below the user's temporary folder, one for each checkout and cluster. It listens on loopback only,
touches nothing of the system's Slurm, and starts anew when the facts have changed or the process is gone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import ROOT, Cluster
from scripts.twin.policy_lua import job_submit_lua
from scripts.twin.slurm_conf import device_files, gres_conf, slurm_conf

PATIENCE_SECONDS = 30


def home() -> Path:
    """Where this user's twins of this checkout live."""
    checkout = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"gpu-guide-twins-{os.getuid()}-{checkout}"


class SlurmTwin:
    def __init__(self, cluster: Cluster, folder: Path | None = None):
        self.cluster = cluster
        self.folder = (folder or home()) / cluster.key

    @property
    def environment(self) -> dict[str, str]:
        """The caller's environment, without what would point Slurm elsewhere, and with this twin's configuration."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_", "SALLOC_", "SRUN_"))}
        return kept | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        """Run a Slurm command as on the cluster's login node; start the twin first if it does not run."""
        self.start()
        return subprocess.run(command, env=self.environment, **options)

    def start(self) -> None:
        """Make sure that a twin with today's facts answers. Raises BadInput if Slurm is missing or does not start."""
        program = shutil.which("slurmctld", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if not program:
            raise BadInput("slurmctld", None, "Slurm is not installed, so there is no twin.", "Install Debian's slurm-wlm, or run `make test` once.")
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            wanted = self._wanted()
            if self._process() and self._reads("wanted") == wanted:
                return
            self._kill()
            for name in ("state", "spool"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
                (self.folder / name).mkdir()
            for number in range(device_files(self.cluster)):
                (self.folder / f"gpu{number}").touch()
            port = self._free_port()
            (self.folder / "slurm.conf").write_text(slurm_conf(self.cluster, self.folder, port))
            (self.folder / "gres.conf").write_text(gres_conf(self.cluster, self.folder))
            (self.folder / "job_submit.lua").write_text(job_submit_lua(self.cluster))
            with (self.folder / "slurmctld.out").open("w") as out:
                daemon = subprocess.Popen([program, "-D", "-f", self.folder / "slurm.conf"], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                          env=self.environment, cwd=self.folder, start_new_session=True, pass_fds=())
            (self.folder / "pid").write_text(str(daemon.pid))
            self._await(daemon, port)
            (self.folder / "wanted").write_text(wanted)

    def stop(self) -> bool:
        """End the twin and remove its folder. True if it ran."""
        ran = self._process() is not None
        self._kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        return ran

    def _wanted(self) -> str:
        made = slurm_conf(self.cluster, self.folder, 0) + gres_conf(self.cluster, self.folder) + job_submit_lua(self.cluster)
        return hashlib.sha256(made.encode()).hexdigest()

    def _reads(self, name: str) -> str:
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def _process(self) -> int | None:
        """The pid of our slurmctld, if the pid file's process is really it."""
        pid = self._reads("pid")
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes() if pid else b""
        except OSError:
            return None
        return int(pid) if str(self.folder / "slurm.conf").encode() in command else None

    def _kill(self) -> None:
        """End the daemon, and with it the group: slurmctld keeps a helper process, slurmscriptd."""
        if pid := self._process():
            os.killpg(pid, signal.SIGKILL)
            try:
                os.waitpid(pid, 0)  # ours to reap, if this very process started it
            except ChildProcessError:
                while self._process():
                    time.sleep(0.005)

    @staticmethod
    def _free_port() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def _await(self, daemon: subprocess.Popen, port: int) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end and daemon.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        tail = self._reads("slurmctld.log")[-600:] + self._reads("slurmctld.out")[-600:]
        self._kill()
        reasons = [line for line in tail.splitlines() if "fatal" in line or "error" in line] or ["no reason given"]
        raise BadInput(self.folder / "slurmctld.log", None, f"the twin of {self.cluster.name} did not start: {reasons[-1]}.", "Read that log.")
