"""Several runs at once on one GPU: what was measured, in the table of the page on many small runs."""

from scripts.markdown import table
from scripts.measure.rows import read_rows
from scripts.models import Strict
from scripts.paths import MEASURED

CSV = MEASURED / "shared_gpu.csv"


class Shared(Strict):
    at_once: int
    seconds: float


def sharing() -> str:
    """Seconds until all runs had ended, and the runs of an hour."""
    told = [
        (row.at_once, f"{row.seconds:.1f}", f"{3600 * row.at_once / row.seconds:,.0f}")
        for row in read_rows(CSV, Shared)
    ]
    return table(("Runs at once", "Seconds until all runs ended", "Runs per hour"), told)
