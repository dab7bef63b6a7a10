"""What the prose of a page says of partitions: that there is one of this name, and the longest time of a job there.

Each statement becomes a part of a job script, which the engine judges. A list says that there is each of its names.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from scripts.check.report import Report
from scripts.documents.page import Page
from scripts.documents.script import Script
from scripts.facts import Cluster
from scripts.facts.limits import limits
from scripts.facts.source import doubt, source
from scripts.facts.units import Walltime

NAME = r"`([a-zA-Z][\w-]+)`"
NAMED = re.compile(
    rf"{NAME}\*{{0,2}} (?:partition|queue)s?\b|\b(?:partition|queue) (?:named |called )?\*{{0,2}}{NAME}|"
    r"`(?:[^`]* )?--partition[= ]([\w-]+)[^`]*`"
)
PLACE = re.compile(r"\b(?:partition|queue)s?\b", re.IGNORECASE)
AND = r"(?:, (?:or |and )?| \| |/| or | and )"
LIST = re.compile(rf"`[\w-]+`(?:{AND}`[\w-]+`){{2,}}|(?<=\()[\w-]+(?:{AND}[\w-]+){{2,}}(?=\))")
LISTED = re.compile(r"(?<![\w-])(?!(?:or|and)\b)[\w-]+")
NEWS = re.compile(r"(?:^|/)(?:posts?|blogs?|news)/", re.IGNORECASE)  # true on its day
LONGEST = re.compile(r"\b(?:cap|limit|limited|maximum|max|longest|at most|up to)\b", re.IGNORECASE)
OF_TIME = re.compile(r"\b(?:wall|time|walltime|wall-clock|run|runs|duration)\b", re.IGNORECASE)
SPAN = re.compile(r"(?<![\w.:-])(\d{1,9})\*{0,2}[ -]?\*{0,2}(hour|day|minute|min|h|d)(?:s|\b)", re.IGNORECASE)
MINUTES = {"h": 60, "d": 1440, "m": 1}
AROUND = 10  # lines of a paragraph, before and behind
SENTENCE = re.compile(r"(?<=[.;!?])\s+")


def statements(page: Page) -> Iterator[Script]:
    """Of each sentence in a line outside of blocks and tables."""
    for at, line in enumerate(() if NEWS.search(page.path) else page.lines):
        if page.in_block(at) or line.lstrip().startswith(("|", "#")):
            continue
        for sentence in SENTENCE.split(line):
            if not PLACE.search(sentence) and "--partition" not in sentence:
                continue
            names = [next(filter(None, found)) for found in NAMED.findall(sentence)]
            longest = _longest(sentence) if len(set(names)) == 1 else 0
            for name in dict.fromkeys(names):
                yield _said(page, at, name, longest)
            for listed in LIST.findall(sentence) if PLACE.search(sentence) else ():
                beside = tuple(LISTED.findall(listed))
                for name in dict.fromkeys(beside):
                    yield _said(page, at, name, 0, beside)


def _longest(sentence: str) -> int:
    """Minutes; 0 where the sentence does not say one longest time."""
    spans = SPAN.findall(sentence)
    said = len(spans) == 1 and LONGEST.search(sentence) and OF_TIME.search(sentence)
    return int(spans[0][0]) * MINUTES[spans[0][1][0].lower()] if said else 0


def _said(page: Page, at: int, name: str, minutes: int, beside: tuple[str, ...] = ()) -> Script:
    options = [f"--partition={name}", *([f"--time={minutes}"] if minutes else [])]
    text = "\n".join(["#!/bin/bash", *(f"#SBATCH {option}" for option in options), "true", ""])
    numbers = (at + 1,) * (text.count("\n") + 1)
    labels = (_paragraph(page.lines, at), *page.labels(at))
    return Script(
        page.file, text, numbers, labels, page.text, page=True, part=True, prose=True, beside=beside, longest=minutes
    )


def _paragraph(lines: list[str], at: int) -> str:
    """The line with those around it, in which another system may be named."""
    before = takewhile(str.strip, reversed(lines[max(0, at - AROUND) : at]))
    return "\n".join([*before, *takewhile(str.strip, lines[at : at + AROUND])])


def may_accuse(script: Script, cluster: Cluster, clusters: dict[str, Cluster]) -> bool:
    """Is a name that this system lacks meant as a partition of its own? One in a list is if most others are; one alone
    is if its center has it elsewhere. Any other may be a partition of some users.
    """
    name, here = _name(script), _names(cluster)
    if not script.prose or name in here:
        return True
    if name.lower() in map(str.lower, here):
        return False
    if script.beside:
        return len(here & set(script.beside)) >= max(2, len(script.beside) / 2)
    return any(name in _names(each) for each in clusters.values() if each.centre == cluster.centre)


def contradicted(script: Script, systems: Sequence[Cluster]) -> list[Report]:
    """A longest time that is shorter than the facts have it, which no scheduler can refuse: told of the first system,
    if none has it so.
    """
    found = [_contradicted(script, each) for each in systems] if script.longest else []
    return [report for report in found[:1] if report and all(found)]


def _contradicted(script: Script, cluster: Cluster) -> Report | None:
    name = _name(script)
    rooms = {key: room for key, room in cluster.partitions.items() if name == (room.name or key) and room.max_time}
    times = {n for room in rooms.values() for _, row, n in limits("partitions", room) if row.quantity == "minutes"}
    if script.longest in times or script.longest > max(times, default=0):
        return None
    key, room = next(iter(rooms.items()))
    why = doubt(cluster, f"partitions.{key}.max_time")
    what = f"{cluster.name}: the partition `{name}` allows {room.max_time.words}, not only {_words(script.longest)}."
    what, cure = (f"{what} This is unconfirmed: {why}.", "Check it.") if why else (what, "Correct the time.")
    rule, limit, who = "time-under-partition", room.max_time.words, source(cluster, "partitions")
    return Report(script.file, script.at[0], "doubtful", what, cure, rule, limit=limit, source=who)


def _name(script: Script) -> str:
    found = re.search(r"--partition=(\S+)", script.text)
    return found[1] if found else ""


def _names(cluster: Cluster) -> set[str]:
    return {room.name or key for key, room in cluster.partitions.items()}


def _words(minutes: int) -> str:
    return Walltime(f"{minutes // 1440}-{minutes // 60 % 24:02}:{minutes % 60:02}:00").words
