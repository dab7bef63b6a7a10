"""What `guide check` says of the scripts in documents, on the documents' lines, and the edits that are certain."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from scripts.check.__main__ import status as of_reports
from scripts.check.findings import check
from scripts.check.report import EXPECTED, LEVELS, Report
from scripts.documents.files import documents
from scripts.documents.files import scripts as scripts_of
from scripts.documents.placeholders import Filled, fillings
from scripts.documents.script import Script
from scripts.documents.statements import contradicted, may_accuse
from scripts.documents.systems import FIRST, For, decide
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster, load_all, load_named

LINE = re.compile(r"\bline (\d+)\b")
OF_PART = re.compile(r"^unknown-|-over-")  # what a job asks for besides cannot make it right
MOST_WAYS = 60  # to fill in one script
SEVERE = ("refused", "fails", "ignored")
# A document has its reader's account, and other values for them to fill in; its lines end as its own system's do.
LEFT_TO_READERS = ("placeholder", "placeholder-in-a-command", "windows-line-ends")
VERDICTS = ("accepted", "not judged", "refused")  # from the best


@dataclass(frozen=True)
class Judged:
    """system: which it was judged for; None where that cannot be told. why: who says so, or why it cannot be told.
    filled: what was judged. answer: the engine's verdict on that. reports: on the document's lines.
    """

    script: Script
    system: Cluster | None
    why: str
    filled: Filled | None
    answer: str
    reports: tuple[Report, ...]

    @property
    def verdict(self) -> str:
        """The engine's, but for a refusal of what the document leaves to its reader."""
        refused = any(report.kind == "refused" for report in self.reports)
        return "refused" if refused else "accepted" if self.answer == "refused" else self.answer

    @property
    def named(self) -> str:
        """The verdict as the findings call it: the engine leaves open what an unconfirmed fact decides."""
        doubtful = any(report.kind == "doubtful" for report in self.reports)
        return "doubtful" if self.verdict == "not judged" and doubtful else self.verdict

    @property
    def told(self) -> str:
        """In a line."""
        return f"{self.system.name} ({self.why}): {self.named}" if self.system else f"not judged: {self.why}"


def read_and_judge(paths: Sequence[str], systems: Sequence[str]) -> tuple[list[Judged], list[BadInput], int]:
    """The scripts of these documents with their findings, the documents that cannot be read, and how many there are."""
    clusters = load_all() | {key: load_named(key) for key in systems}
    scripts: list[Script] = []
    unread: list[BadInput] = []
    number = 0
    once = {os.path.realpath(found[0]): found for found in documents(paths)}  # a folder may have a file that is named
    for file, path, data in once.values():
        number += 1
        try:
            if isinstance(data, BadInput):
                raise data
            scripts += scripts_of(file, path, data)
        except BadInput as fault:
            unread.append(fault)
    return judge(scripts, clusters, systems), unread, number


def judge(scripts: Sequence[Script], clusters: dict[str, Cluster], given: Sequence[str]) -> list[Judged]:
    """Each script with its system and its findings, in their order. given: as in `decide`."""
    found: dict[int, Judged] = {}
    chosen: dict[str, list[tuple[int, For, Way]]] = {}
    for number, whose in enumerate(decide(scripts, clusters, given)):
        if scripts[number].prose and whose.why == FIRST:
            continue  # a guess accuses nobody
        try:
            way = _best(scripts[number], [clusters[key] for key in whose.systems]) if whose.systems else None
        except BadInput as fault:  # the engine gave no answer in time
            way, whose = None, replace(whose, why=str(fault))
        if way:
            chosen.setdefault(way.key, []).append((number, whose, way))
        elif not (scripts[number].part and scripts[number].page):  # a table of another system is none of ours
            found[number] = _undecided(scripts[number], whose.why)
    for key, all_of_it in chosen.items():
        cluster = clusters[key]
        texts = [(scripts[n].file, way.filled.text.encode("utf-8", "surrogateescape")) for n, _, way in all_of_it]
        for (number, whose, way), reports in zip(all_of_it, check(cluster, texts), strict=True):
            script = scripts[number]
            own = _told(script, cluster, way.filled, reports, clusters)
            told = *own, *contradicted(script, [cluster, *(clusters[other] for other in whose.systems)])
            if told or not script.prose:
                found[number] = Judged(script, cluster, whose.why, way.filled, way.answer, told)
    return [found[number] for number in sorted(found)]


