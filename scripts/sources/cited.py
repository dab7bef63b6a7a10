"""The sources that the facts cite, each once with all who cite it."""

from dataclasses import dataclass, field

from scripts.facts.model import Cluster


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
