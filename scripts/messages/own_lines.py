"""The tables of `own_lines.yml`: what a system writes in place of a message's words."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from scripts.models import Strict, load_model

FILE = Path(__file__).with_name("own_lines.yml")


# Names of `taught` in scripts/engine/data/messages.py; the answer's own `line` and `reason` in explain.js.
Fact = Literal[
    "account", "amd", "arm", "conda_r", "grid_engine", "line", "memory", "no_conda", "no_nv", "no_partition",
    "partition", "reason", "singularity", "wheelhouse",
]  # fmt: skip


class Row(Strict):
    """`match` and `paste` are JavaScript's regular expressions."""

    match: str
    on: Fact | None = Field(None, description="The row holds for systems that have this; without it, for all")
    unless: Fact | None = Field(None, description="The row holds for systems that do not have this")
    paste: str | None = Field(None, description="What was pasted must match it")
    put: str | None = Field(
        None,
        description="What stands there instead: `$1` is a group of `match`, and `{NAME}` a value of `taught` or of an "
        "application's modules. Where the system has none, `{NAME|OTHERWISE}` is the latter, and the row without it "
        "does nothing. None: the system has no such line",
    )


class OwnLines(Strict):
    software: list[Row]
    slurm: list[Row]
    grid_engine: list[Row]
    places: list[Row]
    cures: list[Row]
    words: list[Row]
    tool: list[Row]


def own_lines() -> dict[str, list[dict]]:
    """Raises BadInput as load_model."""
    return load_model(FILE, OwnLines, "See scripts/messages/own_lines.py.")[0].model_dump(exclude_unset=True)
