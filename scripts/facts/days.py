"""Facts by the day: what has been announced for a day holds from that day on, without an edit."""

from __future__ import annotations

import datetime
import os
from typing import Any

from scripts.errors import BadInput
from scripts.facts.model import Cluster, Coming
from scripts.facts.units import Date

Place = tuple[str | int, ...]  # a key's path in a file: its parts' names, and the numbers of list items
AS_WRITTEN = Date("2000-01-01")  # before all that is coming: the facts as their files say them


def today() -> Date:
    """Today, or the day that the variable GUIDE_DAY names. Raises BadInput if that is no day."""
    try:
        return Date(os.environ.get("GUIDE_DAY") or datetime.date.today().isoformat())
    except ValueError as fault:
        what, _, cure = str(fault).partition("; ")
        raise BadInput("GUIDE_DAY", None, f"{what}.", f"{cure.capitalize()}, or unset it for today.") from None


def days_of(cluster: Cluster) -> list[Date]:
    """The days on which its facts change, in order."""
    return sorted({change.from_ for change in cluster.coming})


def as_of(cluster: Cluster, day: Date) -> Cluster:
    """The cluster as it is on a day: what is due is in its place, the rest still coming.

    A new value brings its source, first of its group's, and ends a doubt about the old one. Raises ValueError
    (pydantic's, or ours) if the facts would not be well formed then; the loader has looked.
    """
    due = [change for change in cluster.coming if change.from_ <= day]
    if not due:
        return cluster
    data = cluster.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for change in sorted(due, key=lambda change: change.from_):
        _apply(data, change)
    data["coming"] = [change for change in cluster.coming if change not in due]
    return Cluster.model_validate({**data, "key": cluster.key})


def place(data: Any, dotted: str) -> Place | None:
    """The path of a key, None if it names nothing. Keys may themselves hold dots, as `a100_1g.5gb` does.

    One storage place of the list of them is named by its path.
    """
    if isinstance(data, list):
        names = {each["path"]: index for index, each in enumerate(data) if isinstance(each, dict) and "path" in each}
    else:
        names = {key: key for key in data} if isinstance(data, dict) else {}
    for name, key in names.items():
        if dotted == name:
            return (key,)
        if dotted.startswith(f"{name}.") and (below := place(data[key], dotted[len(name) + 1 :])):
            return (key, *below)
    return None


def place_for(data: Any, change: Coming) -> Place | None:
    """Where a change goes: to a key that is there, or as a new one into a part that is there."""
    if found := place(data, change.key):
        return found
    if change.value is None:
        return None
    above, dot, name = change.key.rpartition(".")
    while dot:
        path = place(data, above)
        if path and isinstance(value_at(data, path), dict):
            # A name with dots is that of a part, such as a GPU's; otherwise a key above is misspelt.
            return (*path, name) if "." not in name or isinstance(change.value, dict) else None
        above, dot, last = above.rpartition(".")
        name = f"{last}.{name}"
    return (change.key,) if change.key in Cluster.model_fields else None


def value_at(data: Any, path: Place) -> Any:
    for key in path:
        data = data[key]
    return data


def _apply(data: dict, change: Coming) -> None:
    path = place_for(data, change)
    if not path:
        raise ValueError(f"`{change.key}` names nothing")
    *above, last = path
    part = value_at(data, tuple(above))
    if change.value is None:
        del part[last]
    else:
        part[last] = change.value
    sources = data["sources"].setdefault(change.key.partition(".")[0], [])
    source = change.source.model_dump(mode="json", exclude_unset=True)
    if source not in sources:
        sources.insert(0, source)
    for doubt in list(data.get("unconfirmed", {})):
        if doubt == change.key or doubt.startswith(f"{change.key}."):
            del data["unconfirmed"][doubt]
