"""`make prose`: words that the style guide does not use, with file, line and what to write.

Ends with 1 if it finds one. Code, quotations of programs, keys and titles of sources do not count.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from scripts.errors import BadInput, parser_of, run, utf8
from scripts.git import listed
from scripts.markdown import FENCE
from scripts.paths import ROOT

TERMS = Path(__file__).with_name("terms.yml")
PAGES = ["*.md", "docs/assets/*.svg"]
OURS = ("messages/*", "glossary", "paths", "workshop", "*/cluster")
DATA = [*(f"snippets/{name}.yml" for name in OURS), "scripts/facts/*.yml"]
CODE = ["scripts/engine/js/*.js", *(f"scripts/{room}/*.py" for room in ("tables", "agents", "migration", "check"))]
VERBATIM = re.compile(r"^\s*-?\s*(texts|term|also|anchor|title|url|source|refusal|id|samples|bad|good):")
SPANS = re.compile(r"`[^`]*`|<[^>]*>|\{[^}]*\}|\]\([^)]*\)|--8<--.*")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


class Found(NamedTuple):
    file: str
    line: int
    words: str
    write: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: not `{self.words}`; write: {self.write}"


def ours(patterns: list[str]) -> list[str]:
    names = listed(*patterns)
    if not names:
        raise BadInput(ROOT, None, "git lists no files here.", "Use a clone of the repository.")
    return [name for name in names if ".test." not in name and name != "STYLE.md"]


def prose(name: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that are prose: number, and the words without code."""
    fenced = False
    for number, line in enumerate(utf8((ROOT / name).read_bytes(), name).splitlines(), 1):
        if name.endswith(".md"):
            fenced ^= bool(FENCE.match(line))
            if not fenced:
                yield number, SPANS.sub(" ", line)
        elif name.endswith((".yml", ".svg")):
            if not VERBATIM.match(line):
                yield number, SPANS.sub(" ", line)
        elif " " in line:
            said = [SPANS.sub(" ", a or b) for a, b in LITERAL.findall(line)]
            yield number, " ".join(each for each in said if " " in each)


def find(names: list[str]) -> Iterator[Found]:
    terms = [(re.compile(each["not"], re.I), each["write"]) for each in yaml.safe_load(TERMS.read_text("utf-8"))]
    for name in names:
        for number, line in prose(name):
            for pattern, write in terms:
                if found := pattern.search(line):
                    yield Found(name, number, found[0], write)


def main() -> int:
    parser_of("make prose", __doc__).parse_args()
    found = list(find(ours([*PAGES, *DATA, *CODE])))
    print(*(f"{each}\n" for each in found), sep="", end="")
    return int(bool(found))


if __name__ == "__main__":
    run(main)
