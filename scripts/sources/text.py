"""A page or file as lines of words: what a reader sees, without markup, menus and scripts.

So a new style sheet or a new menu is no change, and a changed cell of a table is one line.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

BEGINNINGS = ("<!doctype html", "<html", "<head", "<body")
OPENS = re.compile("<!--|<script|<style", re.IGNORECASE)
CLOSES = {
    "<!--": re.compile("-->"),
    "<script": re.compile("</script", re.IGNORECASE),
    "<style": re.compile("</style", re.IGNORECASE),
}
BLANKS = re.compile(r"[\s\u00a0\u200b\ufeff]+")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LEFT_OUT = {"script", "style", "nav", "header", "footer", "aside", "noscript", "template", "svg", "button", "head"}
BLOCKS = {
    "p",
    "div",
    "li",
    "tr",
    "table",
    "ul",
    "ol",
    "pre",
    "section",
    "article",
    "main",
    "br",
    "dt",
    "dd",
    "blockquote",
}
PIECE, MOST_HELD = 4_000, 20_000  # letters that the reader is given, and that it may hold back
HEADINGS = {f"h{level}" for level in range(1, 7)}


def is_html(text: str) -> bool:
    """Does it begin as a page does, after comments?"""
    start = text[:20_000].lstrip("\ufeff \t\r\n").lower()
    while start.startswith(("<!--", "<?")):
        mark = "-->" if start.startswith("<!--") else ">"
        start = start.partition(mark)[2].lstrip()
    return start.startswith(BEGINNINGS)


def without_scripts(text: str) -> str:
    """HTML without its scripts, styles and comments, which may be long; looked through once."""
    out, at = [], 0
    while opened := OPENS.search(text, at):
        out.append(text[at : opened.start()])
        closed = CLOSES[opened[0].lower()].search(text, opened.end())
        at = text.find(">", closed.end() - 1) + 1 if closed else 0
        if not at:
            return "".join(out)
    return "".join([*out, text[at:]])


class Tangled(ValueError):
    """HTML in which one tag has no end: Python's reader would look through it again and again."""


def lines_of(text: str) -> list[str]:
    """The lines with anything in them; of HTML those that are seen, a table's row as `| a | b |`. Raises Tangled."""
    if is_html(text):
        text = _seen(text)
    lines = (BLANKS.sub(" ", CONTROL.sub("", line)).strip() for line in text.splitlines())
    return [line for line in lines if line.strip("|-: ")]


def _seen(text: str) -> str:
    """What is seen of HTML. It is fed in pieces, so that a reader which does not come on is noticed."""
    reader, text = _Reader(), without_scripts(text)
    for start in range(0, len(text), PIECE):
        reader.feed(text[start : start + PIECE])
        if len(reader.rawdata) > MOST_HELD:
            raise Tangled
    reader.close()
    return "".join(reader.out)


class _Reader(HTMLParser):
    """Gathers what is seen. What is opened inside a part that is left out is left out with it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.hidden: list[str] = []

    def handle_starttag(self, tag, attrs):
        if self.hidden:
            if tag == self.hidden[-1]:
                self.hidden.append(tag)
        elif tag in LEFT_OUT:
            self.hidden.append(tag)
        elif tag in HEADINGS:
            self.out.append(f"\n{'#' * int(tag[1])} ")
        elif tag in ("td", "th"):
            self.out.append("| ")
        elif tag in BLOCKS:
            self.out.append("\n")

    def handle_endtag(self, tag):
        if self.hidden:
            if tag == self.hidden[-1]:
                self.hidden.pop()
        elif tag == "tr":
            self.out.append("|\n")
        elif tag in ("td", "th"):
            self.out.append(" ")
        elif tag in BLOCKS or tag in HEADINGS:
            self.out.append("\n")

    def handle_data(self, data):
        if not self.hidden:
            self.out.append(BLANKS.sub(" ", data))  # a line's end in HTML is a blank
