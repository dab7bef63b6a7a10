"""Markdown as this guide writes it: tables, fences, and lines that include a file. The one pattern of each is here."""

import re
from collections.abc import Iterable
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import ROOT

INCLUDE = re.compile(r'^(?P<indent>[ \t]*)--8<--\s+"(?P<path>[^":]+)(?::(?P<section>[^"]+))?"[ \t]*$', re.MULTILINE)
FENCE = re.compile(r"^(?P<indent>\s*)(?P<ticks>```+|~~~+)(?P<info>.*)$")
MIB = re.compile(r"\b(\d{4,}) MiB\b")
THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3})(?=\d{3} [GT]i?B\b)")


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; a `|` inside a cell is escaped, and large sizes written as people read them."""
    header = list(header)
    lines = [header, ["---"] * len(header), *rows]
    text = "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)
    return THOUSANDS.sub(r"\1,", in_larger_units(text))


def in_larger_units(text: str) -> str:
    """Large numbers of MiB in it as people read them."""
    return MIB.sub(lambda size: readable(int(size[1])), text)


def readable(mib: int) -> str:
    """`1152000` as `1.1 TiB`, `90000` as `87.9 GiB`."""
    gib = mib / 2**10
    return f"{gib / 2**10:.1f} TiB" if gib >= 2**10 else f"{gib:.1f} GiB".replace(".0 ", " ")


def check_include(file: Path, number: int, include: re.Match) -> None:
    """Raise BadInput for a line of a page that includes what is not there."""
    target, section = ROOT / include["path"], include["section"]
    if not target.is_file():
        what = f"there is no file {include['path']} to include."
        raise BadInput(file, number, what, "Correct the path, or add the file.")
    if section and f"--8<-- [start:{section}]" not in target.read_text(encoding="utf-8"):
        what = f"{include['path']} has no section `{section}`."
        raise BadInput(file, number, what, f"Mark it there with --8<-- [start:{section}] and [end:{section}].")
