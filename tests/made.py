"""`build/made/` for the tests: a fresh clone has none."""

import fcntl
import os
from functools import cache
from pathlib import Path

from scripts.paths import MADE
from scripts.tables.made import write_made


@cache
def made() -> Path:
    """The folder, up to date; under xdist the first worker writes it and the others wait."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    MADE.parent.mkdir(exist_ok=True)
    with MADE.with_suffix(".run").open("a+", encoding="utf-8") as last:
        fcntl.flock(last, fcntl.LOCK_EX)
        last.seek(0)
        if run is None or last.read() != run:
            write_made()
            last.truncate(0)
            last.write(run or "")
    return MADE
