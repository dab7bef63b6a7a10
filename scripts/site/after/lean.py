"""Take out of what a reader's browser fetches what it does not need: comments in our own scripts and style sheets, and
the blanks that the theme's templates leave before a page's text. Of a page that is a tenth.
"""

from __future__ import annotations

import re
from pathlib import Path

BLANKS = re.compile(r"\n\s+")
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n|[ \t]+// [^\n\"'`]*$", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|/(?:[^/\\\n]|\\.)+/")
STYLE = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/|\n")


def page(html: str) -> str:
    """Only menus and buttons stand above the text, and no code; a page without a text stays as it is."""
    menus, begins, text = html.partition("<article")
    return BLANKS.sub("\n", menus) + begins + text if begins else html


def script(code: str) -> str:
    """Without comments and indentation; one with a text over several lines stays as it is."""
    several = any(QUOTED.sub("", line).count("`") % 2 for line in code.splitlines())
    return code if several else INDENT.sub("", COMMENT.sub("", code))


def style(sheet: str) -> str:
    return STYLE.sub("", sheet)


def write(site: Path) -> None:
    assets = site / "assets"
    change = {".html": page, ".js": script, ".css": style}
    for file in (
        *site.rglob("*.html"),
        *assets.glob("*.*s"),
        *assets.glob("my-account/*.*s"),
        *assets.glob("*/page/*.css"),
    ):
        file.write_text(change[file.suffix](file.read_text(encoding="utf-8")), encoding="utf-8")
