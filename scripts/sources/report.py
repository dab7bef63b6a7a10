"""What became of the sources, in words: for a terminal, and as the text of an issue."""

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from scripts.sources.ask import Became, Found
from scripts.sources.compare import Line
from scripts.tables.cluster import plural

LONGEST = 160  # letters of a quoted line
MOST_LINES = 40  # quoted of one source that went, and that came


def summary(found: list[Found]) -> str:
    """How many of each kind; and whether there is a network at all."""
    number = Counter(each.became for each in found)
    silent = [each for each in found if each.became is Became.SILENT]
    asked = len(found) - number[Became.FIXED]
    if asked and len(silent) == asked:
        first = f"{silent[0].why} ({silent[0].source.url})"
        return f"No network: {first}. Nothing is known about {plural(asked, 'source')}."
    words = {
        Became.SAME: "as they were read",
        Became.MOVED: "moved",
        Became.GONE: "gone",
        Became.UNKNOWN: "without a revision",
        Became.SILENT: "that could not be asked",
        Became.FIXED: "that cannot change",
    }
    return f"{plural(len(found), 'source')}: {', '.join(f'{number[kind]} {said}' for kind, said in words.items())}."


def report(found: list[Found]) -> Iterator[str]:
    """What has changed or gone, that with most lines first; then what could not be asked, then the sum."""
    for each in _told(found):
        yield from (*_lines(each), "")
    silent = [each for each in found if each.became is Became.SILENT]
    if any(each.became not in (Became.SILENT, Became.FIXED) for each in found):
        hosts = Counter((urlsplit(each.source.url).netloc, each.why) for each in silent)
        yield from (f"not asked, {plural(number, 'source')} of {host}: {why}." for (host, why), number in hosts.items())
    yield summary(found)


def issue(found: list[Found], due: Iterable[str] = ()) -> Iterator[str]:
    """The same as Markdown, after what is due without being asked for; nothing at all where there is nothing to do.

    Lines of other people's pages stand inside a fence, so that nothing in them can be markup of ours.
    """
    if sentences := list(due):
        yield from ("These pages were read over a year ago:", "", *(f"- {sentence}" for sentence in sentences), "")
    if told := _told(found):
        yield "These sources have changed since they were read. Read each, correct the facts, then run"
        yield from ("`./guide sources --write`.", "", *(f"- {each.source.url}" for each in told), "")
        yield from ("~~~text", *(line.replace("~~~", "~ ~ ~") for line in report(found)), "~~~")


def _told(found: list[Found]) -> list[Found]:
    worth = [each for each in found if each.became in (Became.MOVED, Became.GONE)]
    return sorted(worth, key=lambda each: (-len(each.went), each.source.url))


def _lines(each: Found) -> Iterator[str]:
    source, moved = each.source, each.became is Became.MOVED
    what = f"has changed since {(source.revision or '')[:16]}, read {source.read}" if moved else each.why
    yield f"{source.url}: {what}."
    words = (f"{key} ({', '.join(groups).replace('_', ' ')})" for key, groups in source.by.items())
    yield f"  read for {'; '.join(words)}"
    if not moved:
        return
    if each.why:
        yield f"    We do not know which lines changed: {each.why}. Read it again."
    elif not each.went + each.came:
        yield "    No line with a number has changed."
    for sign, lines in (("-", each.went), ("+", each.came)):
        yield from (f"      {sign} {_quoted(line)}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"      {sign} and {plural(len(lines) - MOST_LINES, 'line')} more"


def _quoted(line: Line) -> str:
    words = "".join(letter if letter.isprintable() else " " for letter in line.words)
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
