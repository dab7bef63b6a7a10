"""The job scripts that a page of an operator's guide prints, and which system each of them is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PAGE = re.compile(r"\.(md|txt)$")  # any other file is one script
HEADING = re.compile(r"(#{1,6})[ \t]|(={2,6})[^=].*=\s*$")
TAB = re.compile(r"""\s*(===[+!]?[ \t]+"|<tab\b|\{\{[<%]\s*tab\b)""")
TITLE = re.compile(r"""\s*(\|\s*name\s*=|```.*\btitle=|\{\{\s*File\b.*name)""", re.IGNORECASE)
FENCE = re.compile(r"\s*(>\s?)?(```|~~~)")
END = re.compile(r"\s*(>\s?)?(```|~~~|</(pre|code|source|syntaxhighlight|highlight)|\}\}|\{\{[<%]\s*/)")


@dataclass(frozen=True)
class Printed:
    """`lines` are its first and last one, from 1, of a page; None of a file that is one script.

    `labels` are the texts that say what it is for, the nearest first: itself, its title, its tab, the headings.
    """

    lines: tuple[int, int] | None
    text: str
    labels: tuple[str, ...]


def printed(page: str, path: str) -> Iterator[Printed]:
    """Each text of a page or file that begins with `#!`."""
    if not PAGE.search(path):
        if page.startswith("#!"):
            yield Printed(None, page, (page,))
        return
    lines = page.split("\n")
    headings: list[tuple[int, str]] = []
    title = tab = ""
    fenced = False
    at = 0
    while at < len(lines):
        line = lines[at]
        heading = None if fenced else HEADING.match(line)
        if FENCE.match(line):
            fenced = not fenced
        if TITLE.match(line):
            title = line
        if heading:
            depth = len(heading[1] or heading[2])
            headings = [*(each for each in headings if each[0] < depth), (depth, line)]
            title = tab = ""
        elif TAB.match(line):
            title, tab = "", line
        elif (quote := re.match(r"\s*(> ?)?(?=#!)", line)) is not None:
            last = at + 1
            while last < len(lines) and not END.match(lines[last]) and not lines[last].startswith(quote[0] + "#!"):
                last += 1
            text = "".join(each.removeprefix(quote[0]) + "\n" for each in lines[at:last])
            above = [each[1] for each in reversed(headings)]
            yield Printed((at + 1, last), text, (text, title, tab, *above))
            title, at = "", last
            continue
        at += 1


def systems(found: Printed, path: str, page: str, ours: dict[str, list[str]]) -> list[str]:
    """The systems that the nearest text naming any of them names: of the script, of what is above it, of the page.

    ours: system -> the names that the operator gives it. None are named: [].
    """
    for text in (*found.labels, path, page):
        told = re.sub(r"[\W_\d]+", " ", text.lower()).split()
        if named := [key for key, names in ours.items() if any(name in told for name in names)]:
            return named
    return []
