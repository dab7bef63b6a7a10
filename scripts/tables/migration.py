"""The way over as a reader sees it, and as JSON; and each old script beside the new one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from scripts.facts.model import Cluster
from scripts.markdown import table
from scripts.migration import Line, way_over
from scripts.migration.side_by_side import scripts, side_by_side
from scripts.paths import MADE
from scripts.tables.cluster import UNCONFIRMED, Clusters

JSON = MADE / "way-over.json"

# The heads of the tables, each with what stands in it.
PARTS = {
    "GPUs": ("GPU", "build"),
    "Cores and memory": ("cores", "memory"),
    "Partitions": ("partition",),
    "Longest job": ("time",),
    "Software": ("module", "environment", "container", "processor"),
    "Paths": ("path", "local disk"),
    "Login and account": ("login", "account"),
    "Grid Engine": ("scheduler",),
}


def has_way(cluster: Cluster, clusters: Clusters) -> bool:
    """Is it switched off, and its successor in the guide?"""
    return not cluster.running and cluster.status.successor in clusters


def lines(cluster: Cluster, clusters: Clusters) -> str:
    """A table for each part."""
    if not has_way(cluster, clusters):
        after = cluster.status.successor
        doubt = UNCONFIRMED if "status.successor" in cluster.unconfirmed else ""
        follows = f"Its successor {after}{doubt} is not in this guide" if after else "No successor is published"
        return f"{follows}, so there is no way over here, line by line.\n"
    new = clusters[cluster.status.successor or ""]
    found = way_over(cluster, new)
    tables = []
    for title, whats in PARTS.items():
        if rows := _rows([line for line in found if line.what in whats]):
            tables.append(table((f"{title} on {cluster.name}", f"On {new.name}", "What changes"), rows))
    return "\n".join(tables)


def lost(cluster: Cluster, clusters: Clusters) -> str:
    """A list of what is gone, or less than it was."""
    found = way_over(cluster, clusters[cluster.status.successor or ""])
    items = [f"- {_code(line.old)}: {_reason(line)}" for line in found if line.lost and not _elsewhere(line)]
    return "\n".join(items or ["Nothing that the facts know of is lost."]) + "\n"


def _elsewhere(line: Line) -> bool:
    """A partition or a path with another in its place: the table says what is less there."""
    return line.what in ("partition", "path") and bool(line.new)


def _rows(found: list[Line]) -> list[tuple[str, str, str]]:
    """One for each; those that have all but the old line in common are one. What is less than before is marked."""
    rows: dict[tuple[str, str], list[str]] = {}
    for line in found:
        if line.new:
            now = "the same" if line.new == line.old else _code(line.new)
        else:
            now = "**gone**" if line.lost else "leave it out" if line.old else "nothing"
        less = "**Less.** " if line.lost and line.new and line.what != "path" else ""
        rows.setdefault((now, less + _reason(line)), []).append(_code(line.old))
    return [("<br>".join(dict.fromkeys(before)), now, why) for (now, why), before in rows.items()]


def _reason(line: Line) -> str:
    return line.reason + (UNCONFIRMED if line.doubtful else "")


def _code(text: str) -> str:
    return f"`{text}`" if text else "nothing"


def beside(cluster: Cluster, clusters: Clusters) -> str:
    """A table for each script that both systems have; `the same` where the line stays, nothing where there is none."""
    new = clusters[cluster.status.successor or ""]
    parts = []
    for name in scripts(cluster, new):
        rows = [
            (_code(old) if old else "", "the same" if old == now else _code(now) if now else "")
            for old, now in side_by_side(cluster, new, name)
        ]
        parts.append(table((f"`{name}` on {cluster.name}", f"On {new.name}"), rows))
    return "\n".join(parts)


def as_json(clusters: Clusters) -> str:
    """All ways over."""
    found = []
    for key, old in clusters.items():
        if has_way(old, clusters):
            new = clusters[old.status.successor or ""]
            found.append({"old": key, "new": new.key, "lines": [asdict(line) for line in way_over(old, new)]})
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def tables_of(cluster: Cluster, clusters: Clusters) -> dict[str, Callable[[Cluster, Clusters], str]]:
    """The tables of a system that is switched off: without a successor in the guide, only the sentence that says so."""
    if not has_way(cluster, clusters):
        return {"way-over.md": lines}
    return {"way-over.md": lines, "way-over-lost.md": lost, "way-over-scripts.md": beside}
