"""One way to say that an input is wrong: file, line, what, cure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


class BadInput(Exception):
    """A fault a person can mend. ``str()`` is the one line they are shown.

    path: the file, relative to the repository's root where possible.
    line: counted from 1; None where the whole file is meant.
    """

    def __init__(self, path: Path | str, line: int | None, what: str, cure: str):
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {what} {cure}")


def run(main: Callable[[], int | None]) -> None:
    """Run a tool's main(); a BadInput ends it with its sentence and status 1."""
    try:
        sys.exit(main())
    except BadInput as fault:
        sys.exit(str(fault))
