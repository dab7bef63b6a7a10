"""Of the Markdown extension: every table gets a caption and its column heads their scope.

The caption is what stands above the table anyway: the heading, and the table's first head. So it is
written for screen readers only, which list a page's tables by their captions; guide.css hides it from the eye.
"""

import re
from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

ATTRIBUTES = re.compile(r"\s*\{[^{}]*\}$")  # of a heading, which a later processor takes from its text


def text(element: Element) -> str:
    return ATTRIBUTES.sub("", " ".join("".join(element.itertext()).split()))


class Captions(Treeprocessor):
    def run(self, root: Element) -> None:
        heading = ""
        for element in root.iter():
            if element.tag in ("h1", "h2", "h3", "h4"):
                heading = text(element)
            elif element.tag == "table":
                self.caption(element, heading)

    def caption(self, table: Element, heading: str) -> None:
        heads = list(table.iterfind("thead/tr/th"))
        for head in heads:
            head.set("scope", "col")
        caption = Element("caption")
        first = [text(head) for head in heads[:1] if text(head) not in heading]
        caption.text = ": ".join([heading, *first] if heading else first)
        table.insert(0, caption)
