"""The page's part that says what changed: what the operators dated in the facts, then what they changed."""

from scripts.facts.changes import Changes, announced
from scripts.markdown import table
from scripts.tables.cluster import Clusters, address, link


def changes_part(clusters: Clusters, log: Changes) -> str:
    """A table, and below it a list for each day."""
    rows = [(date, link(clusters[key]), what) for date, key, what in announced(clusters)]
    text = (
        "## Key dates { #dated-by-the-operators }\n\n"
        + table(("Date", "System", "Change"), rows)
        + "\n## Changes by the operators { #changed-by-the-operators }\n\n"
    )
    for date in dict.fromkeys(change.date for change in log.changes):
        text += f"### {date} {{ data-search-exclude }}\n\n"
        for change in log.changes:
            if change.date == date:
                source = f"[{change.source.title}]({address(clusters[change.system], change.source)})"
                text += f"- {link(clusters[change.system])}: {change.what} ({source})\n"
        text += "\n"
    return (
        text if log.changes else text + f"There have been no changes since {log.began.words}, when this list began.\n"
    )
