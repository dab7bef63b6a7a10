"""What changed in the facts, and when: a page, a feed (`changes.xml`), and all facts as one file.

`make tables` runs this. It compares the facts with `snippets/facts.json`, which is how it last saw them, adds each difference with today's
date to `snippets/changes.json`, and writes facts.json and the page's part `snippets/changes.md` anew. What operators announced with a date of
its own (first jobs, switched off, planned end, a rule since) is taken from the facts; nothing else is known to the day.
"""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from scripts.errors import BadInput, run
from scripts.facts import GROUPS, ROOT, SNIPPETS, Cluster, load_all
from scripts.yaml_lines import load

FACTS, LOG, PART = SNIPPETS / "facts.json", SNIPPETS / "changes.json", SNIPPETS / "changes.md"
Flat = dict[str, dict[str, "str | list[str]"]]  # cluster key: {dotted key: value as text, or a list of such}


@dataclass(frozen=True)
class Change:
    """One fact that changed. `was` or `now` is empty where the fact was added or taken out. date: when this guide changed it."""

    date: str
    cluster: str
    key: str
    was: str
    now: str


def flatten(data: object, at: str = "") -> dict[str, str | list[str]]:
    """`{a: {b: 1, c: [2, 3]}}` becomes `{"a.b": "1", "a.c": ["2", "3"]}`."""
    if isinstance(data, dict):
        return {key: text for name, value in data.items() for key, text in flatten(value, f"{at}.{name}" if at else str(name)).items()}
    if isinstance(data, list):
        return {at: [", ".join(map(str, item.values())) if isinstance(item, dict) else str(item) for item in data]}
    return {at: str(data)}


def facts_now() -> Flat:
    """Every cluster's facts as its file says them: no defaults, no sources, no doubts."""
    return {path.parent.name: flatten({group: value for group, value in load(path)[0].items() if group in GROUPS})
            for path in sorted(SNIPPETS.glob("*/cluster.yml"))}


def _changed(was: str | list[str], now: str | list[str]) -> tuple[str, str]:
    """Both values as text; of two lists only what one has and the other has not."""
    if isinstance(was, list) or isinstance(now, list):
        was, now = list(was), list(now)
        return "; ".join(item for item in was if item not in now), "; ".join(item for item in now if item not in was)
    return was, now


