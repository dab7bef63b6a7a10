"""The samples of each advice, in the YAML file beside it: scripts that earn it, and near ones that do not.

A second implementation must agree with them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from scripts.check.report import KINDS
from scripts.engine.directives import PREFIX
from scripts.facts import Cluster
from scripts.models import Strict, load_model

FOLDER = Path(__file__).parent


class Sample(Strict):
    """A script: its first line, one directive with all options, and the body below."""

    cluster: str
    options: str = ""
    body: str = "srun ./program"
    first: str = "#!/bin/bash -l"
    version: str | None = Field(None, description="Of the scheduler, instead of the one in the facts")
    line: int | None = Field(None, description="Where the advice stands; the options are on line 2")
    kind: Annotated[str, Field(pattern=f"^({'|'.join(KINDS)})$")] = "unwise"

    def script(self, cluster: Cluster) -> str:
        return f"{self.first}\n{PREFIX[cluster.scheduler.kind]} {self.options}\n{self.body.strip()}\n"


class Samples(Strict):
    bad: Annotated[list[Sample], Field(min_length=1)]
    good: Annotated[list[Sample], Field(min_length=1)]


class File(Strict):
    rules: dict[str, Samples]


def samples(name: str) -> dict[str, Samples]:
    """Those of the advice in this module, by rule. Raises BadInput for every fault of the file."""
    return load_model(FOLDER / f"{name}.yml", File, "See scripts/check/advice/samples.py.")[0].rules
