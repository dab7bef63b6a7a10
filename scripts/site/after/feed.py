"""Put the feed into the built site: `changes.xml`, Atom, one entry for each day and system that this guide changed."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

from scripts.facts import Cluster, load_all
from scripts.facts.changes import Change, read_log
from scripts.site.config import mkdocs_yml

NAME = "GPU Cluster Guide"
URN = "urn:gpu-cluster-guide"


def feed(clusters: dict[str, Cluster], log: list[Change], root: str) -> str:
    """The feed's text. `root` is the site's address, or empty."""
    days = dict.fromkeys((change.date, change.cluster) for change in log)
    entries = "\n".join(_entry(clusters, day, [c for c in log if (c.date, c.cluster) == day], root) for day in days)
    updated = log[0].date if log else "2026-01-01"
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{URN}:changes</id><title>{NAME}: what changed in the facts</title>"
        f"<author><name>{NAME}</name></author><updated>{updated}T00:00:00Z</updated>"
        f'<link rel="self" href="{escape(root)}changes.xml"/>\n{entries}\n</feed>\n'
    )


def _entry(clusters: dict[str, Cluster], day: tuple[str, str], changes: list[Change], root: str) -> str:
    date, key = day
    name = clusters[key].name if key in clusters else key
    lines = "\n".join(map(str, changes))
    title = f"{name}: {len(changes)} fact{'s' if len(changes) > 1 else ''} changed"
    return (
        f"<entry><id>{URN}:{date}:{key}</id><title>{escape(title)}</title><updated>{date}T00:00:00Z</updated>"
        f'<link href="{escape(root)}about/changes.html#{date}"/><content type="text">{escape(lines)}</content></entry>'
    )


def write(site: Path) -> None:
    (site / "changes.xml").write_text(feed(load_all(), read_log(), mkdocs_yml().site_url), encoding="utf-8")