def differences(before: Flat, now: Flat, date: str) -> list[Change]:
    found = []
    for cluster in sorted(before.keys() | now.keys()):
        if cluster not in before or cluster not in now:
            found.append(Change(date, cluster, "", "" if cluster in now else "described here", "described here" if cluster in now else ""))
            continue
        old, new = before[cluster], now[cluster]
        found += [Change(date, cluster, key, *_changed(old.get(key, ""), new.get(key, ""))) for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    return found


def merge(log: list[Change], new: list[Change]) -> list[Change]:
    """Newest first. Of two changes of one fact on one day one is left, and none if it is as it was."""
    merged = {(c.date, c.cluster, c.key): c for c in log}
    for c in new:
        at = (c.date, c.cluster, c.key)
        merged[at] = Change(*at, merged[at].was if at in merged else c.was, c.now)
    return sorted(sorted((c for c in merged.values() if c.was != c.now), key=lambda c: (c.cluster, c.key)), key=lambda c: c.date, reverse=True)


def read_log() -> list[Change]:
    try:
        return [Change(**entry) for entry in json.loads(LOG.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as fault:
        raise BadInput(LOG.relative_to(ROOT), None, f"this is not the list of changes: {fault}.", "Take the committed file: git checkout -- snippets/changes.json") from None


def announced(clusters: dict[str, Cluster]) -> list[tuple[str, str, str]]:
    """(date, cluster's key, what happened) of everything the operators gave a date, newest first. Dates may be a year or a month only."""
    found = []
    for key, c in clusters.items():
        status = c.status
        found += [(status.since, key, "first jobs of users")] if status.since else []
        found += [(status.ended, key, "switched off")] if status.ended else []
        found += [(status.planned_end, key, "planned end")] if status.planned_end else []
        for field, label in (("account", "an account"), ("time", "a time limit"), ("partition", "a partition"), ("gpu_model", "a GPU model"), ("memory", "memory")):
            requirement = getattr(c.policy, field)
            found += [(requirement.since, key, f"{label}: {requirement.rule.value} in every job")] if requirement.since else []
    return sorted(((str(date), key, what) for date, key, what in found), reverse=True)


def _shown(key: str, value: str) -> str:
    """A note is prose with code in it; any other value is code."""
    if value and key and key.rpartition(".")[2] not in ("note", "notes"):
        value = f"`` {value} ``" if "`" in value else f"`{value}`"
    return value.replace(".; ", ". ")


def _line(c: Change) -> str:
    """One change as a list item."""
    was, now = _shown(c.key, c.was), _shown(c.key, c.now)
    what = f"`{c.key}`" if c.key else "The whole system"
    if not was:
        return f"- {what} is new: {now}\n"
    if not now:
        return f"- {what} is gone; it was: {was}\n"
    return f"- {what} was: {was}<br>and is now: {now}\n"


def page(clusters: dict[str, Cluster], log: list[Change]) -> str:
    """The page's part: what this guide changed, then what the operators dated."""
    def name(key: str) -> str:
        return f"[{clusters[key].name}](/clusters/{clusters[key].page}.md)" if key in clusters else key

    text = "## Changed in this guide\n\n"
    for date in dict.fromkeys(change.date for change in log):
        text += f"### {date}\n\n"
        for key in dict.fromkeys(c.cluster for c in log if c.date == date):
            text += f"{name(key)}\n\n" + "".join(_line(c) for c in log if (c.date, c.cluster) == (date, key)) + "\n"
    text += "" if log else "Nothing so far.\n\n"
    text += "## Dated by the operators\n\n| Date | System | What |\n| --- | --- | --- |\n"
    return text + "".join(f"| {date} | {name(key)} | {what} |\n" for date, key, what in announced(clusters))


def feed(clusters: dict[str, Cluster], log: list[Change], root: str) -> str:
    """An Atom feed with one entry for each day and system that this guide changed. `root` is the site's address, or empty."""
    entries = []
    for date, key in dict.fromkeys((c.date, c.cluster) for c in log):
        lines = [f"{c.key or 'the whole system'}: {c.was or '–'} → {c.now or '–'}" for c in log if (c.date, c.cluster) == (date, key)]
        title = f"{clusters[key].name if key in clusters else key}: {len(lines)} fact{'s' if len(lines) > 1 else ''} changed"
        target = f"{root}about/changes.html#{date}"
        entries.append(f"<entry><id>urn:gpu-cluster-guide:{date}:{key}</id><title>{escape(title)}</title><updated>{date}T00:00:00Z</updated>"
                       f'<link href="{escape(target)}"/><content type="text">{escape(chr(10).join(lines))}</content></entry>')
    updated = log[0].date if log else "2026-01-01"
    return ('<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
            f"<id>urn:gpu-cluster-guide:changes</id><title>GPU Cluster Guide: what changed in the facts</title><author><name>GPU Cluster Guide</name></author>"
            f'<updated>{updated}T00:00:00Z</updated><link rel="self" href="{escape(root)}changes.xml"/>\n' + "\n".join(entries) + "\n</feed>\n")


def write(site: Path) -> None:
    """Put the feed into the built site."""
    root = load(ROOT / "mkdocs.yml")[0].get("site_url") or ""
    (site / "changes.xml").write_text(feed(load_all(), read_log(), root), encoding="utf-8")


def make(log: list[Change]) -> Iterator[tuple[Path, str]]:
    """Each file that follows from the facts and the log, and its text."""
    yield FACTS, json.dumps(facts_now(), indent=1, ensure_ascii=False) + "\n"
    yield PART, page(load_all(), log)


def check() -> None:
    """Raise BadInput if the facts have changed since they were last recorded."""
    for path, text in make(read_log()):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            raise BadInput(path.relative_to(ROOT), None, "the facts have changed since this was written.", "Run `make tables`.")


def record(today: str) -> list[Change]:
    """Add what differs from facts.json to the log and bring all three files up to date. Returns what differs."""
    try:
        before = {cluster: dict(facts) for cluster, facts in json.loads(FACTS.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError) as fault:
        raise BadInput(FACTS.relative_to(ROOT), None, f"this is not how the facts were last seen: {fault}.", "Take the committed file: git checkout -- snippets/facts.json") from None
    new = differences(before, facts_now(), today)
    log = merge(read_log(), new)
    texts = [(LOG, json.dumps([asdict(change) for change in log], indent=1, ensure_ascii=False) + "\n"), *make(log)]
    for path, text in texts:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return new


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.changes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    load_all()  # every fact is read before anything is written
    for c in record(datetime.date.today().isoformat()):
        print(f"{c.cluster} {c.key}: {c.was or '–'} → {c.now or '–'}")
    return 0


if __name__ == "__main__":
    run(main)
