"""Put the feed into the built site: `changes.xml`, Atom, one entry for each day and system that an operator changed."""

from pathlib import Path
from xml.sax.saxutils import escape

from scripts.facts import Cluster, load_all
from scripts.facts.changes import Change, Changes, load_changes
from scripts.paths import OURS
from scripts.site.config import site_yml

NAME = "GPU Cluster Guide"
URN = "urn:gpu-cluster-guide"


def feed(clusters: dict[str, Cluster], log: Changes, root: str, name: str = NAME) -> str:
    """The feed's text. `root` is the address of the site, or empty; `name` is its name."""
    days: dict[tuple[str, str], list[Change]] = {}
    for change in log.changes:
        days.setdefault((change.date, change.system), []).append(change)
    entries = "\n".join(_entry(clusters[key].name, date, key, of, root) for (date, key), of in days.items())
    updated = log.changes[0].date if log.changes else log.began
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{URN}:changes</id><title>{escape(name)}: what operators changed</title>"
        f"<author><name>{escape(name)}</name></author><updated>{updated}T00:00:00Z</updated>"
        f'<link rel="self" href="{escape(root)}changes.xml"/>\n{entries}</feed>\n'
    )


def _entry(name: str, date: str, key: str, changes: list[Change], root: str) -> str:
    lines = "\n".join(change.what for change in changes)
    title = f"{name}: {len(changes)} change{'s' if len(changes) > 1 else ''}"
    page = f"about/changes.html#{date}" if OURS else f"clusters/{key}.html"
    return (
        f"<entry><id>{URN}:{date}:{key}</id><title>{escape(title)}</title><updated>{date}T00:00:00Z</updated>"
        f'<link href="{escape(root)}{page}"/>'
        f'<content type="text">{escape(lines)}</content></entry>\n'
    )


def write(site: Path) -> None:
    clusters, site_is = load_all(), site_yml()
    text = feed(clusters, load_changes(clusters), site_is.site_url, site_is.data.get("site_name", NAME))
    (site / "changes.xml").write_text(text, encoding="utf-8")
