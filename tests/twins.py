"""The twins of one test run: in a folder of their own, ended with the run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from scripts.facts import Cluster, load_all
from scripts.twin.slurm import SlurmTwin
from tests.needs import need

ROOM = "GPU_GUIDE_TEST_TWINS"  # an environment variable, so that xdist's workers share one folder


def make_room() -> None:
    os.environ[ROOM] = tempfile.mkdtemp(prefix="twins-")


def room() -> Path:
    return Path(os.environ[ROOM])


def twin(cluster: Cluster) -> SlurmTwin:
    """This run's twin of a Slurm cluster; the test is skipped (under CI=true: fails) where Slurm is not installed."""
    need("/usr/sbin/slurmctld", "slurmctld")
    return SlurmTwin(cluster, room())


@cache
def slurm_version() -> str:
    return subprocess.run([need("/usr/sbin/slurmctld", "slurmctld"), "-V"], capture_output=True, text=True, check=True).stdout.split()[-1]


def clear() -> None:
    clusters = load_all()
    for folder in room().glob("*/"):
        if folder.name in clusters:
            SlurmTwin(clusters[folder.name], room()).stop()
    shutil.rmtree(room(), ignore_errors=True)
