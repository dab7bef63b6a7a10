"""One line of the comparison: a fact, what the cluster says, and which of the two holds."""

from collections.abc import Iterator
from dataclasses import dataclass

from scripts.compare.known import MEMORY, Value
from scripts.facts import Cluster

AGREES, DIFFERS, OLDER = "agrees", "differs", "older capture"
CLUSTER_ONLY, FACTS_ONLY = "only the cluster knows", "only the facts know"
PARTITION, KIND = "a partition", "a kind of node"  # what stands for a whole one in place of a value
WHOLE = {PARTITION, KIND}
ORDER = (DIFFERS, OLDER, CLUSTER_ONLY, FACTS_ONLY, AGREES)


@dataclass
class Row:
    """One fact, by its key's path in the facts; both values as the facts write them.

    edit: (path in the file, the value to write there; None takes the key out), where an edit can be made.
    """

    key: str
    verdict: str
    ours: str
    theirs: str
    where: str
    edit: tuple[tuple[str, ...], str | None] | None = None

    @property
    def group(self) -> str:
        return self.key.partition(".")[0]


def held(path: tuple[str, ...], ours: object, theirs: object, where: str, editable: bool = True) -> Row:
    """A value that the cluster shows, held against that of the facts; None: they have none."""
    verdict = CLUSTER_ONLY if ours is None else AGREES if str(ours) == str(theirs) else DIFFERS
    edit = (path, str(theirs)) if editable else None
    return Row(".".join(path), verdict, "" if ours is None else str(ours), str(theirs), where, edit)


def walltime(minutes: float) -> str:
    seconds = round(minutes * 60)
    clock = f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 86400}-{clock}"


def written(field: str, value: Value) -> str:
    """A value as the facts write it."""
    if value is None:
        return "no limit" if field.startswith(("Max", "Min")) else "none"
    if isinstance(value, bool):
        return str(value).lower()
    if field == "MaxTime":
        return walltime(value)
    return f"{value} MiB" if field in (*MEMORY, "memory", "tmp") else str(value)


def newest(cluster: Cluster, group: str) -> str:
    """The day of the newest source of a group of facts: its own date, or when it was read."""
    return max((source.dated or source.read for source in cluster.sources.get(group, [])), default="")


def is_older(date: str, cluster: Cluster, group: str) -> bool:
    """Was a capture of this day taken before the facts' newest source? One of a month counts from its first day."""
    source = newest(cluster, group)
    return date[: len(source)] < source


def counts(row: Row, date: str, cluster: Cluster) -> bool:
    """Is this a difference: another value, or a partition or kind of node that only one of the two has?"""
    if row.verdict == DIFFERS:
        return True
    whole = row.key == "node_types" or WHOLE & {row.ours, row.theirs}
    return bool(whole) and row.verdict in (CLUSTER_ONLY, FACTS_ONLY) and not is_older(date, cluster, row.group)


def merged(rows: Iterator[Row]) -> list[Row]:
    """One row for each fact and value."""
    found = {(row.key, row.verdict, row.theirs): row for row in rows}
    told = {row.key for row in found.values() if row.verdict in (AGREES, DIFFERS, OLDER)}
    kept = [row for row in found.values() if row.verdict != FACTS_ONLY or row.key not in told]
    return sorted(kept, key=lambda row: ORDER.index(row.verdict))
