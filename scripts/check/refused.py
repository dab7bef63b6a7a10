"""Which options the scheduler refuses, and why, each with its line.

It is asked about the script as it is. Where it refuses, the engine of the page tells why. Where that cannot, the
options that the scheduler's words can be about are replaced by ones that this cluster takes, until it accepts the rest;
then each goes back, one at a time. Those that are refused again are at fault, each with words of its own, so that all
faults are found at once. The facts then say which limit it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scripts.check.asked import Asked, Job
from scripts.check.directives import HETJOB, Option
from scripts.check.draft import Addition, Draft
from scripts.check.explain import Explainer
from scripts.check.neutral import missing, neutral
from scripts.check.report import Report
from scripts.check.said import about
from scripts.facts import Cluster

Ask = Callable[[bytes], Asked]


@dataclass
class Search:
    """The state of one search: what is replaced or added in the script, and what is known to be at fault."""

    cluster: Cluster
    draft: Draft
    ask: Ask
    edits: dict[Option, str | None] = field(default_factory=dict)
    additions: tuple[Addition, ...] = ()

    def answer(self) -> Asked:
        return self.ask(self.draft.without(self.edits, self.additions))


def refused(
    cluster: Cluster, draft: Draft, taken: list[Option], file: str, ask: Ask, why: Callable[[Asked], list[Report]]
) -> tuple[Asked, list[Report]]:
    """What the scheduler understood of the script, and a finding for each fault that it refuses.

    `taken` are the options that are left out from the start; `why` finds faults without further questions, if it can.
    """
    search = Search(cluster, draft, ask, dict.fromkeys(taken))
    first = search.answer()
    if first.accepted:
        return first, []
    if found := why(first):
        return first, found
    explain = Explainer(cluster, draft, file)
    options = [option for option in draft.options if option.name != HETJOB and option not in taken]
    search.additions = missing(cluster, draft, first)
    if not _make_sound(search, options, first):
        return first, [explain.words(None, first)]
    found = _put_back(search, options, explain)
    return first, found or [explain.words(None, first)]


def _make_sound(search: Search, options: list[Option], first: Asked) -> bool:
    """Replace options until the scheduler accepts. False if it never does."""
    answer = search.answer() if search.additions else first
    while not answer.accepted:
        left = [option for option in options if option not in search.edits]
        if not left:
            return False
        suspects = [option for option in left if option in _suspects(search, options, answer)] or left
        for option in suspects:
            search.edits[option] = neutral(search.cluster, search.draft, option, _job(search.draft, option, answer))
        answer = search.answer()
    return True


def _suspects(search: Search, options: list[Option], answer: Asked) -> list[Option]:
    found = about(answer.said, options)
    explain = Explainer(search.cluster, search.draft, "")
    return found + [option for option in options if explain.broken(option, answer)]


def _put_back(search: Search, options: list[Option], explain: Explainer) -> list[Report]:
    """Put back what was added and replaced, one at a time; what is refused then is at fault, and stays replaced."""
    found = []
    for addition in search.additions:
        search.additions = tuple(each for each in search.additions if each != addition)
        answer = search.answer()
        if not answer.accepted:
            found += [] if explain.misspelt(addition) else [explain.lacks(addition, answer)]
            search.additions += (addition,)
    for option in [option for option in options if option in search.edits]:
        words = search.edits.pop(option)
        answer = search.answer()
        if not answer.accepted:
            found.append(explain.option(option, answer))
            search.edits[option] = words
    return found


def _job(draft: Draft, option: Option, answer: Asked) -> Job:
    """What the scheduler understood of the component in which an option stands."""
    component = draft.component(option)
    return answer.jobs[component] if component < len(answer.jobs) else Job()
