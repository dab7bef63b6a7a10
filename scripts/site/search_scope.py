"""A Markdown extension: what every page has, and no search need find.

Programs, scripts and long outputs, lines of evidence, captions, answers to exercises, and of a message the cure and its
source: who pastes a message finds it by its text and its meaning. One-line commands (`console`) stay. A heading, or a
`<div>` around a table, is left out where the page itself says `data-search-exclude`. All this is half of the index,
which every reader who searches fetches. Material's search plugin obeys the attribute.
"""

import re

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

LEFT_OUT = re.compile(
    r'<(?=div class="highlight">(?!.*<span class="go">)|caption>|details class="question">'
    r'|p class="(?:evidence\b|told"|cure"|line"))(\w+)'
)
LINE_BREAK = re.compile(r"<br ?/?>")  # the plugin would make one word of those on either side


class SearchScope(Postprocessor):
    def run(self, text: str) -> str:
        return LINE_BREAK.sub(r"\g<0> ", LEFT_OUT.sub(r'<\1 data-search-exclude="true"', text))


class SearchScopeExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(SearchScope(md), "search_scope", 1)  # last: the fences are in place


def makeExtension(**kwargs) -> SearchScopeExtension:
    return SearchScopeExtension(**kwargs)
