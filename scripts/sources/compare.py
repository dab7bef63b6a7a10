"""Two states of a text: which lines with numbers differ, and which facts' numbers are on the page no more.

A page's words change every week, and its numbers rarely. So only lines with digits are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.sources.canonical_form import holds, plain

HEADING = re.compile(r"(?P<level>#{1,6}|={1,6}) ?(?P<words>[^#= ].*)$")
DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Fact:
    """One value of one system. names: what of its path is a name, such as a partition's, and no field."""

    cluster: str
    system: str
    path: str
    value: str
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.cluster} {self.path}: {self.value}"


@dataclass(frozen=True)
class Line:
    """A line of a text, and the headings above it, the nearest last."""

    words: str
    heading: str

    @property
    def key(self) -> tuple[str, str]:
        """Without what only sets it: the stars and blanks of Markdown."""
        return re.sub(r"[\s|*`_]+", " ", plain(self.words)).strip(), self.heading

    def may_say(self, fact: Fact, systems: Iterable[str]) -> bool:
        """Has it this value? A line that names the fact's partition or GPU, and not below another system's heading."""
        named = [system for system in systems if system.casefold() in self.heading.casefold()]
        return (
            holds(self.words, fact.value)
            and (not named or fact.system in named)
            and (not fact.names or any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.words, re.IGNORECASE)
                                       for name in fact.names))
        )  # fmt: skip


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


def lost(went: Iterable[Line], now: Sequence[str], facts: Iterable[Fact], systems: Iterable[str]) -> list[Fact]:
    """The facts whose number stood in a line that went, and stands in none of today that may be about them."""
    went, today, systems = list(went), numbered(now), list(systems)
    return [
        fact
        for fact in facts
        if any(line.may_say(fact, systems) for line in went) and not any(line.may_say(fact, systems) for line in today)
    ]
