"""Several runs at once on one GPU: what was measured, in the table of the page on many small runs."""

from __future__ import annotations

import csv

from scripts.markdown import table
from scripts.paths import MEASURED

CSV = MEASURED / "shared_gpu.csv"


def sharing() -> str:
    """Seconds until all runs had ended, and the runs of an hour."""
    with CSV.open(encoding="utf-8", newline="") as file:
        rows = [(int(row["at_once"]), float(row["seconds"])) for row in csv.DictReader(file)]
    told = [(runs, f"{seconds:.1f}", f"{3600 * runs / seconds:,.0f}") for runs, seconds in rows]
    return table(("Runs at once", "Seconds until all ended", "Runs per hour"), told)
