"""The edits of documents that are certain: in place, or as patches to offer to those who keep the documents."""

import difflib
import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.check.report import Report
from scripts.documents.judge import LINE, SEVERE, Judged
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.facts.source import source
from scripts.paths import write_whole

NO_END = "\\ No newline at end of file"  # git's own words
MOST = 30  # edits of one script
# What was meant is its author's choice, or, of an indentation, may be the page's.
LEFT_TO_AUTHORS = ("no-partition", "no-time", "value-missing", "said-twice", "directive-indented")


@dataclass(frozen=True)
class Edited:
    """A document before and after all its edits, and what each of them is for."""

    path: Path
    old: str
    new: str
    reasons: tuple[tuple[Report, Cluster], ...]


def edited(judged: Sequence[Judged]) -> Iterator[Edited]:
    """Each document with an edit that is certain. Raises BadInput for one that has changed since it was judged."""
    for file in dict.fromkeys(each.script.file for each in judged):
        of_it = [each for each in judged if each.script.file == file and each.filled and not each.script.part]
        done = [(each, *_mended(each)) for each in of_it]
        if not any(reasons for *_, reasons in done):
            continue
        path = Path(file).resolve()  # of a link, what it leads to
        old = of_it[0].script.around
        if path.read_bytes() != old.encode("utf-8", "surrogateescape"):
            raise BadInput(file, None, "this file has changed since the check.", "Try again.")
        lines = old.split("\n")
        for each, now, reasons in sorted(done, key=lambda one: -one[0].script.at[0]):
            if reasons:
                _put(lines, each, now)
        told = tuple((reason, each.system) for each, _, reasons in done for reason in reasons)
        yield Edited(path, old, "\n".join(lines), told)


def _mended(judged: Judged) -> tuple[list[str], list[Report]]:
    """The script's lines after one edit after the other, and the findings that these were for."""
    cluster, own, filled = judged.system, judged.script.text.split("\n"), judged.filled.text.split("\n")
    said = {_key(report.rule, report.what.removeprefix(f"{cluster.name}: ")): report for report in judged.reports}
    done: list[Report] = []
    for _ in range(MOST if any(report.kind in SEVERE for report in said.values()) else 0):
        (answer,) = ask("judge", [cluster], [[cluster.key, "\n".join(filled), judged.script.file]])
        for finding in answer["findings"]:
            report, mend = said.get(_key(finding["rule"], finding["what"])), finding.get("mend")
            if not mend or not report or report.kind not in SEVERE or report in done or report.rule in LEFT_TO_AUTHORS:
                continue
            new = mend.get("lines") or [*filled[: mend["line"] - 1], mend["to"], *filled[mend["line"] :]]
            if (now := _of_document(judged, own, filled, new)) is not None:
                own, filled = now, new
                done.append(report)
                break
        else:
            break
    return own, done


def _key(rule: str, what: str) -> tuple[str, str]:
    """A finding by its words, whatever lines they name."""
    return rule, LINE.sub("", what)


def _of_document(judged: Judged, own: list[str], filled: list[str], new: list[str]) -> list[str] | None:
    """The document's lines after the edit of the filled ones; None where that would edit a value that was filled in."""
    result: list[str] = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, filled, new, autojunk=False).get_opcodes():
        if what == "equal":
            result += own[a:b]
        elif any(judged.filled.document(filled[at]) != own[at] for at in range(a, b)):
            return None
        else:
            result += map(judged.filled.document, new[c:d])
    return result


def _put(lines: list[str], judged: Judged, now: list[str]) -> None:
    """The script's lines among the document's; those that stay keep every byte."""
    script = judged.script
    first, before = script.at[0] - 1, script.text.split("\n")
    end = "\r" if script.page and lines[first].endswith("\r") else ""
    for what, a, b, c, d in reversed(difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes()):
        if what != "equal":
            indent = script.indent if lines[min(first + a, len(lines) - 1)].startswith(script.indent) else ""
            lines[first + a : first + b] = [f"{indent}{line}".rstrip(" ") + end for line in now[c:d]]


def fix(judged: Sequence[Judged]) -> list[str]:
    """Edit the documents, each whole or not at all; their paths."""
    found = list(edited(judged))
    for each in found:
        write_whole(each.path, each.new.encode("utf-8", "surrogateescape"))
    return [os.path.relpath(each.path) for each in found]


def write_patches(judged: Sequence[Judged], folder: Path) -> list[str]:
    """One patch for each document, which `git apply` takes; their paths."""
    written: list[str] = []
    for each in edited(judged):
        name = os.path.relpath(each.path)
        old, new = io.StringIO(each.old), io.StringIO(each.new)  # whose lines end with \n alone, as git's
        lines = difflib.unified_diff([*old], [*new], f"a/{name}", f"b/{name}")
        whole = "".join(line if line.endswith("\n") else f"{line}\n{NO_END}\n" for line in lines)
        head = "".join(f"{line}\n" for reason in each.reasons for line in _head(*reason))
        stem, number = re.sub(r"[^\w.-]+", "-", name).strip("-."), 1
        while str(path := folder / f"{stem}{f'-{number}' if number > 1 else ''}.patch") in written:
            number += 1
        write_whole(path, f"{head}\n{whole}".encode("utf-8", "surrogateescape"))
        written.append(str(path))
    return written


def _head(report: Report, cluster: Cluster) -> Iterator[str]:
    """What was found, and the pages that say so, each with the day on which it was read."""
    yield str(report)
    groups = [group for group in cluster.sources if report.source == source(cluster, group)]
    group = "partitions" if "partitions" in groups else next(iter(groups), None)
    if not group:
        yield f"  Rule of {cluster.scheduler.words.name} or the shell: {report.rule}"
    for each in cluster.sources[group] if group else ():
        yield f"  Source: {each.title}, {each.url}, read {each.read}"
