"""The one reader of a script's live directives: `#SBATCH` or `#$` lines above the first command."""

from __future__ import annotations

import re
from collections.abc import Iterator

PREFIX = {"slurm": "#SBATCH", "grid_engine": "#$"}


def live(lines: list[str], kind: str) -> Iterator[tuple[int, str]]:
    """(line from 1, the options on it) of each directive that the scheduler of this kind reads."""
    prefix = PREFIX[kind]
    for number, line in enumerate(lines, 1):
        if line.startswith(prefix) and (kind == "grid_engine" or line[len(prefix) :][:1] in ("", " ", "\t")):
            yield number, line[len(prefix) :].strip()
        elif kind == "slurm" and line.strip() and not line.lstrip().startswith("#"):
            return  # Slurm reads none below the first command; Grid Engine reads them everywhere


def options(lines: list[str], kind: str) -> dict[str, tuple[int, str]]:
    """The live directives' long options: name -> (line, value). The last of a name counts, as for Slurm."""
    found = {}
    for number, words in live(lines, kind):
        for name, value in re.findall(r"--([\w-]+)(?:[= ](\S+))?", words):
            found[name] = (number, value)
    return found
