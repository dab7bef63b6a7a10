"""The options of sbatch and qsub, as the engine reads them."""

from __future__ import annotations

from scripts.check.directives import GRID_ENGINE
from scripts.check.slurm_options import SAME, SHORT, TAKES


def tables() -> dict:
    """`takes`: the names that take a value, may, or take none. `short`: letter -> name. `same`: other name -> name."""
    takes = {kind: " ".join(name for name, has in TAKES.items() if has == kind) for kind in ("value", "maybe", "none")}
    return {"takes": takes, "short": SHORT, "same": SAME}


def grid_engine() -> dict:
    """The names that take two words, one, or none."""
    numbers = {"two": 2, "one": 1, "none": 0}
    return {name: [each for each, has in GRID_ENGINE.items() if has == number] for name, number in numbers.items()}
