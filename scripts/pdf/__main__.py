"""Export the built site as PDF: the whole guide, and one file for each cluster page; link them, and pack them into the
site's zip.
"""

from pathlib import Path

from playwright.sync_api import Browser

from scripts.errors import BadInput, parser_of, run
from scripts.paths import ROOT, write_whole
from scripts.pdf import attached, book, chapters, links, offer, printer, shapes, tags
from scripts.site.after import offline


def export(browser: Browser, pages: list[tuple[str | None, str]], site: Path, edition: book.Edition) -> bytes:
    """The PDF of these pages, in this order; sections (the first of each pair) are a level above them."""
    some = chapters.read(site, pages)
    files = attached.find(some, site)
    for chapter in some:
        shapes.shape(chapter, base=2 if chapter.section else 1)
    links.resolve(some, site, edition.url)
    printed = printer.print_book(browser, book.document(some, edition, len(files)), site)
    return tags.finish(printed, book.title(some, edition), edition.date, files)


COMPARE = "clusters/compare.html"  # its columns are the other pages' tables


def main() -> int:
    parser = parser_of("python -m scripts.pdf", __doc__)
    parser.add_argument("--site-dir", type=Path, default=ROOT / "site", help="the built site (default: %(default)s)")
    parser.add_argument("pages", nargs="*", metavar="page", help="print only these, as built: clusters/uva.html")
    arguments = parser.parse_args()
    site, pages, edition = arguments.site_dir, chapters.nav_pages(), book.edition()
    if unknown := {*arguments.pages} - {page for _, page in pages}:
        raise BadInput(unknown.pop(), None, "is not a page of the navigation.", "See `nav:` in mkdocs.yml.")
    pages = [entry for entry in pages if not arguments.pages or entry[1] in arguments.pages]
    files = {}
    with printer.chromium() as browser:
        files[offer.GUIDE] = export(browser, pages, site, edition)
        for _, page in pages:
            if page.startswith("clusters/") and page != COMPARE:
                files[page.replace(".html", ".pdf")] = export(browser, [(None, page)], site, edition)
    offered = offer.offer(site, {name: len(pdf) for name, pdf in files.items()})
    for name, pdf in files.items():
        write_whole(site / name, pdf)
        print(f"{site / name}: {len(pdf) / 1e6:.2f} MB")
    for page, html in offered.items():
        write_whole(page, html)
    offline.write(site)
    return 0


if __name__ == "__main__":
    run(main)
