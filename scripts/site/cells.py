"""Of the Markdown extension: a table's numbers end under each other; dates, sizes, options and tools' names stay whole.

guide.css and the PDF's print.css have the classes: `digits` for a column's cells and its head, `whole` for a word.
"""

import re
from xml.etree.ElementTree import Element

from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor

from scripts.site.captions import text

NUMBER = re.compile(r"[\d.,]+(?: (?:ms|µs|s|GB|GiB|MiB|TB|cores?|\([\d.]+\)))?")
NONE = ("–", "", "not published", "unknown", "does not fit", "shared memory, no link")
WHOLE = re.compile(r"\b(\d{4}-\d\d(?:-\d\d)?|(?:amd|nvidia|rocm)-smi|\d[\d.,]* [GMT]i?B)\b")
TAG_OR_CODE = re.compile(r"(<code\b.*?</code>|<[^>]*>)", re.DOTALL)
LONGEST = 24  # letters of code that stay on one line


class Cells(Treeprocessor):
    def run(self, root: Element) -> None:
        for table in root.iter("table"):
            rows = [list(row) for row in table.iterfind("tbody/tr")]
            for at, head in enumerate(table.findall("thead/tr/th")):
                column = [row[at] for row in rows if at < len(row)]  # in HTML, a cell can be several columns wide
                words = [text(cell) for cell in column if text(cell) not in NONE]
                if len(words) > 1 and all(map(NUMBER.fullmatch, words)):
                    for cell in (head, *column):
                        cell.set("class", "digits")
            _keep_whole(table, "")
        _keep_whole(root, "-")


def _keep_whole(part: Element, begins: str) -> None:
    """Short code without blanks that begins so, such as an option, which would break after a hyphen."""
    for code in part.iter("code"):
        if code.text and code.text.startswith(begins) and len(code.text) <= LONGEST and " " not in code.text:
            code.set("class", "whole")


class Words(Postprocessor):
    def run(self, text: str) -> str:
        parts = TAG_OR_CODE.split(text)
        return "".join(each if each[:1] == "<" else WHOLE.sub(r'<span class="whole">\1</span>', each) for each in parts)
