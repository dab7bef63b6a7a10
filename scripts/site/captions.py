"""A Markdown extension: every table gets a caption and its column heads their scope.

The caption is what stands above the table anyway: the heading, the tab's label, the table's first head. So it is
written for screen readers only, which list a page's tables by their captions; guide.css hides it from the eye.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

ATTRIBUTES = re.compile(r"\s*\{[^{}]*\}$")  # of a heading, which a later processor takes from its text


def text(element: Element) -> str:
    return ATTRIBUTES.sub("", " ".join("".join(element.itertext()).split()))


class Captions(Treeprocessor):
    def run(self, root: Element) -> None:
        self.heading = ""
        self.visit(root, "")

    def visit(self, parent: Element, tab: str) -> None:
        """Walk in reading order; `tab` is the label of the tab that holds `parent`, if any."""
        labels = [text(label) for label in parent.iterfind("div[@class='tabbed-labels']/label")]
        for element in parent:
            if element.tag in ("h1", "h2", "h3", "h4"):
                self.heading = text(element)
            elif element.tag == "table":
                self.caption(element, tab)
            elif element.get("class") == "tabbed-content" and labels:
                for label, block in zip(labels, element, strict=True):
                    self.visit(block, label)
            else:
                self.visit(element, tab)

    def caption(self, table: Element, tab: str) -> None:
        heads = list(table.iterfind("thead/tr/th"))
        for head in heads:
            head.set("scope", "col")
        place = f"{self.heading} – {tab}" if tab else self.heading
        caption = Element("caption")
        caption.text = f"{place}: {text(heads[0])}" if heads and text(heads[0]) not in place else place
        table.insert(0, caption)


class CaptionsExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(
            Captions(md), "captions", 15
        )  # after inline text (20), before the headings' links (5)


def makeExtension(**kwargs) -> CaptionsExtension:
    return CaptionsExtension(**kwargs)
