"""The migration tables as a reader sees them, and each old script next to the new one."""

from collections.abc import Callable

from scripts.facts.model import Cluster
from scripts.markdown import table
from scripts.migration import jobs
from scripts.migration.all_lines import all_lines
from scripts.migration.line import Line
from scripts.migration.side_by_side import scripts, side_by_side
from scripts.tables.cluster import UNCONFIRMED, Clusters, unsure

# The heads of the tables, each with what stands in it.
PARTS = {
    "Jobs": ("job",),
    "Software": ("module", "environment", "container", "build"),
    "Paths": ("path", "local disk"),
    "Login and account": ("login", "account"),
    "Grid Engine": ("scheduler",),
}


def has_migration(cluster: Cluster, clusters: Clusters) -> bool:
    """Is it switched off, and its successor in the guide?"""
    return not cluster.running and cluster.status.successor in clusters


def lines(cluster: Cluster, clusters: Clusters) -> str:
    """A table for each part."""
    if not has_migration(cluster, clusters):
        after = cluster.status.successor
        doubt = UNCONFIRMED if "status.successor" in cluster.unconfirmed else ""
        follows = (
            f"{cluster.name}'s successor, {after}{doubt}, is not in this guide"
            if after
            else "No successor is published"
        )
        return f"{follows}, so this page cannot show which options replace the old ones.\n"
    new = clusters[cluster.status.successor or ""]
    found = all_lines(cluster, new)
    tables = []
    for title, whats in PARTS.items():
        if rows := _rows([line for line in found if line.what in whats]):
            tables.append(table((f"{title} on {cluster.name}", f"On {new.name}", "Change"), rows))
    return "\n".join(tables)


def lost(cluster: Cluster, clusters: Clusters) -> str:
    """A list of what is gone, or less than it was."""
    new = clusters[cluster.status.successor or ""]
    gone = [line for line in all_lines(cluster, new) if line.lost and line.what not in ("job", "path")]
    items = [f"- {each}" for each in jobs.lost(cluster, new)]
    items += [f"- {_code(line.old)}: {_reason(line)}" for line in gone]
    return "\n".join(items or ["The tables and lists above show all changes that we know of."]) + "\n"


def _rows(found: list[Line]) -> list[tuple[str, str, str]]:
    """One for each; those that have all but the old line in common are one, jobs apart. What is less is marked."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for line in found:
        if line.new:
            now = "unchanged" if line.new == line.old and not line.lost else _code(line.new)
        else:
            now = "**not available**" if line.lost else "remove it" if line.old else "nothing"
        less = "**Reduced.** " if line.lost and line.new and line.what != "path" else ""
        job = line.old if line.what == "job" else ""
        rows.setdefault((now, less + _reason(line), job), []).append(_code(line.old))
    return [("<br>".join(dict.fromkeys(before)), now, why) for (now, why, _), before in rows.items()]


def _reason(line: Line) -> str:
    """With the mark in the first sentence: the others are about other facts."""
    first, dot, rest = line.reason.partition(". ")
    return f"{unsure(first + dot.strip())} {rest}".strip() if line.doubtful else line.reason


def _code(text: str) -> str:
    return "<br>".join(f"`{line}`" for line in text.splitlines()) or "nothing"


def beside(cluster: Cluster, clusters: Clusters) -> str:
    """A table for each script that both systems have; `unchanged` where the line stays, nothing where there is none."""
    new = clusters[cluster.status.successor or ""]
    parts = []
    for name in scripts(cluster, new):
        rows = [
            (_code(old) if old else "", "unchanged" if old == now else _code(now) if now else "")
            for old, now in side_by_side(cluster, new, name)
        ]
        parts.append(table((f"`{name}` on {cluster.name}", f"On {new.name}"), rows))
    return "\n".join(parts)


def tables_of(cluster: Cluster, clusters: Clusters) -> dict[str, Callable[[Cluster, Clusters], str]]:
    """The tables of a system that is retired: without a successor in the guide, only the sentence that says so."""
    if not has_migration(cluster, clusters):
        return {"migration.md": lines}
    return {"migration.md": lines, "migration-reduced.md": lost, "migration-scripts.md": beside}
