"""What the guide knows: its systems, each fact with its source and doubt, and what has changed."""

from typing import Annotated, Any

from pydantic import BaseModel, Field
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from scripts.compare.day import a_day
from scripts.errors import BadInput, did_you_mean
from scripts.facts.changes import announced, load_changes
from scripts.facts.limits import rows
from scripts.facts.load import place
from scripts.facts.model import GROUPS, Cluster
from scripts.facts.plain import plain
from scripts.facts.units import Memory, Walltime
from scripts.mcp_server.given import Path, System, cluster, clusters

NAMED = ("partitions", "gpus", "qos")  # groups whose limits stand below a name


class OneSystem(TypedDict):
    key: str
    name: str
    operator: str
    state: str
    scheduler: str
    gpus: dict[str, str]
    docs: str | None
    read: str


class Systems(TypedDict):
    systems: list[OneSystem]


def systems() -> Systems:
    """List all systems: key, operator, state, scheduler, GPUs (key: model and memory), when their sources were read."""
    return {"systems": [_system(each) for each in clusters().values()]}


def _system(each: Cluster) -> OneSystem:
    return {
        "key": each.key,
        "name": each.name,
        "operator": each.operator,
        "state": each.status.state.value,
        "scheduler": each.scheduler.kind,
        "gpus": {key: f"{gpu.model}, {gpu.size}" for key, gpu in each.gpus.items()},
        "docs": each.docs,
        "read": max(str(source.read) for group in each.sources.values() for source in group),
    }


class Read(TypedDict):
    title: str
    url: str
    read: str
    dated: str | None


class Fact(TypedDict):
    """unit: null where the value is text, or a count that `means` explains. doubt: path of a fact: why not certain."""

    system: str
    path: str
    value: Any
    unit: str | None
    means: str | None
    source: list[Read]
    date: str | None
    doubt: dict[str, str]


def facts(
    system: System, path: Annotated[Path, Field(description="Such as partitions.gpu.max_time; empty: all groups")] = ""
) -> Fact:
    """Look up a fact: its value, unit, source, the day that this was read, and every doubt about it."""
    known = cluster(system)
    data = plain(known)
    if not path:
        return _fact(known, path, list(data), None, None)
    at = place(data, path)
    if at is None:
        raise BadInput(f"facts of {known.name}", None, f"`{path}` names nothing here.", _near(data, path))
    value, part, means = data, known, None
    for key in at:
        value = value[key]
        if isinstance(part, BaseModel):
            means = type(part).model_fields[key].description
            part = getattr(part, key)
        else:
            part = part[key]
    return _fact(known, path, value, _unit(at, part), means)


def _fact(known: Cluster, path: str, value: Any, unit: str | None, means: str | None) -> Fact:
    read = known.sources.get(path.partition(".")[0], [])
    about = {
        key: why
        for key, why in known.unconfirmed.items()
        if not path or f"{path}.".startswith(f"{key}.") or key.startswith(f"{path}.")
    }
    return {
        "system": known.key,
        "path": path,
        "value": value,
        "unit": unit,
        "means": means,
        "source": [{"title": e.title, "url": e.url, "read": e.read, "dated": e.dated} for e in read],
        "date": max((str(each.read) for each in read), default=None),
        "doubt": about,
    }


def _unit(at: tuple, value: object) -> str | None:
    if isinstance(value, Memory):
        return value.split()[1]
    if isinstance(value, Walltime):
        return "days-hours:minutes:seconds"
    limits = rows(at[0]) if at[0] in (*NAMED, "policy") and len(at) == 2 + (at[0] in NAMED) else {}
    return limits[at[-1]].unit if at[-1] in limits else None


def _near(data: Any, path: str) -> str:
    """What stands at the last part of the path that there is."""
    parts = path.split(".")
    for length in range(len(parts) - 1, -1, -1):
        at = place(data, ".".join(parts[:length])) if length else ()
        if at is None:
            continue
        here = data
        for key in at:
            here = here[key]
        listed = here if isinstance(here, list) else ()
        names = list(here) if isinstance(here, dict) else [each["path"] for each in listed if "path" in each]
        return did_you_mean(parts[length], names) if names else f"Look up `{'.'.join(parts[:length])}`."
    return did_you_mean(parts[0], GROUPS)


class Change(TypedDict):
    date: str
    system: str
    what: str
    source: str | None


class Changed(TypedDict):
    """began: the day from which on operators' changes are listed; dates in the facts may be earlier, or planned."""

    began: str
    changes: list[Change]


def changed(
    since: Annotated[str, Field(pattern=r"^20\d\d-\d\d-\d\d$", description="A day such as 2026-01-31")],
) -> Changed:
    """List what operators changed since a day, and the openings, ends and new requirements that they dated."""
    a_day(since, "since")  # 2026-13-01 would be after all changes
    log = load_changes(clusters())
    found: list[Change] = [
        {"date": each.date, "system": each.system, "what": each.what, "source": each.source.url} for each in log.changes
    ]
    found += [{"date": date, "system": key, "what": what, "source": None} for date, key, what in announced(clusters())]
    recent = [each for each in found if each["date"] >= since[: len(each["date"])]]  # a date may be a month or year
    return {"began": log.began, "changes": sorted(recent, key=lambda each: each["date"], reverse=True)}


TOOLS = (systems, facts, changed)
