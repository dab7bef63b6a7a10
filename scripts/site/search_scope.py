"""A Markdown extension: what the search need not know.

Programs, scripts and long outputs, the tables of sources, and the lists of what changed on a day. They are half of
the index, every reader who searches would fetch them, and words in fifty job scripts point nowhere. One-line commands
(`console`) stay. Material's search plugin obeys the attribute and takes it out again.
"""

from __future__ import annotations

import re

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

LEFT_OUT = re.compile(
    r'<(?=div class="(?:language-(?!console)\w+ )?highlight"|h2 id="sources"|h3 id="20\d\d-\d\d-\d\d")(\w+)'
)


class SearchScope(Postprocessor):
    def run(self, text: str) -> str:
        return LEFT_OUT.sub(r'<\1 data-search-exclude="true"', text)


class SearchScopeExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(SearchScope(md), "search_scope", 1)  # last: the fences are in place


def makeExtension(**kwargs) -> SearchScopeExtension:
    return SearchScopeExtension(**kwargs)