def _undecided(script: Script, why: str) -> Judged:
    what = f"The system of this script is unclear: {why}."
    report = Report(script.file, script.at[0], "not judged", what, "Name the system with --system.", "no-system")
    return Judged(script, None, why, None, "not judged", (report,))


@dataclass(frozen=True)
class Way:
    """One way to read a script: for which system, how it is filled in, and the engine's verdict."""

    key: str
    filled: Filled
    answer: str


def _best(script: Script, clusters: list[Cluster]) -> Way:
    """The way with the best verdict: a script is right if one of its systems takes it, filled in somehow."""
    ways = [(cluster.key, filled) for cluster in clusters for filled in fillings(script, cluster)][:MOST_WAYS]
    answers = ask("found", clusters, [[key, filled.text, script.file] for key, filled in ways])

    def badness(answer: dict) -> tuple[int, int]:
        severe = sum(each["kind"] in SEVERE for each in answer["findings"])
        return VERDICTS.index(answer["verdict"]), severe

    (key, filled), answer = min(zip(ways, answers, strict=True), key=lambda each: badness(each[1]))
    return Way(key, filled, answer["verdict"])


def _told(
    script: Script, cluster: Cluster, filled: Filled, reports: list[Report], clusters: dict[str, Cluster]
) -> Iterator[Report]:
    """Those that are about the document's own words, on its lines."""
    lines = script.text.split("\n")
    for report in reports if may_accuse(script, cluster, clusters) else ():
        if report.rule.startswith("account-") or report.rule in (*LEFT_TO_READERS, EXPECTED):
            continue
        if script.part and not OF_PART.search(report.rule):
            continue
        line = min(report.line, len(script.at))
        written = filled.document(report.option or "").split("\n")[0]
        missing = lines[line - 1].startswith("#")  # what is missing is told on a directive
        if written not in lines[line - 1] or (not written and (filled.open if missing else line not in filled.own)):
            continue
        what, cure = (LINE.sub(partial(_line, script), text) for text in (report.what, report.cure))
        kind = "unwise" if script.prose and report.kind in SEVERE else report.kind
        yield replace(report, line=script.at[line - 1], kind=kind, what=f"{cluster.name}: {what}", cure=cure)


def _line(script: Script, found: re.Match) -> str:
    """`line 3` of the script as the document counts."""
    number = int(found[1])
    return f"line {script.at[number - 1]}" if 0 < number <= len(script.at) else found[0]


def status(judged: Sequence[Judged]) -> int:
    """That of `guide check`; and 2 where there are scripts and none of them could be judged."""
    if judged and not any(each.system for each in judged):
        return 2
    return of_reports([report for each in judged for report in each.reports])


def closing(judged: Sequence[Judged], documents: int) -> str:
    """The last line: what was read, and how many findings of each kind there are."""
    own = [each for each in judged if not each.script.prose]
    systems = Counter(each.system.name for each in own if each.system)
    counts = Counter(report.kind for each in judged for report in each.reports)
    read = ", ".join(f"{number} for {name}" for name, number in systems.most_common()) or "none was judged"
    said = ", ".join(f"{counts[kind]} {kind}" for kind in LEVELS if counts[kind]) or "no findings"
    first = sum(each.why == FIRST for each in judged)
    guessed = f"; {first} for the first --system, because their documents name none" if first else ""
    counted = ((len(own), "job script"), (documents, "document"))
    scripts, places = (f"{number} {noun}{'s' * (number != 1)}" for number, noun in counted)
    return f"{scripts} in {places} ({read}{guessed}): {said}."
