"""Draw the record of the operators' guides anew, from clones of their repositories:

    python -m scripts.published.re_extract FOLDER

FOLDER has a clone of each repository of `SOURCES`, as OWNER/NAME. What is newest there is read. The reasons of the
refused scripts are kept; one that is refused and has none yet is told, and the file is written when all have one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.errors import BadInput, run
from scripts.facts import load_all
from scripts.published.extract import draw
from scripts.published.guides import GUIDES, Script, judged, load_guides
from scripts.published.pages import printed, systems


@dataclass(frozen=True)
class Source:
    """A guide: where its pages are, which of our systems it may be about, and which it is about where it names none."""

    operator: str
    repository: str
    pages: str
    systems: tuple[str, ...]
    unnamed: tuple[str, ...]
    branch: str = "HEAD"


ALLIANCE = ("narval", "rorqual", "fir", "nibi", "trillium", "beluga", "cedar", "graham")
SOURCES = (
    Source("CSC", "CSCfi/csc-user-guide", r"^docs/.*\.md$", ("roihu", "mahti", "puhti", "lumi"), ("roihu",)),
    Source("LUMI", "Lumi-supercomputer/lumi-userguide", r"^docs/.*\.md$", ("lumi",), ("lumi",)),
    Source("LUMI", "Lumi-supercomputer/LUMI-AI-Guide", r"\.(md|sh)$", ("lumi",), ("lumi",)),
    Source("NLR", "NREL/HPC", r"^docs/.*\.md$", ("kestrel", "swift", "vermilion"), ("kestrel",), "gh-pages"),
    Source("UVA", "uvarc/rc-website", r"\.(md|slurm|sh)$", ("rivanna",), ("rivanna",)),
    Source("UVA", "uvarc/rc-learning", r"\.(md|slurm|sh)$", ("rivanna",), ("rivanna",)),
    Source("Leeds", "arcdocs/aire", r"^book/.*\.md$", ("aire",), ("aire",)),
    Source("Leeds", "arcdocs/arcdocs.github.io", r"^book/.*\.md$", ("arc4",), ("arc4",)),
    # The wiki of the Alliance has no repository of its own; this one copies it.
    Source(
        "Alliance",
        "ualberta-rcg/alliance-wiki-rag-data",
        r"^wiki_pages/[^/]*(?<!_fr)\.txt$",
        ALLIANCE,
        ("fir", "narval", "nibi", "rorqual"),
    ),
)
ALSO_CALLED = {"rivanna": ["rivanna", "afton"], "beluga": ["beluga", "béluga"]}
NUMBERS = re.compile(r"(--(nodes|n?tasks\S*|cpus-per\S*|gpus\S*|array)[= ]|-[Nnc] ?)$")


def plain(option: str) -> str:
    """The option with a value for each placeholder: what stands in angle brackets, an account that is left empty."""

    def value(found: re.Match) -> str:
        before = option[: found.start()]
        if re.search(r"(--time[= ]|-t ?)$", before):
            return "1:00:00"
        if re.search(r"--mem\S*[= ]$", before):
            return "1G"
        if re.search(r"(--qos[= ]|-q ?)$", before):
            return "normal"
        return "1" if NUMBERS.search(before) or re.search(r"(after\w*|gpu|\w+):$", before) else "name"

    option = re.sub(r"<[^<>]*>@[\w.]+", "someone@example.org", option)
    option = re.sub(r"(?<=--account=)(\[[^\]]*\]|$)|(?<=--mail-user=)\[[^\]]*\]", "name", option)
    return re.sub(r"<[^<>]*>", value, option)


def scripts(source: Source, clone: Path, kind: str, seen: set[str]) -> Iterator[dict]:
    """Of each script that nowhere before was printed: what is kept of it."""
    names = {key: ALSO_CALLED.get(key, [key]) for key in source.systems}
    paths = git(clone, "ls-tree", "-r", "--name-only", "-z", source.branch).split("\0")
    for path in sorted(paths):
        stem, dot, ending = path.rpartition(".")
        if not re.search(source.pages, path) or f"{stem}_en{dot}{ending}" in paths:
            continue
        page = git(clone, "show", f"{source.branch}:{path}")
        for found in printed(page, path):
            options = tuple(map(plain, draw(found.text, kind).options))
            sha = hashlib.sha256(found.text.encode()).hexdigest()
            if options and sha not in seen:
                seen.add(sha)
                yield {
                    "path": path,
                    "lines": found.lines,
                    "sha256": sha,
                    "shell": None if (shell := found.text.split("\n", 1)[0].strip()) == "#!/bin/bash" else shell,
                    "options": list(options),
                    "verdicts": dict.fromkeys(systems(found, path, page, names) or source.unnamed, "accepted"),
                }


def git(clone: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", clone, *words], capture_output=True, check=False)
    if done.returncode:
        raise BadInput(str(clone), None, done.stderr.decode("utf-8", "replace").strip(), "Clone the repository there.")
    return done.stdout.decode("utf-8", "replace")


def told(entry: dict) -> dict:
    return {key: value for key, value in entry.items() if value is not None}


def as_yaml(head: dict, entries: list[dict]) -> str:
    """The file's text: a line a key, values as JSON, which is YAML as well."""
    lines = [f"{key}: {value}" for key, value in head.items()] + ["scripts:"]
    for entry in entries:
        words = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told(entry).items()]
        lines += [f"{'  ' if number else '- '}{each}" for number, each in enumerate(words)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.published.re_extract",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    clusters, seen, without = load_all(), set(), []
    reasons = {
        script.sha256: {"why": script.why, "because": script.because}
        for guide in load_guides().values()
        for script in guide.scripts
        if script.why
    }
    for source in SOURCES:
        clone = folder / source.repository
        kind = clusters[source.systems[0]].scheduler.kind
        entries = list(scripts(source, clone, kind, seen))
        answers = judged(clusters, [Script.model_validate(told(entry)) for entry in entries])
        for entry in entries:
            verdicts = {key: answers[entry["sha256"], key]["verdict"] for key in entry["verdicts"]}
            entry["verdicts"] = verdicts
            if set(verdicts.values()) == {"refused"}:
                if reason := reasons.get(entry["sha256"]):
                    entry |= reason
                else:
                    found = [each for key in verdicts for each in answers[entry["sha256"], key]["findings"]]
                    said = "; ".join(each["what"] for each in found if each["kind"] == "refused")
                    without.append(f"{source.repository}:{entry['path']}:{(entry['lines'] or [1])[0]}: {said}")
                    entry |= {"why": "unclear", "because": f"not looked at yet: {said}"}
        head = {
            "operator": source.operator,
            "repository": source.repository,
            "commit": git(clone, "rev-parse", source.branch).strip(),
            "dated": git(clone, "log", "-1", "--format=%cs", source.branch).strip(),
        }
        file = GUIDES / f"{source.repository.rpartition('/')[2].lower()}.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(as_yaml(head, entries), encoding="utf-8")
        print(f"{source.repository}: {len(entries)} scripts")
    if without:
        print("These are refused, and no reason is on record. Write `why:` and `because:`:", *without, sep="\n")
    return 1 if without else 0


if __name__ == "__main__":
    run(main)
