"""sbatch's options, as the engine reads them."""

from __future__ import annotations

from scripts.check.slurm_options import SAME, SHORT, TAKES


def tables() -> dict:
    """`takes`: the names that take a value, may take one, or none; `short`: letter -> name; `same`: other name -> name."""
    takes = {
        kind: " ".join(name for name, found in TAKES.items() if found == kind) for kind in ("value", "maybe", "none")
    }
    return {"takes": takes, "short": SHORT, "same": SAME}
