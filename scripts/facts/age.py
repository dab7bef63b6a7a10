"""Which facts nobody has compared with their source for over a year. The engine knows when that is, as on the page."""

from collections.abc import Iterable, Iterator

from scripts.engine import host
from scripts.errors import BadInput
from scripts.facts.load import read_file
from scripts.facts.units import Date
from scripts.paths import FACTS, shown


def aged(keys: Iterable[str], day: Date) -> Iterator[str]:
    """A sentence for each page that was last read over a year before this day, none for a system that has ended."""
    for path in (FACTS / key / "cluster.yml" for key in keys):
        cluster, lines = read_file(path)
        if not cluster.running:
            continue
        read = [(group, number, each) for group, all in cluster.sources.items() for number, each in enumerate(all)]
        old = host.call("old", [str(source.read) for _, _, source in read], str(day))
        pages: dict[str, tuple[int, str]] = {}
        for (group, number, source), is_old in zip(read, old, strict=True):
            if is_old:
                pages.setdefault(source.url, (lines.get(("sources", group, number), lines["sources",]), source.read))
        for url, (line, day_read) in pages.items():
            what = f"{url} was last read on {day_read}, over a year ago."
            yield str(BadInput(shown(path), line, what, "Read it again, then run: guide sources --write."))
