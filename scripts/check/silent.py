"""Faults in a job script that the scheduler passes over without a word, or reports obscurely.

Slurm reads `#SBATCH` lines only at the start of a line and only above the first command; all others are comments to
it. Grid Engine reads `#$` at the start of any line. What looks like a directive and is none is what people lose hours
over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.check.directives import PREFIX
from scripts.facts import Cluster

OTHERS = {
    "slurm": r"#(\$|BSUB|COBALT|PJM)\s+-",
    "grid_engine": r"#(SBATCH|PBS|BSUB|COBALT|PJM)\s+-",
}  # sbatch understands #PBS
TYPOGRAPHIC = {
    "\u2013": "an en dash",
    "\u2014": "an em dash",
    "\u2212": "a minus sign",
    "\u2010": "a typographic hyphen",
    "\u2011": "a typographic hyphen",
    "\u00ad": "a soft hyphen",
    "\u2018": "a typographic quote",
    "\u2019": "a typographic quote",
    "\u201c": "a typographic quote",
    "\u201d": "a typographic quote",
    "\u00a0": "a non-breaking space",
    "\u200b": "a space without width",
    "\u202f": "a narrow non-breaking space",
    "\ufeff": "a byte-order mark",
}


@dataclass(frozen=True)
class Finding:
    """One fault. `line` counts from 1; `ignored` is true where the scheduler would say nothing."""

    line: int
    what: str
    cure: str
    ignored: bool = True


def lint(data: bytes, cluster: Cluster) -> list[Finding]:
    """All silent faults of a script, in the order of its lines. `data` is the file as it is."""
    found = list(_bytes(data))
    lines = data.decode("utf-8", "replace").lstrip("\ufeff").replace("\r", "").split("\n")
    found += _first_line(lines)
    kind = cluster.scheduler.kind
    found += {"slurm": _directives, "grid_engine": _grid_engine}[kind](lines, PREFIX[kind])
    found += [
        Finding(
            number,
            f"`{line.strip()[:40]}` is a directive of another scheduler, so it is ignored.",
            f"Write it for this one, with {PREFIX[kind]}.",
        )
        for number, line in enumerate(lines, 1)
        if re.match(OTHERS[kind], line.strip())
    ]
    return sorted(found, key=lambda finding: finding.line)


def _bytes(data: bytes) -> Iterator[Finding]:
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding(1, "a byte-order mark stands before `#!`.", "Save the file as UTF-8 without one.", False)
    if b"\r" in data:
        yield Finding(
            data[: data.index(b"\r")].count(b"\n") + 1, "Windows line ends.", "Convert the file: dos2unix FILE", False
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        yield Finding(
            data[: fault.start].count(b"\n") + 1, "bytes that are not UTF-8.", "Save the file as UTF-8.", False
        )
        return
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        for letter, name in TYPOGRAPHIC.items():
            if letter in line:
                yield Finding(number, f"{name} stands where plain text must.", "Type the line anew.", False)
                break


def _first_line(lines: list[str]) -> Iterator[Finding]:
    if lines[0].startswith("#!/"):
        return
    later = next((number for number, line in enumerate(lines, 1) if line.lstrip().startswith("#!/")), None)
    if later == 1:
        yield Finding(1, "blanks stand before `#!`.", "Take them out.", False)
    elif later:
        yield Finding(1, f"`#!` stands on line {later}.", "Make it the very first line.", False)
    else:
        yield Finding(1, "the first line does not name the shell.", "Begin with #!/bin/bash.", False)


def _directives(lines: list[str], prefix: str) -> Iterator[Finding]:
    word = prefix.lstrip("#")
    command_at = None
    for number, line in enumerate(lines, 1):
        if line.startswith(prefix) and (line[len(prefix) :] == "" or line[len(prefix)].isspace()):
            if command_at:
                yield Finding(
                    number,
                    f"this directive stands below the first command (line {command_at}), so it is ignored.",
                    "Move it up, below the first line.",
                )
            elif not line[len(prefix) :].strip():
                yield Finding(number, f"{prefix} with nothing behind it.", "Write an option, or take it out.")
            elif one := re.search(r"\s(-[a-z][\w-]+)=", line):
                yield Finding(
                    number,
                    f"`{one[1]}` has one dash, so it is read as `{one[1][:2]}` with a value.",
                    f"Write -{one[1]}.",
                )
            elif placeholder := re.search(r"<[A-Za-z][\w -]*>", line):
                yield Finding(number, f"`{placeholder[0]}` is a placeholder.", "Write your own value.", False)
            elif blank := re.search(r"--[\w-]+(\s+=|=\s+\S)", line):
                yield Finding(
                    number, f"`{blank[0].strip()}`: a blank stands beside `=`.", "Write --option=value.", False
                )
            continue
        looks = _looks_like(line, prefix, word)
        if looks:
            yield Finding(
                number,
                f"`{line.strip()[:40]}` looks like a directive and is a comment: {looks}",
                f"Begin the line with {prefix} and one blank.",
            )
        elif line.strip() and not line.lstrip().startswith("#") and not command_at:
            command_at = number


def _grid_engine(lines: list[str], prefix: str) -> Iterator[Finding]:
    for number, line in enumerate(lines, 1):
        cure = f"Begin the line with {prefix}."
        if line.startswith(prefix):
            if placeholder := re.search(r"<[A-Za-z][\w -]*>", line):
                yield Finding(number, f"`{placeholder[0]}` is a placeholder.", "Write your own value.", False)
            elif not line[len(prefix) :].strip():
                yield Finding(number, f"{prefix} with nothing behind it.", "Write an option, or take it out.")
            elif not re.match(r"\s*-", line[len(prefix) :]):
                yield Finding(
                    number, f"`{line.strip()[:40]}`: the option has no dash.", "Write a dash before it.", False
                )
            elif seconds := re.search(r"\bh_rt=(\d{1,2})(?![\d:])", line):
                yield Finding(
                    number,
                    f"`h_rt={seconds[1]}` is {seconds[1]} seconds.",
                    "Write hours, minutes and seconds: h_rt=01:00:00.",
                )
        elif re.match(r"\s+#\$\s*-", line):
            yield Finding(
                number, f"`{line.strip()[:40]}` looks like a directive and is a comment: it is indented.", cure
            )
        elif re.match(r"#\s+\$\s*-", line):
            yield Finding(
                number,
                f"`{line.strip()[:40]}` looks like a directive and is a comment: there is a blank after #.",
                cure,
            )
        elif re.match(r"(#[^\w\s#!$'\"-]|#S)\s*-[A-Za-z]+\b", line) or re.match(r"\$#?\s*-[A-Za-z]+\b", line):
            yield Finding(
                number, f"`{line.strip()[:40]}` looks like a directive and is none: the prefix is misspelt.", cure
            )


_OPTION = r"(--?[A-Za-z][\w-]*|[a-z-]+=\S)"


def _looks_like(line: str, prefix: str, word: str) -> str | None:
    """Why a line that resembles a directive is none, or None if it does not resemble one."""
    stripped = line.strip()
    if not (match := re.match(rf"(#+\s*)([A-Za-z_$]+)(:?\s*)({_OPTION})", stripped)):
        return None
    hashes, name, gap = match[1], match[2], match[3]
    if not _close(name.upper().rstrip(":"), word):
        return None
    if hashes.count("#") > 1 and hashes.strip() == "##" and name == word:
        return None  # ##SBATCH is how people switch a directive off
    if hashes != "#":
        return "there is a blank after #."
    if name != word:
        return "the prefix is misspelt."
    if line[:1].isspace():
        return "it is indented."
    return "there is no blank behind the prefix." if not gap else "the prefix is misspelt."


def _close(name: str, word: str) -> bool:
    """Is this the word, or one slip away from it: a letter more, less, other, or two exchanged?"""
    if name == word:
        return True
    if abs(len(name) - len(word)) > 1:
        return False
    if len(name) == len(word):
        wrong = [i for i in range(len(word)) if name[i] != word[i]]
        return (
            len(wrong) == 1
            or len(wrong) == 2
            and wrong[1] == wrong[0] + 1
            and name[wrong[0]] == word[wrong[1]]
            and name[wrong[1]] == word[wrong[0]]
        )
    longer, shorter = (name, word) if len(name) > len(word) else (word, name)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
