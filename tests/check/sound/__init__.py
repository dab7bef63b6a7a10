"""Job scripts that their authors and the operators hold to be right, to be accused of nothing.

A file of YAML for each repository. Of others' texts nothing is kept but what names and proves them: repository, commit,
path, lines, the sha256 of the text; and what `drawn` draws out of them. `python -m tests.check.sound FOLDER` holds the
record against clones of the repositories.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from scripts.check.report import Report
from scripts.facts import Cluster
from scripts.models import load_model
from scripts.published.record import Drawn, Place, Published

RECORDS = Path(__file__).parent


class Script(Published):
    """One script."""

    clusters: Annotated[list[str], Field(min_length=1)]  # several where the text is for any of an operator's
    lines: tuple[int, int] | None = None  # first and last, from 1; left out: the whole file
    filled: dict[str, str] = {}  # a placeholder in its directives, and what was written for it before it was judged
    commands: list[str]
    verdict: Literal["accepted"]

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.shell, tuple(self.options), tuple(self.commands))


class Repository(Place):
    """The sound scripts of one repository."""

    operators: bool  # is it a guide or course of those who run the cluster?
    scripts: list[Script]


@cache
def records() -> dict[Path, Repository]:
    """Every record, by its file. Raises BadInput with each fault of a file."""
    see = f"See {RECORDS.name}/{Path(__file__).name}."
    return {path: load_model(path, Repository, see)[0] for path in sorted(RECORDS.glob("*.yml"))}


def accusations(reports: list[Report], cluster: Cluster) -> list[Report]:
    """Those findings that say something against a script. That a retired system is switched off says nothing of it."""
    return [
        report
        for report in reports
        if report.kind in ("refused", "ignored", "unwise") and (cluster.running or report.rule != "switched-off")
    ]
