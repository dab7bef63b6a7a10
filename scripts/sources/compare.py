"""Two states of a text: which lines with numbers differ.

A page's words change every week, and its numbers rarely. So only lines with digits are told.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HEADING = re.compile(r"(?P<level>#{1,6}|={1,6}) ?(?P<words>[^#= ].*)$")
DIGIT = re.compile(r"\d")
THOUSANDS = re.compile(r"(?<=\d)[,\u202f\u2009' ](?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Line:
    """A line of a text, and the headings above it, the nearest last."""

    words: str
    heading: str

    @property
    def key(self) -> tuple[str, str]:
        """Without what only sets it: the stars and blanks of Markdown, and the comma in `247,000`."""
        return re.sub(r"[\s|*`_]+", " ", THOUSANDS.sub("", self.words)).strip(), self.heading


def numbered(lines: Iterable[str]) -> list[Line]:
    """The lines with digits."""
    found, above, code = [], [], False
    for words in lines:
        code ^= words.startswith(("```", "~~~"))
        if not code and (title := HEADING.match(words)):
            above = [other for other in above if other[0] < len(title["level"])]
            above.append((len(title["level"]), title["words"].rstrip("#= ")))
        if DIGIT.search(words):
            found.append(Line(words, " / ".join(words for _, words in above)))
    return found


def changed(was: Sequence[str], now: Sequence[str]) -> tuple[list[Line], list[Line]]:
    """The lines with digits that went, and those that came. One that only stands elsewhere now has not changed."""
    old, new = numbered(was), numbered(now)
    before, after = {line.key for line in old}, {line.key for line in new}
    return [line for line in old if line.key not in after], [line for line in new if line.key not in before]
