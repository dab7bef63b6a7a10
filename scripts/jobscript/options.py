"""The options of sbatch and qsub, as the engine reads them."""

from __future__ import annotations

from scripts.check.directives import GRID_ENGINE
from scripts.check.slurm_options import SAME, SHORT, TAKES


def tables() -> dict:
    """`takes`: the names that take a value, may take one, or none. `short`: letter -> name. `same`: other name -> name.

    `grid_engine`: the names that take two words, one, or none.
    """
    takes = {kind: " ".join(name for name, has in TAKES.items() if has == kind) for kind in ("value", "maybe", "none")}
    numbers = {"two": 2, "one": 1, "none": 0}
    words = {name: [each for each, has in GRID_ENGINE.items() if has == number] for name, number in numbers.items()}
    return {"takes": takes, "short": SHORT, "same": SAME, "grid_engine": words}
