"""Lines of instructions: taken from the pages' tables, dated by their sources, and as many as a budget permits."""

import re
from collections import Counter
from dataclasses import dataclass, field

from scripts.facts.model import Cluster
from scripts.tables.cluster import FEW, fact

CELL = re.compile(r"(?<!\\) \| ")
LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")
MARK = "(unconfirmed)"
WRITTEN = (("**", ""), ("*(", "("), (")*", ")"), ("\\|", "|"))


@dataclass(frozen=True)
class Line:
    """rank: 0 stays, the highest goes first. about: the facts it shows, dotted. short: what stays of it if it goes."""

    text: str
    rank: int = 0
    about: str = ""
    short: str = ""


@dataclass
class Section:
    """groups: those of the facts, whose sources date it. gone: the lines for which there is no room."""

    title: str
    lines: list[Line]
    groups: tuple[str, ...] = ()
    gone: set[int] = field(default_factory=set)

    @property
    def shown(self) -> list[Line]:
        return [line for number, line in enumerate(self.lines) if number not in self.gone]

    @property
    def doubted(self) -> list[Line]:
        """What is shown, also in short."""
        return self.shown + [self.lines[number] for number in self.gone if MARK in self.lines[number].short]

    def text(self, cluster: Cluster) -> str:
        parts = [f"## {self.title}{read_on(cluster, self.groups)}\n", *(line.text for line in self.shown)]
        if self.gone:
            left_out = [self.lines[number] for number in sorted(self.gone)]
            there = {line.short for line in self.shown}
            shorts = list(dict.fromkeys(line.short for line in left_out if line.short and line.short not in there))
            others = sum(not line.short for line in left_out)
            more = [f"also {', '.join(shorts)}"] * bool(shorts) + [f"{others} more"] * bool(others)
            parts += [f"- On the page: {'; '.join(more)}"] * bool(more)
        return "\n".join(parts) + "\n"


def rows(table: str, joint: str = "; ") -> list[list[str]]:
    """The cells of a page's tables, without their heads, as plain text; joint: between the lines of one cell."""
    found: list[list[str]] = []
    for line in table.splitlines():
        if line.startswith("| --- "):
            found.pop()  # what stands above is the head
        elif line.startswith("| "):
            found.append([plain(cell).replace("<br>", joint) for cell in CELL.split(line[2:-2])])
    return found


def points(text: str) -> list[str]:
    """The items of its list, as plain text."""
    return [plain(line[2:]) for line in text.splitlines() if line.startswith("- ")]


def plain(text: str) -> str:
    """Without what only a table on a page needs."""
    for mark, instead in WRITTEN:
        text = text.replace(mark, instead)
    return LINK.sub(r"\1", re.sub(r"<((?:https?:|[\w.-]+@)[^>]+)>", r"\1", text))


def read_on(cluster: Cluster, groups: tuple[str, ...]) -> str:
    """When these facts were read: the usual day, then what was read on another day."""
    sources = list(dict.fromkeys(source for group in groups for source in cluster.sources.get(group, ())))
    if not sources:
        return ""
    usual = Counter(source.read for source in sources).most_common(1)[0][0]
    others: dict[str, list[str]] = {}
    for source in sources:
        if source.read != usual:
            others.setdefault(source.read, []).append(source.title)
    but = "".join(f"; {', '.join(titles)}: {read}" for read, titles in others.items())
    return f" (read {usual}{but})"


def doubts(cluster: Cluster, shown: list[Line]) -> list[Section]:
    """A section with each reason once, and the facts that it is about, of those that these lines show; or none."""
    reasons: dict[str, list[str]] = {}
    about = [line.about for line in shown if line.about]
    for key, why in cluster.unconfirmed.items():
        if any(f"{key}.".startswith(f"{each}.") or f"{each}.".startswith(f"{key}.") for each in about):
            reasons.setdefault(why, []).append(fact(cluster, key))
    lines = [Line(f"- {_once(of)}: {why}") for why, of in reasons.items()]
    return [Section("Doubts: why a value is (unconfirmed)", lines)] if lines else []


def _once(names: list[str]) -> str:
    """`Partition a, Partition b: maximum time` for names that differ before their first comma alone."""
    ends: dict[str, list[str]] = {}
    for name in names:
        head, _, end = name.partition(", ")
        ends.setdefault(end, []).append(head)
    return "; ".join(
        ", ".join(heads[:FEW])
        + (f" and {len(heads) - FEW} others" if len(heads) > FEW else "")
        + (f": {end}" if end else "")
        for end, heads in ends.items()
    )


def fitted(cluster: Cluster, head: str, sections: list[Section], budget: int) -> str:
    """The whole text. While it is too long, the last of the lines with the highest rank goes; what still fits returns.

    Raises ValueError where the lines that stay are too many.
    """

    def text() -> str:
        reasons = doubts(cluster, [line for section in sections for line in section.doubted])
        return "\n".join([head, *(section.text(cluster) for section in [*sections, *reasons])])

    order = [(line.rank, place, number) for place, s in enumerate(sections) for number, line in enumerate(s.lines)]
    order = sorted((each for each in order if each[0]), reverse=True)
    taken = []
    for _, place, number in order:
        if len(text()) <= budget:
            break
        sections[place].gone.add(number)
        taken.append((place, number))
    if len(text()) > budget:
        raise ValueError(f"{cluster.key}: its instructions need {len(text())} characters of {budget}.")
    for place, number in reversed(taken):
        sections[place].gone.discard(number)
        if len(text()) > budget:
            sections[place].gone.add(number)
    return text()
