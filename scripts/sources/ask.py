"""What became of each source since it was read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from scripts.facts.model import Cluster
from scripts.sources.cited import Cited, cited
from scripts.sources.compare import Line, changed
from scripts.sources.fetch import Fetcher, Gone, Unreachable
from scripts.sources.origins import origin_of, same


class Became(StrEnum):
    FIXED = "fixed"  # the address names a commit
    SAME = "same"
    MOVED = "moved"  # its text has changed
    GONE = "gone"
    UNKNOWN = "unknown"  # no revision was written down
    SILENT = "silent"  # it could not be asked


@dataclass
class Found:
    """One source, what became of it, and why, or in which lines. now: its revision of today, where it is known."""

    source: Cited
    became: Became
    now: str | None = None
    why: str = ""
    went: list[Line] = field(default_factory=list)
    came: list[Line] = field(default_factory=list)


def ask(
    clusters: dict[str, Cluster], fetcher: Fetcher, told: Callable[[int, int], None] = lambda done, total: None
) -> list[Found]:
    """Every source that these systems cite, asked for today's state. told(done, total) is called as it goes on."""
    sources, found = cited(clusters), []
    for done, source in enumerate(sources, 1):
        found.append(_one(source, fetcher))
        told(done, len(sources))
    return found


def _one(source: Cited, fetcher: Fetcher) -> Found:
    at = origin_of(source.url)
    if at is None:
        return Found(source, Became.FIXED)
    try:
        now = at.now(fetcher, source.revision)
    except Gone as why:
        return Found(source, Became.GONE, why=str(why))
    except Unreachable as why:
        return Found(source, Became.SILENT, why=str(why))
    found = Found(source, Became.SAME, now.revision)
    if source.revision is None:
        found.became = Became.UNKNOWN
    elif not same(source.revision, now.revision):
        try:
            was = at.then(fetcher, source.revision).lines
        except Unreachable as why:
            found.became, found.why = Became.MOVED, str(why)
            return found
        if was != now.lines:
            found.became = Became.MOVED
            found.went, found.came = changed(was, now.lines)
    return found
