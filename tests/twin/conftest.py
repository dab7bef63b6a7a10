"""Twins that one test has for itself."""

import tempfile
from pathlib import Path

import pytest

from scripts.facts import load_all
from scripts.twin import twin_of
from scripts.twin.slurm.twin import SlurmTwin
from tests.tiers import by_day
from tests.twin import kept

CLUSTERS = load_all()


@pytest.fixture
def short():
    """A folder with a short path: pytest's own are too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="own-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def own(short) -> SlurmTwin:
    """A twin of Puhti that only this test uses."""
    kept.need_scheduler("slurm")
    twin = SlurmTwin(CLUSTERS["puhti"], short)
    yield twin
    twin.stop()


@pytest.fixture(params=by_day(["puhti", "arc4"], {"puhti"}))
def each(short, request):
    """A twin of either kind that only this test uses; Grid Engine's by night, where a test does not ask for it."""
    kept.need_scheduler(CLUSTERS[request.param].scheduler.kind)
    twin = twin_of(CLUSTERS[request.param], short)
    yield twin
    twin.stop()
