"""Hold the record of sound scripts against the repositories, and judge the whole texts.

    python -m tests.check.sound FOLDER

FOLDER has a clone of each repository, as OWNER/NAME; those that are not there are named and left out. It is a fault if
a text differs from its sha256 or from what was drawn out of it, and so is a finding about it, unless it is one of
shellcheck's about its commands.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.check.findings import check
from scripts.errors import BadInput, run
from scripts.facts import load_all
from scripts.facts.schedulers import WORDS
from scripts.published.extract import draw
from tests.check.sound import Repository, Script, accusations, records


def text_of(clone: Path, record: Repository, script: Script) -> str:
    """The script as it stands in the clone. Raises BadInput where it is not there or is another text."""
    place = f"{record.repository}:{script.path}"
    shown = subprocess.run(
        ["git", "-C", clone, "show", f"{record.commit}:{script.path}"], capture_output=True, check=False
    )
    if shown.returncode:
        raise BadInput(place, None, f"commit {record.commit[:12]} has no such file.", "Fetch it into the clone.")
    text = shown.stdout.decode("utf-8", "replace")
    if script.lines:
        text = cut(text, *script.lines)
    if hashlib.sha256(text.encode()).hexdigest() != script.sha256:
        raise BadInput(place, None, "this text is not the one that was recorded.", "Correct its lines or its sha256.")
    return text


def cut(text: str, first: int, last: int) -> str:
    """These lines, from 1, without the blanks that the first of them begins with."""
    lines = text.split("\n")[first - 1 : last]
    blanks = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    return "".join(line.removeprefix(blanks) + "\n" for line in lines)


def filled(text: str, kind: str, values: dict[str, str]) -> str:
    """The script with these values for the placeholders in its directives."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(WORDS[kind].prefix):
            for written, value in values.items():
                line = line.replace(written, value)
            lines[number] = line
    return "\n".join(lines)


def faults(clone: Path, record: Repository) -> Iterator[str]:
    """What is wrong with the scripts of one repository, a sentence each."""
    everything = load_all()
    for script in record.scripts:
        place = f"{record.repository}:{script.path}"
        clusters = [everything[key] for key in script.clusters]
        kind = clusters[0].scheduler.kind
        try:
            text = filled(text_of(clone, record, script), kind, script.filled)
        except BadInput as fault:
            yield str(fault)
            continue
        if draw(text, kind) != script.drawn:
            yield f"{place}: other options or commands are drawn out now. Renew its entry."
        for cluster in clusters:
            for report in accusations(check(cluster, text.encode(), place), cluster):
                if not report.rule.startswith("SC"):
                    yield f"{cluster.name}: {report}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.check.sound", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    looked, found = 0, []
    for path, record in records().items():
        clone = folder / record.repository
        if clone.exists():
            found += faults(clone, record)
            looked += len(record.scripts)
        else:
            print(f"{path.name}: {folder} has no clone of {record.repository}.", file=sys.stderr)
    print("\n".join([*found, f"{looked} scripts looked at, {len(found)} faults."]))
    return 1 if found or not looked else 0


if __name__ == "__main__":
    run(main)
