"""The job scripts that a page prints: Markdown, MyST, reStructuredText, HTML's <pre> and a wiki's text.

Each of them sets a script apart in its own way, and Markdown's extensions differ from site to site. In all of them a
script begins with `#!`, stands behind the same indentation to its end, and ends where its block does. So lines are
read, and no dialect is parsed: a parser of one of them would lose the tabs and quotes of the next, and columns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.documents.script import Script
from scripts.errors import BadInput

FENCE = re.compile(r"(?:[-*+]|\d{1,9}[.)])?[ \t]*(`{3,}|~{3,})(.*)")
CLOSED = re.compile(r"(-->)?")  # behind a fence's last mark: nothing, or the end of a comment around it
DIRECTIVE = re.compile(r"[ \t]*\{(?!code|literalinclude|sourcecode|prompt)")
HEADING = re.compile(r"(#{1,6})[ \t]|(={2,6})[^=].*=\s*$|<h([1-6])\b")
UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
TAB = re.compile(
    r"(===[+!]?[ \t]+\"|<tab\b|\{\{[<%]\s*tab\b|\.\. (?:group-|code-)?tab(?:-item)?::|:{3,}\{tab|`{3,}\{tab|~{3,}\{tab)"
)
TITLE = re.compile(r"\|\s*name\s*=|\{\{\s*File\b.*name|:(?:caption|name):", re.IGNORECASE)
END = re.compile(r"</(?:pre|code|source|syntaxhighlight|highlight)|\}\}|\{\{[<%]\s*/")
HERE = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
MOST = 500  # scripts of a page
LONGEST = 2000  # lines of a script
BEFORE = " \t>"  # blanks, and the marks of a quotation


class Page:
    """A page's lines, and what is above each of them."""

    def __init__(self, file: str, text: str, path: str):
        """path: the file's below the folder that is searched, with that folder's name."""
        self.file, self.text, self.path = file, text, path
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        place, self._above = _Place(), []
        for at, line in enumerate(self.lines):
            self._above.append((place.title, place.tab[1], place.headings, place.fence))
            place.read(self.lines, at, line.lstrip(BEFORE), len(line) - len(line.lstrip(" \t")))

    def labels(self, at: int) -> list[str]:
        """The texts that say what the line, from 0, is about, the nearest first."""
        title, tab, headings, _ = self._above[at]
        return [title, tab, *(name for _, name in reversed(headings)), self.path]

    def in_block(self, at: int) -> bool:
        """Is the line, from 0, inside of a fence or its first?"""
        return bool(self._above[at][3]) or bool(FENCE.match(self.lines[at].lstrip(BEFORE)))

    def scripts(self) -> Iterator[Script]:
        """Each job script. Raises BadInput for more of them than a page has."""
        starts = [at for at, line in enumerate(self.lines) if line.lstrip(BEFORE).startswith("#!")]
        if len(starts) > MOST:
            raise BadInput(self.file, None, f"this document has more than {MOST} scripts.", "Split the document.")
        for at in starts:
            line = self.lines[at]
            bare = line.lstrip(BEFORE)
            indent = line[: len(line) - len(bare)]
            end = _end(self.lines, at, indent, self._above[at][3])
            own = [each.removeprefix(indent) if each.strip() else "" for each in self.lines[at:end]]
            whole = "\n".join([*own, ""])
            labels = (whole, *self.labels(at))
            found = Script(self.file, whole, tuple(range(at + 1, end + 1)), labels, self.text, indent, page=True)
            if found.kind:
                yield found


def _end(lines: list[str], start: int, indent: str, fence: str) -> int:
    """The line, from 0, before which the script ends that begins on this one."""
    here = HERE.search(lines[start - 1]) if start else None
    last = min(len(lines), start + LONGEST)
    margin = indent if start + 1 < last and lines[start + 1].startswith(indent) else ""  # a wiki's first line may lean
    for at in range(start + 1, last):
        line = lines[at]
        bare = line.lstrip(BEFORE)
        if here and line.strip() == here[2]:
            return at
        if fence and bare.startswith(fence) and CLOSED.fullmatch(bare.lstrip(fence[0]).strip()):
            return at
        if not fence and bare and (END.match(bare) or FENCE.match(bare) or not line.startswith(margin)):
            return _without_blanks(lines, start, at)
        if line.startswith(f"{indent}#!") and not HERE.search(lines[at - 1]):
            return at
    return _without_blanks(lines, start, last)


def _without_blanks(lines: list[str], start: int, end: int) -> int:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end


@dataclass
class _Place:
    """What is above the line that is read: headings with their depth, the tab with its indentation, a block's title."""

    def __post_init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.marks: list[str] = []  # of underlined headings, in the order in which they first occur
        self.around: list[str] = []  # MyST's fences that hold text, not code
        self.tab: tuple[int, str] = (0, "")
        self.title = self.fence = ""

    def read(self, lines: list[str], at: int, bare: str, depth: int) -> None:
        fence = FENCE.match(bare)
        ends = fence and CLOSED.fullmatch(fence[2].strip())
        if self.fence:
            if ends and fence[1].startswith(self.fence):
                self.fence = self.title = ""
            return
        if TAB.match(bare):
            self.tab, self.title = (depth, bare), ""
        if ends and self.around and fence[1].startswith(self.around[-1]):
            self.around.pop()
        elif fence and DIRECTIVE.match(fence[2]):
            self.around.append(fence[1])
        elif fence:
            self.fence, self.title = fence[1], fence[2]
        elif TITLE.match(bare):
            self.title = bare
        elif found := HEADING.match(bare):
            self._heading(int(found[3] or len(found[1] or found[2])), bare)
        elif bare and bare != self.tab[1] and depth <= self.tab[0] and self.tab[1].startswith(("===", "..")):
            self.tab = (0, "")
        below = UNDERLINE.match(lines[at + 1]) if bare and not depth and at + 1 < len(lines) else None
        if below and not UNDERLINE.match(bare) and not fence:
            if below[1] not in self.marks:
                self.marks.append(below[1])
            self._heading(self.marks.index(below[1]) + 1, bare)

    def _heading(self, depth: int, words: str) -> None:
        self.headings = [*(each for each in self.headings if each[0] < depth), (depth, words)]
        self.tab, self.title = (0, ""), ""
