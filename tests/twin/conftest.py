"""Twins of a test, or of a module."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.twin import daemon, twin_of
from scripts.twin.daemon import Twin
from scripts.twin.slurm.twin import SlurmTwin
from tests.clusters import CLUSTERS
from tests.tiers import by_day
from tests.twin import kept

KEYS = by_day(["puhti", "arc4"], {"puhti"})


@pytest.fixture(autouse=True)
def keepers_look_often(monkeypatch) -> None:
    monkeypatch.setattr(daemon, "LOOK_SECONDS", 0.1)


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


@pytest.fixture(params=KEYS)
def each(short, request) -> Iterator[Twin]:
    """A twin of either kind that only this test uses; Grid Engine's by night, where a test does not ask for it."""
    kept.need_scheduler(CLUSTERS[request.param].scheduler.kind)
    twin = twin_of(CLUSTERS[request.param], short)
    yield twin
    twin.stop()


@pytest.fixture(scope="module", params=KEYS)
def lasting(request) -> Iterator[Twin]:
    """One for those tests of a module that do it no harm."""
    kept.need_scheduler(CLUSTERS[request.param].scheduler.kind)
    with tempfile.TemporaryDirectory(prefix="own-", dir="/tmp") as folder:
        twin = twin_of(CLUSTERS[request.param], Path(folder))
        yield twin
        twin.stop()
