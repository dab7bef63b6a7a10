"""What changed in the facts, and when.

`made/facts.json` is how `make tables` last saw the facts. Each difference from it goes into `made/changes.json` with
the day's date. What operators announced with a date of its own (first jobs, switched off, planned end, a rule since,
a value that changes) is taken from the facts; nothing else is known to the day.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from scripts.errors import BadInput
from scripts.facts.days import as_of, days_of
from scripts.facts.model import GROUPS, Cluster
from scripts.paths import KEPT, shown

FACTS, LOG = KEPT / "facts.json", KEPT / "changes.json"
REQUIREMENTS = {
    "account": "an account",
    "time": "a time limit",
    "partition": "a partition",
    "gpu_model": "a GPU model",
    "memory": "memory",
}
COMING = re.compile(r"^coming\.(?P<day>[0-9-]{10})\.(?P<key>.+)$", re.MULTILINE)  # as `flatten` writes it
Facts = dict[str, dict[str, Any]]  # cluster key: the groups of its facts
Value = str | list[str]


@dataclass(frozen=True)
class Change:
    """One fact that changed.

    `was` or `now` is empty where it was added or taken out, and whole where it is a list. date: when this guide
    changed it.
    """

    date: str
    cluster: str
    key: str
    was: Value
    now: Value

    def __str__(self) -> str:
        was, now = self.told()
        return f"{self.key or 'the whole system'}: {was or '–'} → {now or '–'}"

    def told(self) -> tuple[str, str]:
        """Both values as text; of two lists only what one has and the other has not."""
        if isinstance(self.was, str) and isinstance(self.now, str):
            return self.was, self.now
        was, now = ([value] if value and isinstance(value, str) else list(value) for value in (self.was, self.now))
        return "; ".join(item for item in was if item not in now), "; ".join(item for item in now if item not in was)


def facts_of(clusters: dict[str, Cluster]) -> Facts:
    """Every cluster's facts as its file says them: no defaults, no sources, no doubts. What is coming stands by day."""
    found = {}
    for key, cluster in clusters.items():
        found[key] = cluster.model_dump(mode="json", exclude_unset=True, include=set(GROUPS))
        for change in sorted(cluster.coming, key=lambda change: (change.from_, change.key)):
            found[key].setdefault("coming", {}).setdefault(change.from_, {})[change.key] = change.value
    return found


def flatten(data: object, at: str = "") -> dict[str, Value]:
    """`{a: {b: 1, c: [2, 3]}}` becomes `{"a.b": "1", "a.c": ["2", "3"]}`."""
    if isinstance(data, dict):
        return {
            key: text
            for name, value in data.items()
            for key, text in flatten(value, f"{at}.{name}" if at else str(name)).items()
        }
    if isinstance(data, list):
        return {at: [_item(item) for item in data]}
    return {at: str(data)}


def _item(item: object) -> str:
    return ", ".join(f"{key}: {value}" for key, value in item.items()) if isinstance(item, dict) else str(item)


def differences(before: Facts, now: Facts, date: str) -> list[Change]:
    found = []
    for cluster in sorted(before.keys() | now.keys()):
        if cluster not in before:
            found.append(Change(date, cluster, "", was="", now="described here"))
        elif cluster not in now:
            found.append(Change(date, cluster, "", was="described here", now=""))
        else:
            old, new = flatten(before[cluster]), flatten(now[cluster])
            for came in COMING.finditer("\n".join(old.keys() - new.keys())):
                if old[came[0]] == new.get(came["key"], "None"):  # it stands in its place now, which is told there
                    del old[came[0]]
            found += [
                Change(date, cluster, key, old.get(key, ""), new.get(key, ""))
                for key in sorted(old.keys() | new.keys())
                if old.get(key) != new.get(key)
            ]
    return found


def merge(log: list[Change], new: list[Change]) -> list[Change]:
    """Newest first. Of the changes of one fact on one day the first value and the last are left, and nothing if they
    are the same; a fact that goes back on a later day leaves both changes.
    """
    merged = {(change.date, change.cluster, change.key): change for change in log}
    for change in new:
        at = (change.date, change.cluster, change.key)
        merged[at] = Change(*at, merged[at].was if at in merged else change.was, change.now)
    kept = sorted(
        (change for change in merged.values() if any(change.told()) and change.was != change.now),
        key=lambda change: (change.cluster, change.key),
    )
    return sorted(kept, key=lambda change: change.date, reverse=True)


def read_log() -> list[Change]:
    """Raises BadInput if the file is not the list of changes."""
    try:
        return [Change(**entry) for entry in json.loads(LOG.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as fault:
        raise _spoilt(LOG, "this is not the list of changes", fault) from None


def read_facts() -> Facts:
    """The facts as they were last seen. Raises BadInput if the file does not hold them."""
    try:
        return {cluster: dict(facts) for cluster, facts in json.loads(FACTS.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError) as fault:
        raise _spoilt(FACTS, "this is not how the facts were last seen", fault) from None


def _spoilt(path, what: str, fault: Exception) -> BadInput:
    return BadInput(shown(path), None, f"{what}: {fault}.", f"Take the committed file: git checkout -- {shown(path)}")


def log_text(log: list[Change]) -> str:
    return json.dumps([asdict(change) for change in log], indent=1, ensure_ascii=False) + "\n"


def facts_text(facts: Facts) -> str:
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def announced(clusters: dict[str, Cluster]) -> list[tuple[str, str, str]]:
    """(date, cluster's key, what happened) of all that the operators
    dated, newest first; a date may be a year or month.
    """
    found = []
    for key, cluster in clusters.items():
        status = cluster.status
        dated = [
            (status.since, "first jobs of users"),
            (status.ended, "switched off"),
            (status.planned_end, "planned end"),
        ]
        for field, label in REQUIREMENTS.items():
            requirement = getattr(cluster.policy, field)
            dated.append((requirement.since, f"{label}: {requirement.rule.value} in every job"))
        found += [(str(date), key, what) for date, what in dated if date]
        for day in days_of(cluster):
            then = [facts_of({key: as_of(cluster, each)}) for each in (day.eve, day)]
            found += [(day, key, str(change)) for change in differences(*then, day)]
    return sorted(found, reverse=True)
