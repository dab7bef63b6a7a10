"""One set of ids and links for the whole book: pages that are in it are jumped to, the rest is on the web.

A link that leads nowhere and a picture that is not there are faults: the export ends with the first of them.
"""

import posixpath
import re
import unicodedata
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import Tag

from scripts.pdf.attached import is_listing
from scripts.pdf.attached import name as file_name
from scripts.pdf.chapters import Chapter

CORRECT = "Correct the link on the page, and build the site again."
ANCHOR = re.compile(r'<[^>]*\sid="([^"]*)"')


def name(chapter: Chapter, anchor: str = "") -> str:
    """The id in the book of a page, or of an anchor on it; plain ASCII,
    since it becomes a destination's name in the PDF.
    """
    plain = unicodedata.normalize("NFKD", unquote(anchor)).encode("ascii", "ignore").decode()
    return f"{chapter.prefix}--{re.sub(r'[^A-Za-z0-9_.-]', '-', plain)}" if anchor else chapter.prefix


def resolve(chapters: list[Chapter], site: Path, site_url: str | None) -> None:
    """Rewrite ids, links and pictures of all chapters in place; raises BadInput at the first that leads nowhere."""
    ids = {c.page: {tag["id"] for tag in c.article.find_all(id=True)} for c in chapters}
    by_page = {c.page: c for c in chapters}
    for chapter in chapters:
        for link in chapter.article.find_all("a"):
            place_link(link, chapter, by_page, ids, site, site_url)
        for picture in chapter.article.find_all("img"):
            place_picture(picture, chapter, site)
        for tag in chapter.article.find_all(id=True):
            tag["id"] = name(chapter, tag["id"])
        for tag in chapter.article.find_all(attrs={"aria-labelledby": True}):
            del tag["aria-labelledby"]
        chapter.article.attrs = {"id": name(chapter), "data-source": str(chapter.source)}


def place_link(
    link: Tag, chapter: Chapter, by_page: dict[str, Chapter], ids: dict[str, set[str]], site: Path, site_url: str | None
) -> None:
    href = link.get("href")
    if href is None:
        return
    if not link.get_text(strip=True) and not link.find("img"):
        raise chapter.fault(link, f"the link to {href} has no text.", "Give it words to click on.")
    if urlsplit(href).scheme in ("http", "https", "mailto"):
        return
    _, _, address, query, anchor = urlsplit(href)  # query: a form that the link fills in
    here = posixpath.dirname(chapter.page)
    target = posixpath.normpath(posixpath.join(here, unquote(address))) if address else chapter.page
    if not (site / target).is_file():
        raise chapter.fault(link, f"the link to {href} leads to no file.", CORRECT)
    there = ids[target] if target in ids else anchors(site / target)
    if anchor and unquote(anchor) not in there:
        raise chapter.fault(link, f"the link to {href} leads to no heading or anchor there.", CORRECT)
    if link.find_parent(class_="evidence") and is_listing(target):  # "Download", which paper cannot
        link.string, link["class"] = f"Attached as {file_name(target)}", "attached"
    if target in by_page:
        link["href"] = "#" + name(by_page[target], anchor)
    elif site_url:
        link["href"] = urljoin(site_url, target) + (query and f"?{query}") + (anchor and f"#{anchor}")
    else:  # a file of the site, and nobody has said where the site is
        link.name = "span"
        link.attrs = {"class": link["class"]} if link.get("class") else {}
        if target.endswith((".out", ".txt")):  # "Output as text", which paper cannot
            link.string = f"File: {target}"


@cache  # most pages link the same few
def anchors(file: Path) -> set[str]:
    """The ids on a page of the site."""
    return {*map(unescape, ANCHOR.findall(file.read_text(encoding="utf-8")))} if file.suffix == ".html" else set()


def place_picture(picture: Tag, chapter: Chapter, site: Path) -> None:
    source = picture.get("src", "")
    shown = source if len(source) < 80 else source[:60] + "…"
    if not picture.get("alt", "").strip():
        raise chapter.fault(picture, f"the picture {shown} has no alt text.", "Say in words what it shows.")
    if source.startswith("data:image/"):
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(chapter.page), unquote(source)))
    if urlsplit(source).scheme or not (site / target).is_file():
        raise chapter.fault(picture, f"there is no picture {shown}.", "Add the file below docs/, or correct its name.")
    picture["src"] = "/" + target
