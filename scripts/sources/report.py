"""What became of the sources, in words: for a terminal, and as the text of an issue.

Lines of other people's pages are quoted short and inside a fence, so that nothing in them can be markup of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from scripts.sources.ask import Became, Found
from scripts.sources.compare import Hunk, Line
from scripts.sources.revision import short
from scripts.tables.cluster import plural

LONGEST = 160  # letters of a quoted line
MOST_LINES = 6  # quoted of one hunk
MOST_HUNKS = 12  # quoted of one source, beyond those that held a fact


def summary(found: list[Found]) -> list[str]:
    """How many of each kind; and whether there is a network at all."""
    of = {became: [each for each in found if each.became is became] for became in Became}
    asked = [each for each in found if each.became is not Became.FIXED]
    silent = of[Became.SILENT]
    if asked and len(silent) == len(asked):
        first = f"{silent[0].why} ({silent[0].source.url})"
        return [f"No network: {first}. Nothing is known of {plural(len(asked), 'source')}."]
    words = [
        f"{len(of[Became.SAME])} as they were read",
        f"{len(of[Became.MOVED])} moved",
        f"{len(of[Became.GONE])} gone",
        f"{len(of[Became.UNKNOWN])} without a revision",
        f"{len(silent)} that could not be asked",
        f"{len(of[Became.FIXED])} that cannot change",
    ]
    return [f"{plural(len(found), 'source')}: {', '.join(words)}."]


def report(found: list[Found]) -> Iterator[str]:
    """Lines for a terminal: what has moved or gone first, then what could not be asked, then the sum."""
    for each in _told(found):
        yield from (_head(each), *_uses(each), *_lines(each, "    "), "")
    silent = [each for each in found if each.became is Became.SILENT]
    hosts = Counter((urlsplit(each.source.url).netloc, each.why) for each in silent)
    if any(each.became not in (Became.SILENT, Became.FIXED) for each in found):
        yield from (f"not asked, {plural(number, 'source')} of {host}: {why}." for (host, why), number in hosts.items())
    yield from summary(found)


def issue(found: list[Found], due: Iterable[str] = ()) -> Iterator[str]:
    """The same as Markdown, after what is due without being asked for; nothing at all where there is nothing to do."""
    told, sentences = _told(found), list(due)
    if sentences:
        yield from ("These pages were read over a year ago:", "")
        yield from (f"- {sentence}" for sentence in sentences)
        yield ""
    if not told:
        return
    yield "These sources have changed since they were read. Read each, mend the facts, then `./guide sources --write`."
    for each in told:
        quoted = list(_lines(each, ""))
        yield from ("", f"### {_head(each)}", "", *(f"- {use.strip()}" for use in _uses(each)))
        if quoted:
            yield from ("", "~~~text", *(line.replace("~~~", "~ ~ ~") for line in quoted), "~~~")
    yield from ("", *summary(found))


def _told(found: list[Found]) -> list[Found]:
    """What a person must look at, that with most facts first."""
    worth = [each for each in found if each.became in (Became.MOVED, Became.GONE) or each.address]
    return sorted(worth, key=lambda each: (-each.facts, each.source.url))


def _head(each: Found) -> str:
    what = {
        Became.MOVED: f"has changed since {short(each.source.revision or '')}, read {each.source.read}"
        if each.source.revision
        else "",
        Became.GONE: each.why,
    }.get(each.became, "")
    if each.address:
        what = f"{what}{'; ' if what else ''}its address is now {each.address[:LONGEST]}"
    return f"{each.source.url}: {what}."


def _uses(each: Found) -> Iterator[str]:
    words = (f"{key} ({', '.join(groups).replace('_', ' ')})" for key, groups in each.source.by.items())
    yield f"  read for {'; '.join(words)}"


def _lines(each: Found, indent: str) -> Iterator[str]:
    if each.became is Became.MOVED and each.why:
        yield f"{indent}In which lines is not known: {each.why}. Read it anew."
    with_facts = [hunk for hunk in each.hunks if hunk.facts]
    others = [hunk for hunk in each.hunks if not hunk.facts]
    for hunk in with_facts:
        yield from (f"{indent}{fact}" for fact in hunk.facts)
        yield from _hunk(hunk, indent)
    if others:
        yield f"{indent}Other lines with numbers, {plural(len(others), 'place')}:"
        for hunk in others[:MOST_HUNKS]:
            yield from _hunk(hunk, indent)
    if each.became is Became.MOVED and not each.hunks and not each.why:
        yield f"{indent}No line with a number has changed."


def _hunk(hunk: Hunk, indent: str) -> Iterator[str]:
    for sign, lines in (("-", hunk.was), ("+", hunk.now)):
        yield from (f"{indent}  {sign} {_quoted(line)}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"{indent}  {sign} and {plural(len(lines) - MOST_LINES, 'line')} more"


def _quoted(line: Line) -> str:
    words = "".join(letter if letter.isprintable() else " " for letter in line.words)
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
