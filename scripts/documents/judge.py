"""What `guide check` says of the scripts in documents, on the documents' lines, and the edits that are certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scripts.check.__main__ import status as of_reports
from scripts.check.findings import check
from scripts.check.report import EXPECTED, LEVELS, Report
from scripts.documents.placeholders import Filled, fillings
from scripts.documents.script import Script
from scripts.documents.systems import For, decide
from scripts.engine.ask import ask
from scripts.facts import Cluster

MOST_WAYS = 60  # to fill in one script
SEVERE = ("refused", "fails", "ignored")
# A document has its reader's account, and other values for them to fill in; its lines end as its own system's do.
LEFT_TO_READERS = ("placeholder", "placeholder-in-a-command", "windows-line-ends")
VERDICTS = ("accepted", "not judged", "refused")  # from the best


@dataclass(frozen=True)
class Judged:
    """system: which it was judged for; None where that cannot be told. why: who says so, or why it cannot be told.
    filled: what was judged. reports: on the document's lines.
    """

    script: Script
    system: Cluster | None
    why: str
    filled: Filled | None
    reports: tuple[Report, ...]

    @property
    def verdict(self) -> str:
        kinds = {report.kind for report in self.reports}
        return next((kind for kind in ("refused", "not judged") if kind in kinds), "accepted")

    @property
    def told(self) -> str:
        """In a line."""
        return f"{self.system.name} ({self.why}): {self.verdict}" if self.system else f"not judged: {self.why}"


def judge(scripts: Sequence[Script], clusters: dict[str, Cluster], given: Sequence[str]) -> list[Judged]:
    """Each script with its system and its findings, in their order. given: as in `decide`."""
    found: dict[int, Judged] = {}
    chosen: dict[str, list[tuple[int, For, Filled]]] = {}
    for number, whose in enumerate(decide(scripts, clusters, given)):
        if not whose.systems:
            found[number] = _undecided(scripts[number], whose)
            continue
        key, filled = _best(scripts[number], [clusters[key] for key in whose.systems])
        chosen.setdefault(key, []).append((number, whose, filled))
    for key, all_of_it in chosen.items():
        cluster = clusters[key]
        asked = [
            (scripts[number].file, filled.text.encode("utf-8", "surrogateescape")) for number, _, filled in all_of_it
        ]
        for (number, whose, filled), reports in zip(all_of_it, check(cluster, asked), strict=True):
            told = tuple(_told(scripts[number], cluster, filled, reports))
            found[number] = Judged(scripts[number], cluster, whose.why, filled, told)
    return [found[number] for number in range(len(scripts))]


def _undecided(script: Script, whose: For) -> Judged:
    what = f"It cannot be told which system this script is for: {whose.why}."
    report = Report(script.file, script.at[0], "not judged", what, "Name it with --system.", "no-system")
    return Judged(script, None, whose.why, None, (report,))


def _best(script: Script, clusters: list[Cluster]) -> tuple[str, Filled]:
    """The system, and the way to fill the script in, with the best verdict: it is right if one takes it."""
    ways = [(cluster.key, filled) for cluster in clusters for filled in fillings(script, cluster)][:MOST_WAYS]
    if len(ways) == 1:
        return ways[0]
    answers = ask("found", clusters, [[key, filled.text, script.file] for key, filled in ways])

    def badness(answer: dict) -> tuple[int, int]:
        severe = sum(each["kind"] in SEVERE for each in answer["findings"])
        return VERDICTS.index(answer["verdict"]), severe

    return min(zip(ways, answers, strict=True), key=lambda each: badness(each[1]))[0]


def _told(script: Script, cluster: Cluster, filled: Filled, reports: list[Report]) -> Iterator[Report]:
    """Those that are about the document's own words, on its lines."""
    lines = script.text.split("\n")
    for report in reports:
        line = min(report.line, len(script.at))
        if report.rule.startswith("account-") or report.rule in (*LEFT_TO_READERS, EXPECTED):
            continue
        option = filled.document(report.option or "")
        written = option.split("\n")[0]
        if written not in lines[line - 1] or (not option and (filled.open or line not in filled.own)):
            continue
        yield replace(report, line=script.at[line - 1], what=f"{cluster.name}: {report.what}")


def status(judged: Sequence[Judged]) -> int:
    """That of `guide check`; and 2 where there are scripts and none of them could be judged."""
    if judged and not any(each.system for each in judged):
        return 2
    return of_reports([report for each in judged for report in each.reports])


def closing(judged: Sequence[Judged], documents: int) -> str:
    """The last line: what was read, and how many findings of each kind there are."""
    systems = Counter(each.system.name for each in judged if each.system)
    counts = Counter(report.kind for each in judged for report in each.reports)
    read = ", ".join(f"{number} for {name}" for name, number in systems.most_common()) or "none was judged"
    said = ", ".join(f"{counts[kind]} {kind}" for kind in LEVELS if counts[kind]) or "no findings"
    return f"{len(judged)} job scripts in {documents} documents ({read}): {said}."
