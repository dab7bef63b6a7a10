"""What became of each source since it was read."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum

from scripts.facts.model import Cluster
from scripts.sources.cited import Cited, cited, facts_on, names
from scripts.sources.compare import Hunk, attribute, changed
from scripts.sources.fetch import Fetcher, Gone, Unreachable
from scripts.sources.origins import Origin, Page, origin_of
from scripts.sources.revision import same

AT_ONCE = 8  # hosts; each is asked one question at a time


class Became(StrEnum):
    FIXED = "fixed"  # the address names a commit
    SAME = "same"
    MOVED = "moved"  # its text has changed
    GONE = "gone"
    UNKNOWN = "unknown"  # no revision was written down
    SILENT = "silent"  # it could not be asked


@dataclass
class Found:
    """One source, what became of it, and why or in which lines. now: its revision of today, where it is known."""

    source: Cited
    became: Became
    now: str | None = None
    why: str = ""
    address: str | None = None  # a new one, to which the old leads for good
    hunks: list[Hunk] = field(default_factory=list)
    now_lines: list[str] = field(default_factory=list, repr=False)

    @property
    def facts(self) -> int:
        return sum(len(hunk.facts) for hunk in self.hunks)


def ask(
    clusters: dict[str, Cluster],
    wanted: dict[str, Cluster],
    fetcher: Fetcher,
    told: Callable[[int, int], None] = lambda done, total: None,
    origin: Callable[[str], Origin | None] = origin_of,
) -> list[Found]:
    """Every source that the wanted systems cite, asked for today's state.

    clusters: all that there are, for their names. told(done, total) is called as it goes on.
    """
    sources, known = cited(wanted), names(clusters)

    def one(source: Cited) -> Found:
        found = _one(source, fetcher, origin)
        if found.hunks:
            attribute(found.hunks, found.now_lines, facts_on(source, clusters), known)
        return found

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = []
        for done, each in enumerate(pool.map(one, sources), 1):
            found.append(each)
            told(done, len(sources))
    return found


def _elsewhere(source: Cited, at: Origin, fetcher: Fetcher) -> Found | None:
    """A page that is there, though its file is not in its repository: it was moved, or is made of another."""
    if isinstance(at, Page) or source.url.startswith("https://github.com/"):
        return None
    try:
        now = Page(source.url).now(fetcher)
    except Unreachable:
        return None
    if source.revision is None or same(source.revision, now.revision):
        return Found(source, Became.SAME if source.revision else Became.UNKNOWN, now.revision, address=now.moved)
    why = "the page is there, but its file has another place in its repository"
    return Found(source, Became.MOVED, now.revision, why, address=now.moved)


def _one(source: Cited, fetcher: Fetcher, origin: Callable[[str], Origin | None]) -> Found:
    at = origin(source.url)
    if at is None:
        return Found(source, Became.FIXED)
    try:
        now = at.now(fetcher, source.revision)
    except Gone as why:
        return _elsewhere(source, at, fetcher) or Found(source, Became.GONE, why=str(why))
    except Unreachable as why:
        return Found(source, Became.SILENT, why=str(why))
    found = Found(source, Became.SAME, now.revision, address=now.moved)
    if source.revision is None:
        found.became = Became.UNKNOWN
    elif not same(source.revision, now.revision):
        try:
            was = at.then(fetcher, source.revision)
        except Unreachable as why:
            found.became, found.why = Became.MOVED, str(why)
            return found
        if was.lines != now.lines:
            found.became, found.hunks, found.now_lines = Became.MOVED, changed(was.lines, now.lines), now.lines
    return found
