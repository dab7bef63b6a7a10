"""Markdown as this guide writes it: tables, fences, and lines that include a file. The one pattern of each is here."""

from __future__ import annotations

import re
from collections.abc import Iterable

INCLUDE = re.compile(r'^(?P<indent>[ \t]*)--8<--\s+"(?P<path>[^":]+)(?::(?P<section>[^"]+))?"[ \t]*$', re.MULTILINE)
FENCE = re.compile(r"^(?P<indent>\s*)(?P<ticks>```+|~~~+)(?P<info>.*)$")


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; a `|` inside a cell is escaped."""
    header = list(header)
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)
