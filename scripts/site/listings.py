"""Of the Markdown extension: a listing carries its file's name, and a scheduler's directives stand out in it.

To bash a directive is a comment, and so it is to Pygments. Here its prefix, options and values get the classes of a
keyword, a variable and a string, whose colours the theme has, on paper too.
"""

import re

from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from scripts.markdown import FENCE, INCLUDE

DIRECTIVE = re.compile(r'<span class="c1">(?P<prefix>#SBATCH|#\$)(?P<words>[ \t].*?)</span>')
OPTION = re.compile(r"(?P<name>(?<=\s)--?[A-Za-z][\w-]*)(?P<joint>=|\s+(?!-))?(?P<value>[^\s<]*)")
NAMED = (".sh", ".py", ".yml")


class FileNames(Preprocessor):
    """Give each fence that shows a file, and has no title, the file's name for one."""

    def run(self, lines: list[str]) -> list[str]:
        out = list(lines)
        for number, line in enumerate(lines[:-1]):
            fence, include = FENCE.match(line), INCLUDE.match(lines[number + 1])
            if fence and include and fence["info"].strip() and "title=" not in line and include["path"].endswith(NAMED):
                out[number] = f'{line.rstrip()} title="{include["path"].rsplit("/", 1)[-1]}"'
        return out


class Directives(Postprocessor):
    def run(self, text: str) -> str:
        return DIRECTIVE.sub(_spans, text)


def _spans(directive: re.Match[str]) -> str:
    words = OPTION.sub(
        lambda option: (
            f'<span class="nv">{option["name"]}</span>{option["joint"] or ""}'
            + (f'<span class="s">{option["value"]}</span>' if option["value"] else "")
        ),
        directive["words"],
    )
    return f'<span class="kd">{directive["prefix"]}</span>{words}'
