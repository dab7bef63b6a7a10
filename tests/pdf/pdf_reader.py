"""What a PDF says, page by page, and what of a built page it must say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
from bs4 import BeautifulSoup, Comment, NavigableString, SoupStrainer, Tag

MM = 72 / 25.4
HEAD, FOOT, SIDE = 22 * MM, 20 * MM, 18 * MM  # the margins of print.css, in points
NOT_SAID = {"caption", "style", "script", "template", "svg"}
NOT_SAID_CLASSES = {"headerlink", "pdf-link", "page-links"}


def flat(text: str) -> str:
    """Without white space, which wrapping changes; pdfium writes a hyphen at a line's end as a control character."""
    return re.sub(r"\s", "", text.replace("\ufffe", "-").replace("\x02", "-").replace("\xad", ""))


@dataclass
class Sheet:
    """One page of a PDF; body and margins as flat text."""

    body: str
    head: str
    foot: str
    width: float
    height: float
    boxes: list[tuple[float, float, float, float]]  # left, bottom, right, top of each line of text, in points


def sheets(path: Path) -> list[Sheet]:
    found = []
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            width, height = page.get_size()
            text = page.get_textpage()
            boxes = [text.get_rect(n) for n in range(text.count_rects())]
            body = text.get_text_bounded(0, FOOT - 1, width, height - HEAD + 1)
            head, foot = (
                text.get_text_bounded(0, height - HEAD + 1, width, height),
                text.get_text_bounded(0, 0, width, FOOT - 1),
            )
            found.append(Sheet(flat(body), flat(head), flat(foot), width, height, boxes))
    return found


read = cache(sheets)


def said(element: Tag) -> Iterator[tuple[str, NavigableString]]:
    """(text, its node) of all that a page says, in reading order."""
    for child in element.children:
        if isinstance(child, Comment):
            continue
        if isinstance(child, NavigableString):
            if text := flat(child):
                yield text, child
        elif (
            child.name == "a"
            and "evidence" in child.parent.get("class", [])
            and child.get_text().startswith(("Download", "Output as", "As text"))
        ):
            continue  # a file of the site: the PDF names it instead
        elif child.name not in NOT_SAID and not NOT_SAID_CLASSES & set(child.get("class", [])):
            yield from said(child)


@dataclass
class Outline:
    depth: int
    title: str
    page: int  # counted from 1; 0 where the entry leads nowhere


def outline(path: Path) -> list[Outline]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [
            Outline(entry.level, entry.get_title(), (entry.get_dest().get_index() + 1) if entry.get_dest() else 0)
            for entry in pdf.get_toc(max_depth=20)
        ]


def article(page: Path) -> Tag:
    """A built page's article, without the table of which a script shows two columns: each system's page has its own."""
    html = page.read_text(encoding="utf-8")
    found = BeautifulSoup(html, "html.parser", parse_only=SoupStrainer("article")).article
    for table in found.select(".compare, .kinds, .order"):
        table.decompose()
    return found


def spans(path: Path, nav: list[tuple[str | None, str]]) -> dict[str, tuple[int, int]]:
    """Of each chapter of the guide: its first and last page, counted from 1, by the outline."""
    entries = outline(path)
    starts = {}
    for section, page in nav:
        title = flat("".join(text for text, _ in said(article(path.parent / page).h1)))
        depth = 1 if section else 0
        starts[page] = next(entry.page for entry in entries if (entry.depth, flat(entry.title)) == (depth, title))
    order = list(starts.values())
    assert order == sorted(order)
    ends = [start - 1 for start in order[1:]] + [len(read(path))]
    return {page: (start, end) for (page, start), end in zip(starts.items(), ends, strict=True)}


def elements(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Dictionary]:
    todo = [pdf.Root.StructTreeRoot.K]
    while todo:
        element = todo.pop()
        if isinstance(element, pikepdf.Array):
            todo += list(element)
        elif isinstance(element, pikepdf.Dictionary) and "/S" in element:
            yield element
            if "/K" in element:
                todo.append(element.K)
