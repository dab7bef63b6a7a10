"""A Markdown extension: what the search need not know.

Programs, scripts and long outputs, the lines of evidence, tables' captions, the tables of limits in numbers, of
sources and prices, old systems' facts and scripts, the small print for those who keep the guide, the columns that
compare systems, what the workshop repeats of each, the lists of what changed on a day, and of a message the cure and
its source: who pastes one finds it by its text and its meaning. They are half of the index, every reader who searches
would fetch them, and words in fifty job scripts point nowhere. One-line commands (`console`) stay. Material's search
plugin obeys the attribute and takes it out again.
"""

from __future__ import annotations

import re

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

LEFT_OUT = re.compile(
    r'<(?=div class="(?:(?:language-(?!console)\w+ )?highlight|compare|limits-own)"|caption>'
    r'|details class="note">\s*<summary>Where these limits come from<'
    r'|p class="(?:evidence\b|told"|cure"|line")'
    r"|table><caption>[^<]*(?:Program and size<|cannot be: What<|is inside: GPU<"
    r"|: Line<|link to: Document<|partition\?: Cluster<|how to ask for it<|: Jobs in, or with<"
    r"|L40S: GPU<|: CPU, one socket<|: (?:Product of two|10\^9 pairs)[^<]*<"
    r"|(?:Large products|Reading, writing, copying|Many small steps): GPU<)"
    r'|h[23] id="(?:sources|its-limits-and-facts|script-by-script|get-into-jupyter-on-your-system'
    r"|users-own-scripts|the-operators-own-scripts|limits-of-other-gpus|what-the-file-holds|line-by-line|what-else-it-reads"
    r'|write-it-into-the-guide|what-passes-what-fails|send-it-in|what-stands-behind-the-tables)"'
    r'|h3 id="20\d\d-\d\d-\d\d")(\w+)'
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
