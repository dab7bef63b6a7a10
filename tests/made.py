"""`build/made/` for the tests: a fresh clone has none."""

from functools import cache
from pathlib import Path

from scripts.paths import MADE
from scripts.tables.made import write_made


@cache
def made() -> Path:
    """The folder, up to date."""
    write_made()
    return MADE
