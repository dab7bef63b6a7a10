"""The page's part that says what changed: what the operators dated, then what this guide changed."""

from __future__ import annotations

from scripts.facts.changes import COMING, Change, announced
from scripts.facts.model import Cluster
from scripts.facts.units import Date
from scripts.markdown import table
from scripts.tables.cluster import plural

# The last part of such keys; all are typed Prose in the model.
PROSE = {"note", "notes", "who", "apply", "support", "rules", "description", "purpose", "access", "submit_from"}


def changes_part(clusters: dict[str, Cluster], log: list[Change]) -> str:
    """One closed part for each system and day, with a list for each group of its facts."""

    def name(key: str) -> str:
        return clusters[key].name if key in clusters else key

    def page(key: str, text: str) -> str:
        return f"[{text}](/clusters/{key}.md)" if key in clusters else text

    rows = [(date, page(key, name(key)), what) for date, key, what in announced(clusters)]
    text = "## Dated by the operators\n\n" + table(("Date", "System", "What"), rows) + "\n## Changed in this guide\n\n"
    for date in dict.fromkeys(change.date for change in log):
        text += f"### {date} {{ data-search-exclude }}\n\n"
        for key in dict.fromkeys(change.cluster for change in log if change.date == date):
            changes = [change for change in log if (change.date, change.cluster) == (date, key)]
            text += _system(name(key), page(key, "its page"), changes)
    return text if log else text + "Nothing so far.\n"


def _system(name: str, page: str, changes: list[Change]) -> str:
    """A closed list, by groups. Of what is new only the names: the values stand on the system's page."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        came = COMING.match(change.key)
        groups.setdefault((came["key"] if came else change.key).partition(".")[0], []).append(change)
    text = f'??? note "{name}: {plural(len(changes), "change")}"\n\n'
    for group, of in groups.items():
        text += f"    **{group.replace('_', ' ').capitalize().replace('Gpus', 'GPUs')}**\n\n" if group else ""
        added = [change for change in of if change.key and not change.was and not COMING.match(change.key)]
        if added:
            text += f"    - New on {page}: {', '.join(f'`{change.key}`' for change in added)}\n"
        text += "".join(f"    {_line(change)}" for change in of if change not in added) + "\n"
    return text


def _line(change: Change) -> str:
    """One change as a list item."""
    if not change.key:
        return f"- The whole system {'is new' if change.now else 'is gone'}\n"
    was, now = (_shown(change.key, value) for value in change.told())
    if came := COMING.match(change.key):
        told = f"announced: {now}" if now else f"called off: {was}"
        return f"- `{came['key']}` from {Date(came['day']).words} on, {told}\n"
    if not was:
        return f"- `{change.key}` has more: {now}\n"
    if not now:
        return f"- `{change.key}` {'no longer has' if change.now else 'is gone; it was'}: {was}\n"
    return f"- `{change.key}` was: {was}<br>and is now: {now}\n"


def _shown(key: str, value: str) -> str:
    """Words for readers are prose with code in it; any other value is code."""
    if value and key and key.rpartition(".")[2] not in PROSE:
        value = f"`` {value} ``" if "`" in value else f"`{value}`"
    return value.replace(".; ", ". ")
