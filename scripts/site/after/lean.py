"""Take out of what a reader's browser fetches what it does not need: our own scripts and style sheets are minified, and
the blanks that the theme's templates leave around a page's text go. Our three style sheets become one.
"""

import re
from pathlib import Path

import minify

from scripts.errors import BadInput

BLANKS = re.compile(r"\n\s+")
FIRST, *OTHERS = ("guide.css", "accessible.css", "print.css")  # in the order of mkdocs.yml: each page needs all of them
LINKS = re.compile(rf'<link [^>]*assets/(?:{"|".join(map(re.escape, OTHERS))})"[^>]*>\s*')


def page(html: str) -> str:
    """Only menus and buttons stand around the text, and no code; a page without a text stays as it is."""
    menus, begins, rest = html.partition("<article")
    text, ends, below = rest.rpartition("</article>")
    return BLANKS.sub("\n", menus) + begins + text + ends + BLANKS.sub("\n", below) if ends else html


def script(code: str) -> str:
    """A classic script on one line, its inner names short; raises minify.MinifyError where it is none."""
    return minify.string("application/javascript", code)


def style(sheet: str) -> str:
    return minify.string("text/css", sheet)


def _join(assets: Path) -> None:
    """What the pages ask for at each visit is one file, with one head."""
    sheets = [assets / name for name in (FIRST, *OTHERS)]
    sheets[0].write_text("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets), encoding="utf-8")
    for sheet in sheets[1:]:
        sheet.unlink()


def write(site: Path) -> None:
    """Raises BadInput for a script that cannot be read."""
    assets = site / "assets"
    _join(assets)
    change = {".html": lambda html: page(LINKS.sub("", html)), ".js": script, ".css": style}
    of_assets = [file for glob in ("*.*s", "my-account/*.*s", "*/page/*.css") for file in assets.glob(glob)]
    for file in (*site.rglob("*.html"), *of_assets):
        try:
            text = change[file.suffix](file.read_text(encoding="utf-8"))
        except minify.MinifyError as fault:
            said = str(fault).splitlines()[0]
            raise BadInput(file, None, f"this is not a script: {said}.", "Correct it in docs/assets.") from None
        file.write_text(text, encoding="utf-8")
