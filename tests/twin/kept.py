"""The twins of one test run: in a folder of their own, ended with the run."""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from scripts.facts import Cluster, load_all
from scripts.twin import twin_of
from scripts.twin.daemon import Twin
from scripts.twin.processes import stop_below
from tests.needs import is_there, leave_out

ROOM = "GPU_GUIDE_TEST_TWINS"  # an environment variable, so that xdist's workers share one folder


def make_room() -> None:
    os.environ[ROOM] = tempfile.mkdtemp(prefix="twins-", dir="/tmp")  # short, for the sockets


def room() -> Path:
    return Path(os.environ[ROOM])


PACKAGES = {
    "slurm": ("slurmctld", "slurmd", "slurm-client", "munge"),
    "grid_engine": ("gridengine-master", "gridengine-exec", "gridengine-client", "libsocket-wrapper", "libnss-wrapper"),
    "accounts": ("slurmdbd", "mariadb-server-core", "mariadb-client-core"),
}


def need_scheduler(kind: str) -> None:
    """The test is skipped (under CI=true: fails) where the scheduler, or what keeps its accounts, is not installed."""
    for package in PACKAGES[kind]:
        if not is_there(package):
            leave_out(package)


def twin(cluster: Cluster, accounts: bool = False) -> Twin:
    """This run's twin of a cluster."""
    need_scheduler("accounts" if accounts else cluster.scheduler.kind)
    return twin_of(cluster, room(), accounts)


@cache
def version(kind: str) -> str:
    """`Slurm 22.05.8`, as the program says it."""
    return twin(next(cluster for cluster in load_all().values() if cluster.scheduler.kind == kind)).version()


def clear() -> None:
    """End them all. The facts are not asked: they may be what broke the run."""
    stop_below(room())
    shutil.rmtree(room(), ignore_errors=True)
