"""A page or file as lines of words: what a reader sees, without markup, menus and scripts.

So a new style sheet or a new menu is no change, and a changed cell of a table is one line.
"""

import re
from html.parser import HTMLParser

BEGINS = re.compile(r"\s*(?>(<!--.*?-->\s*|<\?.*?\?>\s*)*)<(!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
BLANKS = re.compile(r"[\s\u00a0\u200b\ufeff]+")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# of the head its title alone, for a page may omit the tag that ends the head
LEFT_OUT = {"script", "style", "nav", "header", "footer", "aside", "noscript", "template", "svg", "button", "title"}
BLOCKS = set("p div li tr table ul ol pre section article main br dt dd blockquote".split())
HEADINGS = {f"h{level}" for level in range(1, 7)}


def is_html(text: str) -> bool:
    """Does it begin as a page does, after comments?"""
    return bool(BEGINS.match(text[:20_000].lstrip("\ufeff")))


def lines_of(text: str) -> list[str]:
    """The lines with anything in them; of HTML those that are seen, a table's row as `| a | b |`."""
    if is_html(text):
        reader = _Reader()
        reader.feed(text)
        reader.close()
        text = "".join(reader.out)
    lines = (BLANKS.sub(" ", CONTROL.sub("", line)).strip() for line in text.splitlines())
    return [line for line in lines if line.strip("|-: ")]


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
