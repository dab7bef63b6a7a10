"""What is wrong with the changes that a facts file announces, each at its line; and which of them are past due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import ValidationError

from scripts.errors import BadInput, did_you_mean
from scripts.facts.days import as_of, days_of, place_for, value_at
from scripts.facts.model import GROUPS, Cluster
from scripts.facts.units import Date
from scripts.models import explained, line_of
from scripts.yaml_lines import Lines

Checks = Callable[[Cluster], Iterable[tuple[tuple[str | int, ...], str, str]]]


def coming_faults(cluster: Cluster, lines: Lines, name: Path, checks: Checks, see: str) -> list[BadInput]:
    """Faults of the keys; of the facts as they will be on each day, held against the model and against each other.

    Days come in order, and those after one with a fault are not looked at.
    """
    for day in days_of(cluster):
        before = as_of(cluster, day.eve)
        if faults := _keys(cluster, before, day, lines, name):
            return faults
        lines_then = _lines_then(cluster, before, day, lines)
        try:
            after = as_of(cluster, day)
        except ValidationError as fault:
            return explained(fault, Cluster, lines_then, name, see)
        if faults := list(checks(after)):
            return [
                BadInput(name, line_of(lines_then, at), f"from {day} on: {what}", cure) for at, what, cure in faults
            ]
    return []


def past_due(cluster: Cluster, lines: Lines, name: Path, day: Date) -> list[str]:
    """A sentence for each change that holds on this day, and still stands among those to come."""
    return [
        str(
            BadInput(
                name,
                lines["coming", number],
                f"`{change.key}` was announced for {change.from_.words}, and the day has come.",
                "If it happened, write the value in its place, with a source that says so; take this out.",
            )
        )
        for number, change in enumerate(cluster.coming)
        if change.from_ <= day
    ]


def _keys(cluster: Cluster, before: Cluster, day: Date, lines: Lines, name: Path) -> list[BadInput]:
    """Keys that name nothing, that a second change of the same day names, or that have the new value already."""
    data, seen, faults = before.model_dump(mode="json", exclude_unset=True), set(), []
    for number, change in enumerate(cluster.coming):
        if change.from_ != day:
            continue
        group, path = change.key.partition(".")[0], place_for(data, change)
        if group not in GROUPS:
            what, cure = f"`{group}` is no group of facts that change on a day.", did_you_mean(group, GROUPS)
        elif not path:
            what = (
                f"`{change.key}` names nothing in this file{'' if change.value is None else ', and no new key of it'}."
            )
            cure = "Write a key's path, such as partitions.gpu.max_time."
        elif change.key in seen:
            what, cure = f"`{change.key}` changes twice on {day}.", "Keep one of the two."
        elif (
            change.value is not None
            and path[-1] in (part := value_at(data, path[:-1]))
            and part[path[-1]] == change.value
        ):
            what, cure = f"`{change.key}` has this value before {day}, too.", "Take this change out."
        else:
            seen.add(change.key)
            continue
        faults.append(BadInput(name, lines["coming", number, "key"], what, cure))
    return faults


def _lines_then(cluster: Cluster, before: Cluster, day: Date, lines: Lines) -> Lines:
    """For the facts as they will be: the line of a new value is that in `coming:`; of all else, the day's first."""
    data = before.model_dump(mode="json", exclude_unset=True)
    numbers = [number for number, change in enumerate(cluster.coming) if change.from_ == day]
    then = dict.fromkeys(lines, lines["coming", numbers[0]])
    for number in numbers:
        path, value = place_for(data, cluster.coming[number]), ("coming", number, "value")
        then |= {(*path, *at[3:]): line for at, line in lines.items() if at[:3] == value}
    return then
