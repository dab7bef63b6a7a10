"""Two states of a text: which lines with numbers differ, and whose facts' numbers stood in them.

A page's words change every week, and its numbers rarely. So only lines with digits are told; first those that held
the number of a fact and do so no more. Which fact that is cannot be known for certain: a line that names a partition
or a GPU is about that one, a line below a heading that names a system is about that system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from scripts.sources.canonical_form import holds, plain

HEADING = re.compile(r"(?P<level>#{1,6}|={1,6}) ?(?P<words>[^#= ].*)$")
MOST_IN_ORDER = 3000  # lines with digits; of more than any page has, it is not said which stood in whose place
DIGIT = re.compile(r"\d")
WORD = re.compile(r"[A-Za-z0-9][\w.-]*")


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


@dataclass
class Hunk:
    """Lines that differ, those of before and those of now; and the facts whose numbers went."""

    was: list[Line]
    now: list[Line]
    facts: list[Fact] = field(default_factory=list)


@dataclass(frozen=True)
class Names:
    """Names by which a line is about one thing: of all systems, and of each one's partitions, GPUs and the like."""

    systems: frozenset[str]
    parts: dict[str, frozenset[str]]  # cluster: names


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


def changed(was: Sequence[str], now: Sequence[str]) -> list[Hunk]:
    """What differs among the lines with digits. A line that only stands elsewhere now has not changed."""
    old, new = numbered(was), numbered(now)
    key = [(_bare(line.words), line.heading) for line in old], [(_bare(line.words), line.heading) for line in new]
    stayed = set(key[0]) & set(key[1])
    if max(len(old), len(new)) > MOST_IN_ORDER:
        gone = [line for line, same in zip(old, key[0], strict=True) if same not in stayed]
        came = [line for line, same in zip(new, key[1], strict=True) if same not in stayed]
        return [Hunk(gone, came)] if gone or came else []
    hunks = []
    for what, a, a_end, b, b_end in SequenceMatcher(a=key[0], b=key[1], autojunk=False).get_opcodes():
        if what != "equal":
            gone = [line for line, same in zip(old[a:a_end], key[0][a:a_end], strict=True) if same not in stayed]
            came = [line for line, same in zip(new[b:b_end], key[1][b:b_end], strict=True) if same not in stayed]
            if gone or came:
                hunks.append(Hunk(gone, came))
    return hunks


def _bare(words: str) -> str:
    """Without what only sets it: the stars and blanks of Markdown."""
    return re.sub(r"[\s|*`_]+", " ", plain(words)).strip()


def attribute(hunks: Sequence[Hunk], now: Sequence[str], facts: Iterable[Fact], names: Names) -> None:
    """Give each hunk the facts whose number stood in a line that went, and in no line of now that is about them."""
    today = numbered(now)
    for fact in facts:
        held = [hunk for hunk in hunks if any(_about(line, fact, names) for line in hunk.was)]
        if held and not any(_about(line, fact, names) for line in today):
            held[0].facts.append(fact)


def _about(line: Line, fact: Fact, names: Names) -> bool:
    """May the line say this value of this fact?"""
    if not holds(line.words, fact.value) or _of_another(line.heading, fact, names):
        return False
    subject = _subject(line.words, names.parts.get(fact.cluster, frozenset()))
    if fact.names:
        return any(name.casefold() in subject for name in fact.names)
    return not subject & names.parts.get(fact.cluster, frozenset()) and not _of_another(line.words, fact, names)


def _of_another(words: str, fact: Fact, names: Names) -> bool:
    """Do they name systems, and not this one?"""
    said = words_of(words) & names.systems
    return bool(said) and fact.system.casefold() not in said


def _subject(line: str, parts: frozenset[str]) -> set[str]:
    """The words that say what the line is about: of a table's row those of its first cell, if that is a known name."""
    first = words_of(line.removeprefix("|").partition("|")[0]) if line.startswith("|") else set()
    return first if first & parts else words_of(line)


def words_of(text: str) -> set[str]:
    """Its words in small letters, also the parts of those with a hyphen."""
    found = {word.casefold().rstrip(".-") for word in WORD.findall(text)}
    return found | {part for word in found for part in word.split("-")}
