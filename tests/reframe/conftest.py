"""A suite as `guide reframe` writes it, and ReFrame's answers to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.reframe import __main__ as tool
from scripts.reframe.folder import write
from tests.clusters import CLUSTERS
from tests.needs import leave_out
from tests.twin import kept


@pytest.fixture
def suite(tmp_path) -> Callable[[str], Path]:
    """suite(cluster): the folder of a new suite for its twin."""

    def new(key: str) -> Path:
        folder = tmp_path / f"reframe-{key}"
        write(CLUSTERS[key], folder, "squeue" if CLUSTERS[key].scheduler.kind == "slurm" else "sge")
        return folder

    return new


@pytest.fixture
def ask() -> Callable[..., dict[str, dict]]:
    """ask(cluster, folder, words): ReFrame submits to the twin. What it reports of each test, by the script's name."""
    if not tool.OWN.exists():
        leave_out("reframe")

    def run(key: str, folder: Path, *further: str, skip_performance: bool = True) -> dict[str, dict]:
        (folder / tool.REPORT).unlink(missing_ok=True)
        words = tool.command(CLUSTERS[key], folder, list(further))
        twin = kept.twin(CLUSTERS[key])
        if skip_performance:
            status = tool.on_twin(CLUSTERS[key], words, twin)
        else:
            status = twin.run([*words, "--exec-policy=serial"]).returncode
        found = json.loads((folder / tool.REPORT).read_text(encoding="utf-8"))
        assert status == tool.ran(folder)
        cases = [case for each in found["runs"] for case in each["testcases"]]
        return {case["executable"].removesuffix(".sh"): case for case in cases}

    return run
