"""The twins of one test run: in a folder of their own, ended with the run."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from scripts.facts import Cluster, load_all
from scripts.twin import twin_of
from scripts.twin.daemon import Twin
from scripts.twin.grid_engine.twin import wrapper
from scripts.twin.processes import stop_below
from tests.needs import need

ROOM = "GPU_GUIDE_TEST_TWINS"  # an environment variable, so that xdist's workers share one folder


def make_room() -> None:
    os.environ[ROOM] = tempfile.mkdtemp(prefix="twins-", dir="/tmp")  # short, for the sockets


def room() -> Path:
    return Path(os.environ[ROOM])


PACKAGES = {
    "slurm": {
        "/usr/sbin/slurmctld": "slurmctld",
        "/usr/sbin/slurmd": "slurmd",
        "sbatch": "slurm-client",
        "/usr/sbin/munged": "munge",
    },
    "grid_engine": {
        "/usr/lib/gridengine/sge_qmaster": "gridengine-master",
        "/usr/lib/gridengine/sge_execd": "gridengine-exec",
        "qsub": "gridengine-client",
        str(wrapper("socket_wrapper")): "libsocket-wrapper",
        str(wrapper("nss_wrapper")): "libnss-wrapper",
    },
}


def need_scheduler(kind: str) -> None:
    """The test is skipped (under CI=true: fails) where the scheduler is not installed."""
    for program, package in PACKAGES[kind].items():
        need(program, package)


def twin(cluster: Cluster) -> Twin:
    """This run's twin of a cluster."""
    need_scheduler(cluster.scheduler.kind)
    return twin_of(cluster, room())


@cache
def version(kind: str) -> str:
    """`Slurm 22.05.8`, as the program says it."""
    return twin(next(cluster for cluster in load_all().values() if cluster.scheduler.kind == kind)).version()


def clear() -> None:
    """End them all. The facts are not asked: they may be what broke the run."""
    stop_below(room())
    shutil.rmtree(room(), ignore_errors=True)
