"""From Grid Engine to Slurm, option by option: `grid_engine.yml`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.facts.model import Cluster
from scripts.migration.line import Line
from scripts.models import Strict, load_model


class Row(Strict):
    """As typed; `new` is empty where nothing is typed instead. why: for readers."""

    old: str
    new: str = ""
    why: str = ""


class Table(Strict):
    options: list[Row]
    lost: list[Row]
    commands: list[Row]


@cache
def table() -> Table:
    return load_model(Path(__file__).with_name("grid_engine.yml"), Table, "Compare with another row.")[0]


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Nothing, unless the one has Grid Engine and the other Slurm."""
    if (old.scheduler.kind, new.scheduler.kind) != ("grid_engine", "slurm"):
        return
    for rows, lost in ((table().options, False), (table().lost, True), (table().commands, False)):
        for row in rows:
            yield Line("scheduler", row.old, row.new, row.why, lost)
