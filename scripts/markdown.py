"""Markdown as this guide writes it: tables, and lines that include a file."""

from __future__ import annotations

import re
from collections.abc import Iterable

INCLUDE = re.compile(r'^[ \t]*--8<--\s+"(?P<path>[^":]+)(?::(?P<section>[^"]+))?"[ \t]*$', re.MULTILINE)


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; a `|` inside a cell is escaped."""
    header = list(header)
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)
