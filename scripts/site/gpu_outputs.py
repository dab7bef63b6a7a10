"""A Markdown extension: beside what a program prints on a CPU stands what it printed on a GPU.

`snippets/programs/gpu/NAME.out` is shown under `NAME.out`, or under the program where its page shows no output.
"""

import re

from markdown.preprocessors import Preprocessor

from scripts.markdown import FENCE, INCLUDE
from scripts.paths import ROOT
from scripts.programs import ON_GPU

PROGRAM = re.compile(r"snippets/programs/(?P<stem>\w+)\.(?P<kind>out|py)")
FIRST_LINE = re.compile(r"# .*\((?P<gpu>[^()]+)\)")


class GpuOutputs(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        shown = {found.group() for line in lines if (found := _program(line))}
        out: list[str] = []
        opened: re.Match[str] | None = None
        after: list[str] = []
        for line in lines:
            out.append(line)
            fence = FENCE.match(line)
            if opened and fence and fence["ticks"].startswith(opened["ticks"]) and not fence["info"].strip():
                out += [opened["indent"] + each if each else "" for each in after]
                opened, after = None, []
            elif fence and not opened:
                opened = fence
            elif opened and (found := _program(line)):
                by_output = found["kind"] == "py" and f"snippets/programs/{found['stem']}.out" in shown
                after = [] if by_output else fence_of(found["stem"])
        return out


def _program(line: str) -> re.Match[str] | None:
    include = INCLUDE.match(line)
    return PROGRAM.fullmatch(include["path"]) if include and not include["section"] else None


def fence_of(stem: str) -> list[str]:
    """The lines that show this program's output on a GPU; none if there is none."""
    path = ON_GPU / f"{stem}.out"
    if not path.exists():
        return []
    gpu = FIRST_LINE.match(path.read_text(encoding="utf-8"))["gpu"]
    return ["", f'```text title="On a GPU: {gpu}"', f'--8<-- "{path.relative_to(ROOT)}"', "```"]
