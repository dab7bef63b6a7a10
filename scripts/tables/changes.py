"""The page's part that says what changed: what this guide changed, then what the operators dated."""

from __future__ import annotations

from scripts.facts.changes import Change, announced
from scripts.facts.model import Cluster
from scripts.markdown import table

# The last part of such keys; all are typed Prose in the model.
PROSE = {"note", "notes", "who", "apply", "support", "rules", "description", "purpose", "access", "submit_from"}


def changes_part(clusters: dict[str, Cluster], log: list[Change]) -> str:
    def name(key: str) -> str:
        return f"[{clusters[key].name}](/clusters/{clusters[key].page}.md)" if key in clusters else key

    text = "## Changed in this guide\n\n"
    for date in dict.fromkeys(change.date for change in log):
        text += f"### {date}\n\n"
        for key in dict.fromkeys(change.cluster for change in log if change.date == date):
            lines = [_line(change) for change in log if (change.date, change.cluster) == (date, key)]
            text += f"{name(key)}\n\n" + "".join(lines) + "\n"
    text += "" if log else "Nothing so far.\n\n"
    rows = [(date, name(key), what) for date, key, what in announced(clusters)]
    return text + "## Dated by the operators\n\n" + table(("Date", "System", "What"), rows)


def _line(change: Change) -> str:
    """One change as a list item."""
    was, now = _shown(change.key, change.was), _shown(change.key, change.now)
    what = f"`{change.key}`" if change.key else "The whole system"
    if not was:
        return f"- {what} is new: {now}\n"
    if not now:
        return f"- {what} is gone; it was: {was}\n"
    return f"- {what} was: {was}<br>and is now: {now}\n"


def _shown(key: str, value: str) -> str:
    """Words for readers are prose with code in it; any other value is code."""
    if value and key and key.rpartition(".")[2] not in PROSE:
        value = f"`` {value} ``" if "`" in value else f"`{value}`"
    return value.replace(".; ", ". ")
