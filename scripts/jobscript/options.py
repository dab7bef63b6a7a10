"""The options of sbatch and qsub, as the engine reads them."""

from __future__ import annotations

import json

from scripts.check.directives import GRID_ENGINE
from scripts.check.slurm_options import SAME, SHORT, TAKES


def tables() -> dict:
    """`takes`: the names that take a value, may, or take none. `short`: letter -> name. `same`: other name -> name."""
    takes = {kind: " ".join(name for name, has in TAKES.items() if has == kind) for kind in ("value", "maybe", "none")}
    return {"takes": takes, "short": SHORT, "same": SAME}


def script() -> str:
    """JavaScript whose value is `tables()`: each letter stands behind its name, so that no name stands there twice."""
    letters = {name: f":{letter}" for letter, name in SHORT.items()}
    named = {
        kind: " ".join(name + letters.get(name, "") for name in names.split())
        for kind, names in tables()["takes"].items()
    }
    takes = ", ".join(f"{kind}: names({json.dumps(names)})" for kind, names in named.items())
    return f"""(() => {{
  const short = {{}}
  const names = text => text.replace(/(\\S+):(\\S)/g, (_, name, letter) => short[letter] = name)
  return {{takes: {{{takes}}}, short, same: {json.dumps(SAME)}}}
}})()"""


def grid_engine() -> dict:
    """The names that take two words, one, or none."""
    numbers = {"two": 2, "one": 1, "none": 0}
    return {name: [each for each, has in GRID_ENGINE.items() if has == number] for name, number in numbers.items()}
