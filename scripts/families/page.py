"""A page of a family: what a system's page says itself, put into the page that its family shares.

`<!-- page: snippets/families/alliance/page.md as fir -->` stands above the system's heading and names the shared page.
There @KEY@ and @NAME@ are the system's key and heading, and a line @OWN@ gives way to what the system's own page says
below the same heading. This is a Markdown extension, too: it runs before all others that read include lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from scripts.errors import BadInput
from scripts.families.marks import fill
from scripts.markdown import FENCE
from scripts.paths import ROOT, shown

SHARED = re.compile(r"<!-- page: (?P<path>snippets/families/\S+\.md) as (?P<key>[a-z][a-z0-9]*) -->")
ITEM = re.compile(r"- ")
HEADING = re.compile(r"#{1,6} ")
OWN = "@OWN@"


@dataclass(frozen=True)
class Line:
    """A line of a page, and where a person edits it; `number` counts from 1."""

    text: str
    file: Path
    number: int


def lines_of(text: str, page: Path) -> list[Line]:
    """All lines of a page, those of the shared page among them. Raises BadInput if the two do not fit together."""
    lines = [Line(line, page, number) for number, line in enumerate(text.split("\n"), 1)]
    at = next((at for at, line in enumerate(lines) if SHARED.fullmatch(line.text)), None)
    return lines if at is None else [*lines[:at], *_joined(lines[at], lines[at + 1 :])]


def _joined(marker: Line, own: list[Line]) -> list[Line]:
    where = SHARED.fullmatch(marker.text)
    file = ROOT / where["path"]
    if not file.is_file():
        raise BadInput(shown(marker.file), marker.number, f"there is no {where['path']}.", "Correct the path.")
    parts = _parts(own)
    values = {"KEY": where["key"], "NAME": next(filter(None, parts), "").removeprefix("# ")}
    texts = enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
    shared = [Line(text if text == OWN else fill(text, values, file, n), file, n) for n, text in texts]
    found: list[Line] = []
    for heading, line in _under_headings(shared):
        if line.text == OWN:
            found += parts.pop(heading, [])
            continue
        if ITEM.match(line.text) and len(found) > 1 and not found[-1].text and found[-2].file != file:
            found.pop()  # one list, that begins with the system's own items
        if line.text or not found or found[-1].text:  # where nothing took the place of @OWN@, one blank line is left
            found.append(line)
    for heading, rest in parts.items():
        if rest:
            what = f"the shared page has no line {OWN} below `{heading}`."
            raise BadInput(shown(rest[0].file), rest[0].number, what, f"Write that line into {where['path']}.")
    return found


def _parts(lines: list[Line]) -> dict[str, list[Line]]:
    """Heading -> the lines below it, without blank ones at either end."""
    found: dict[str, list[Line]] = {}
    for heading, line in _under_headings(lines):
        part = found.setdefault(heading, [])
        if line.text != heading and (line.text or part):
            part.append(line)
    for part in found.values():
        while part and not part[-1].text:
            part.pop()
    return found


def _under_headings(lines: Iterable[Line]) -> Iterator[tuple[str, Line]]:
    """Each line with the heading that it stands below, or is."""
    heading, fenced = "", False
    for line in lines:
        fenced ^= bool(FENCE.match(line.text))
        if not fenced and HEADING.match(line.text):
            heading = line.text
        yield heading, line


class FamilyPages(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return [line.text for line in lines_of("\n".join(lines), ROOT)]


class FamilyExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(FamilyPages(md), "family", 36)  # before the file names (34)


def makeExtension(**kwargs) -> FamilyExtension:
    return FamilyExtension(**kwargs)
