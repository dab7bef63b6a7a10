"""Of the Markdown extension: a glossary's term is linked to its entry where a page first uses it.

In paragraphs and lists only: not in headings, tables, code or links, and at most once a page.
"""

import re
from functools import cache
from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

from scripts.glossary import load_glossary

PAGE = "/learn/glossary.md"
PROSE = {"p", "li", "dd"}
LEFT_OUT = {"a", "code", "pre", "table", "h1", "h2", "h3", "h4", "summary", "script", "style", "button", "label"}
QUIET = {"highlight", "evidence", "told", "also", "line"}  # classes of what is no prose
WORD = re.compile(r"[A-Za-z][\w/+-]*")
Phrases = dict[str, list[tuple[re.Pattern[str], str]]]


@cache
def phrases() -> Phrases:
    """First word in small letters -> the names that begin with it, the longest first, and their entries' ids.

    Looked up word by word, since one expression of all names would be tried at every letter of a page.
    """
    found: Phrases = {}
    for terms in load_glossary().values():
        for term in terms:
            for name in term.names:
                exact = name != name.lower()  # capitals count: `SM` is no `sm`
                spaced = re.escape(name).replace(r"\ ", r"\s+")  # a page's lines end anywhere
                pattern = re.compile(spaced + r"s?(?![\w/+-])", 0 if exact else re.IGNORECASE)
                word = WORD.match(name)[0].lower()
                for key in {word, f"{word}s"} if word == name.lower() else {word}:
                    found.setdefault(key, []).append((pattern, term.id))
    for names in found.values():
        names.sort(key=lambda each: -len(each[0].pattern))
    return found


class Terms(Treeprocessor):
    def run(self, root: Element) -> None:
        self.linked: set[str] = set()
        self.visit(root, False)

    def visit(self, parent: Element, prose: bool) -> None:
        """Walk in reading order. prose: is text here a reader's?"""
        prose = prose or parent.tag in PROSE
        children = list(parent)
        if prose and parent.text:
            self.link(parent, None, parent.text)
        for child in children:
            if child.tag in ("h2", "h3"):
                self.linked.add(child.get("id", ""))  # a term's own entry need not lead to itself
            if child.tag not in LEFT_OUT and not QUIET & {*child.get("class", "").split()}:
                self.visit(child, prose)
            if prose and child.tail:
                self.link(parent, child, child.tail)

    def link(self, parent: Element, after: Element | None, text: str) -> None:
        """Link each new term of a text, which stands in `parent`, behind `after` or before all children."""
        rest, place, end = text, list(parent).index(after) + 1 if after is not None else 0, 0
        past = 0  # the end of the last term: the second `tensor core` is no tensor and no core
        last = after
        for word in WORD.finditer(text):
            if word.start() < past or (entry := self.entry(text, word)) is None:
                continue
            match, key = entry
            past = match.end()
            if key in self.linked:
                continue
            self.linked.add(key)
            _write(parent, last, text[end : match.start()])
            last = Element("a", {"class": "term", "href": f"{PAGE}#{key}"})
            last.text = match[0]
            parent.insert(place, last)
            place, end = place + 1, match.end()
            rest = text[end:]
        if last is not after:
            _write(parent, last, rest)

    def entry(self, text: str, word: re.Match[str]) -> tuple[re.Match[str], str] | None:
        """The longest term that begins here."""
        for pattern, key in phrases().get(word[0].lower(), ()):
            if match := pattern.match(text, word.start()):
                return match, key
        return None


def _write(parent: Element, after: Element | None, text: str) -> None:
    if after is None:
        parent.text = text
    else:
        after.tail = text
