"""Which facts nobody has compared with their source for over a year. The page says so by docs/assets/old-facts.js."""

from __future__ import annotations

from pathlib import Path

from scripts.errors import BadInput
from scripts.facts.model import Cluster
from scripts.facts.units import Date
from scripts.yaml_lines import Lines


def year_before(day: str) -> str:
    """The same day of the year before, as text that can be compared; of 29 February that, too."""
    return f"{int(day[:4]) - 1}{day[4:]}"


def aged(cluster: Cluster, lines: Lines, name: Path, day: Date) -> list[str]:
    """A sentence for each page that was last read over a year before this day, none for a system that has ended."""
    if not cluster.running:
        return []
    pages: dict[str, tuple[int, str]] = {}
    for group, sources in cluster.sources.items():
        for number, source in enumerate(sources):
            if source.read < year_before(day):
                pages.setdefault(source.url, (lines.get(("sources", group, number), lines["sources",]), source.read))
    return [
        str(
            BadInput(
                name, line, f"{url} was last read on {read}, over a year ago.", "Read it, then: guide sources --write."
            )
        )
        for url, (line, read) in pages.items()
    ]
