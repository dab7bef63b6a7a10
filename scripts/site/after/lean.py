"""Take the blanks out that the theme's templates leave before a page's text: a tenth of what the page weighs."""

from __future__ import annotations

import re
from pathlib import Path

BLANKS = re.compile(r"\n\s+")


def lean(html: str) -> str:
    """Only menus and buttons stand above the text, and no code; a page without a text stays as it is."""
    menus, begins, text = html.partition("<article")
    return BLANKS.sub("\n", menus) + begins + text if begins else html


def write(site: Path) -> None:
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(lean(html), encoding="utf-8")
