"""`make prose`: words that the style guide does not use, with file, line and what to write; and the longest sentences.

Ends with 1 if it finds one. Code, quotations of programs, keys and titles of sources do not count.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from scripts.markdown import FENCE
from scripts.paths import ROOT

TERMS = Path(__file__).with_name("terms.yml")
PAGES = ["*.md"]
DATA = ["snippets/messages/*.yml", "snippets/glossary.yml", "snippets/*/cluster.yml", "scripts/facts/*.yml"]
CODE = ["scripts/engine/js/*.js", "scripts/tables/*.py", "scripts/migration/*.py", "scripts/check/*.py"]
VERBATIM = re.compile(r"^\s*-?\s*(texts|term|also|anchor|title|url|source|refusal|id|samples|bad|good):")
SPANS = re.compile(r"`[^`]*`|<[^>]*>|\{[^}]*\}|\]\([^)]*\)|--8<--.*")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
LONG = 25  # words


class Found(NamedTuple):
    file: str
    line: int
    words: str
    write: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: not `{self.words}`; write: {self.write}"


def tracked(patterns: list[str]) -> list[str]:
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    names = (name for name in listed.stdout.splitlines() if ".test." not in name and name != "STYLE.md")
    return [name for name in names if (ROOT / name).exists()]  # git lists what is deleted and not committed


def prose(name: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that are prose: number, and the words without code."""
    fenced = False
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        if name.endswith(".md"):
            fenced ^= bool(FENCE.match(line))
            if not fenced:
                yield number, SPANS.sub(" ", line)
        elif name.endswith(".yml"):
            if not VERBATIM.match(line):
                yield number, SPANS.sub(" ", line)
        elif " " in line:
            said = [SPANS.sub(" ", a or b) for a, b in LITERAL.findall(line)]
            yield number, " ".join(each for each in said if " " in each)


def find(names: list[str]) -> Iterator[Found]:
    terms = [
        (re.compile(each["not"], re.IGNORECASE), each["write"]) for each in yaml.safe_load(TERMS.read_text("utf-8"))
    ]
    for name in names:
        for number, line in prose(name):
            for pattern, write in terms:
                if found := pattern.search(line):
                    yield Found(name, number, found[0], write)


def lengths(names: list[str]) -> str:
    """The pages with the longest sentences: no gate, since chopped sentences are no better."""
    rows = []
    for name in names:
        text = " ".join(line for _, line in prose(name) if not line.startswith(("|", "#", "---")))
        counts = [len(each.split()) for each in re.split(r"(?<=[.!?])\s+", text) if each.strip()]
        if len(counts) > 10:
            rows.append((sum(count > LONG for count in counts) / len(counts), sum(counts) / len(counts), name))
    worst = sorted(rows, reverse=True)[:10]
    return "\n".join(f"{name}: {mean:.0f} words a sentence, {share:.0%} over {LONG}" for share, mean, name in worst)


def main() -> int:
    argparse.ArgumentParser(prog="make prose", description=__doc__.partition("\n")[0]).parse_args()
    pages = tracked(PAGES)
    found = list(find([*pages, *tracked(DATA), *tracked(CODE)]))
    print("\n".join([*map(str, found), "", "Longest sentences:", lengths(pages)]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
