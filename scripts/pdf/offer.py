"""Link the PDFs from the built pages, once they are there: so no page ever links a PDF that was not made."""

import posixpath
import re
from pathlib import Path

from scripts.errors import BadInput
from scripts.site.after.moved import addresses

GUIDE = "gpu-cluster-guide.pdf"
OFFERED = re.compile(r'\n?<p class="pdf-link">.*?</p>')


def link(page: str, pdf: str, words: str, size: int) -> str:
    address = posixpath.relpath(pdf, posixpath.dirname(page) or ".")
    return f'<a href="{address}">{words}</a> ({size / 1e6:.1f} MB)'


def insert(html: str, pattern: str, words: str, file: Path) -> str:
    """The page with one more paragraph after the first match of pattern."""
    offered, count = re.subn(
        pattern, lambda match: f'{match[0]}\n<p class="pdf-link">{words}</p>', html, count=1, flags=re.DOTALL
    )
    if not count:
        cure = f"Look for {pattern} in it; scripts/pdf/offer.py writes the link there."
        raise BadInput(file, None, "the page has no place for the link to its PDF.", cure)
    return offered


def offer(site: Path, sizes: dict[str, int]) -> dict[Path, str]:
    """The new text of every page: the guide in all footers; on the home page
    and the cluster pages, a line below the introduction.

    sizes: bytes of each PDF, by its path below the site's folder.
    """
    pages, old = {}, addresses()
    for file in sorted(site.rglob("*.html")):
        page = file.relative_to(site).as_posix()
        # The first is shown at any address, so it has no relative links; the old ones lead on; slides have no footer.
        if page == "404.html" or page in old or page.endswith("-slides.html"):
            continue
        html = OFFERED.sub("", file.read_text(encoding="utf-8"))
        whole, own = link(page, GUIDE, "The whole guide as PDF", sizes[GUIDE]), page.replace(".html", ".pdf")
        introduction = r"<article.*?</h1>.*?</p>"
        if page == "index.html":
            html = insert(html, introduction, whole, file)
        elif own in sizes:
            html = insert(html, introduction, link(page, own, "This page as PDF", sizes[own]), file)
        pages[file] = insert(html, "<footer[^>]*>", whole, file)
    return pages
