"""Which facts nobody has compared with their source for over a year. The engine knows when that is, as on the page."""

from __future__ import annotations

from pathlib import Path

from scripts.engine import host
from scripts.errors import BadInput
from scripts.facts.model import Cluster
from scripts.facts.units import Date
from scripts.yaml_lines import Lines


def aged(cluster: Cluster, lines: Lines, name: Path, day: Date) -> list[str]:
    """A sentence for each page that was last read over a year before this day, none for a system that has ended."""
    if not cluster.running:
        return []
    read = [(group, number, each) for group, all in cluster.sources.items() for number, each in enumerate(all)]
    old = host.call("old", [str(source.read) for _, _, source in read], str(day))
    pages: dict[str, tuple[int, str]] = {}
    for (group, number, source), is_old in zip(read, old, strict=True):
        if is_old:
            pages.setdefault(source.url, (lines.get(("sources", group, number), lines["sources",]), source.read))
    return [
        str(
            BadInput(
                name, line, f"{url} was last read on {read}, over a year ago.", "Read it, then: guide sources --write."
            )
        )
        for url, (line, read) in pages.items()
    ]
