"""The sources that the facts cite, each once with all who cite it; and what of a system's facts rests on one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scripts.facts.model import Cluster
from scripts.facts.plain import flatten
from scripts.sources.canonical_form import spellings
from scripts.sources.compare import Fact

NAMED = ("partitions", "gpus", "node_types", "qos")  # groups whose keys are names


@dataclass
class Cited:
    """One state of one page."""

    url: str
    revision: str | None
    read: str  # the latest of its days
    by: dict[str, list[str]] = field(default_factory=dict)  # cluster: its groups


def cited(clusters: dict[str, Cluster]) -> list[Cited]:
    """Every source of these systems, in the order of their addresses."""
    found: dict[tuple[str, str], Cited] = {}
    for key, cluster in clusters.items():
        for group, sources in cluster.sources.items():
            for source in sources:
                at = source.url, source.revision or ""
                one = found.setdefault(at, Cited(source.url, source.revision, source.read))
                one.read = max(one.read, source.read)
                groups = one.by.setdefault(key, [])
                if group not in groups:
                    groups.append(group)
    return [found[at] for at in sorted(found)]


def facts_on(one: Cited, clusters: dict[str, Cluster]) -> Iterator[Fact]:
    """Every fact with a number in the groups that this source is cited for."""
    for key, groups in one.by.items():
        cluster = clusters[key]
        data = cluster.model_dump(mode="json", exclude_unset=True, include=set(groups))
        for group, part in data.items():
            for path, value in flatten(part, group).items():
                for each in [value] if isinstance(value, str) else value:
                    if spellings(each):
                        yield Fact(key, cluster.name, path, each, _names(cluster, group, path))


def _names(cluster: Cluster, group: str, path: str) -> tuple[str, ...]:
    """Of a path below a group of names the name, and what else the thing is called."""
    part = getattr(cluster, group) if group in NAMED else {}
    name = next((key for key in part if path.startswith(f"{group}.{key}.")), None)
    if name is None:
        return ()
    more = part[name].model.split()[1:] if group == "gpus" else [getattr(part[name], "name", None)]
    return (name, *filter(None, more))
