"""One text of several days' texts: what differs stands with its dates, so that no day makes the text stale.

`| gpu | 3 days (until 30 November 2026), 2 days (from 1 December 2026) |`: a text is aligned with the next day's by
paragraphs, tables by rows, rows by cells, a cell by its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from scripts.facts.days import as_of, days_of
from scripts.facts.units import Date
from scripts.tables.cluster import Clusters

PARAGRAPHS = re.compile(r"\n\n(?! )")  # what is indented belongs to what stands above
PARTS = re.compile(r"(; |\. |<br>)")
Days = list[Date | None]  # the first day of each text; None for the facts as they are written
Row = list[str | None]  # the same thing in each text, None where there is none


def dated(make: Callable[[Clusters], str], clusters: Clusters) -> str:
    """What `make` writes of clusters as they are written, together with what it will write of all that is coming."""
    days: Days = [None, *sorted({day for cluster in clusters.values() for day in days_of(cluster)})]
    return together(days, [make(clusters), *(make(_on(clusters, day)) for day in days[1:] if day)])


def _on(clusters: Clusters, day: Date) -> Clusters:
    return {key: as_of(cluster, day) for key, cluster in clusters.items()}


def together(days: Days, texts: list[str]) -> str:
    """Markdown, each text from its day on, as one."""
    if len(set(texts)) == 1:
        return texts[0]
    rows = _aligned([PARAGRAPHS.split(text.rstrip("\n")) for text in texts], _kind)
    return "\n\n".join(_paragraph(days, row) for row in rows) + "\n"


def _kind(paragraph: str) -> str:
    """A table is known by its head, and a list is the list; any other paragraph is what it says."""
    if paragraph.startswith("- "):
        return "- "
    return paragraph.partition("\n")[0] if paragraph.startswith("|") else paragraph


def _aligned(texts: list[list[str]], name: Callable[[str], str]) -> list[Row]:
    """A row for each thing that any text has, in the order of the texts. Things of one name are one thing."""
    rows: list[Row] = [[thing] for thing in texts[0]]
    for number, things in enumerate(texts[1:], 1):
        names = [name(next(thing for thing in reversed(row) if thing is not None)) for row in rows]
        merged: list[Row] = []
        for _, old, old_end, new, new_end in SequenceMatcher(
            a=names, b=list(map(name, things)), autojunk=False
        ).get_opcodes():
            same = names[old:old_end] == list(map(name, things[new:new_end]))
            if same:
                merged += [[*row, thing] for row, thing in zip(rows[old:old_end], things[new:new_end], strict=True)]
            else:
                merged += [[*row, None] for row in rows[old:old_end]]
                merged += [[*[None] * number, thing] for thing in things[new:new_end]]
        rows = merged
    return rows


def _spans(days: Days, row: Row) -> list[tuple[str, str]]:
    """Each thing of a row that differs from the one before, with its dates in words."""
    starts = [n for n in range(len(row)) if n == 0 or row[n] != row[n - 1]]
    spans = []
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        if (thing := row[start]) is not None:
            first, after = days[start], days[end] if end else None
            words = [f"from {first.words}" if first else "", f"until {after.eve.words}" if after else ""]
            spans.append((thing, " ".join(filter(None, words))))
    return spans


def _behind(days: Days, row: Row) -> str:
    """Things with their dates behind them, as in a table."""
    return ", ".join(f"{thing} ({words})" if words else thing for thing, words in _spans(days, row))


def _before(days: Days, row: Row, indent: str = "", gap: str = " ") -> list[str]:
    """Things with their dates before them, as with whole sentences."""
    return [
        f"{indent}{words[0].upper()}{words[1:]}:{gap}{thing.removeprefix(indent)}" if words else thing
        for thing, words in _spans(days, row)
    ]


def _paragraph(days: Days, row: Row) -> str:
    there = [each for each in row if each is not None]
    if len(set(row)) == 1:
        return there[0]
    if there[0].startswith("|"):
        return _table(days, row)
    if there[0].startswith("- "):
        items = _aligned([(each or "").splitlines() for each in row], str)
        return "\n".join(line for item in items for line in _before(days, item, "- "))
    return "\n\n".join(_before(days, row, gap="\n\n"))


def _table(days: Days, row: Row) -> str:
    tables = [(each or "").splitlines() for each in row]
    head = next(table for table in tables if table)[:2]
    rows = _aligned([table[2:] for table in tables], lambda line: _cells(line)[0])
    return "\n".join([*head, *("| " + " | ".join(_line(days, line)) + " |" for line in rows)])


def _cells(line: str) -> list[str]:
    return line.removeprefix("| ").removesuffix(" |").split(" | ")  # a `|` inside a cell is escaped


def _line(days: Days, row: Row) -> list[str]:
    """The cells of a row. The first says when the row as a whole comes or goes."""
    cells = [_cells(line) if line is not None else None for line in row]
    first, *others = next(line for line in cells if line)
    name = _behind(days, [line and line[0] for line in cells])
    # Where there is no such row on a day, the others say nothing of that day: as if they stayed as they are.
    known = [line for line in cells if line]
    of_days = [day for day, line in zip(days, cells, strict=True) if line]
    return [name, *(_cell(of_days, [line[n] for line in known]) for n in range(1, len(others) + 1))]


def _cell(days: Days, texts: list[str]) -> str:
    """The parts that stay as they are; those that come and go with their dates."""
    if len(set(texts)) == 1:
        return texts[0]
    split = [PARTS.split(text) for text in texts]
    after = {part: end for parts in split for part, end in zip(parts[::2], [*parts[1::2], ""], strict=True) if end}
    rows = _aligned([parts[::2] for parts in split], str)
    said = [(_behind(days, row), after.get(next(part for part in row if part is not None), ", ")) for row in rows]
    return "".join(text + end for text, end in said[:-1]) + said[-1][0]
