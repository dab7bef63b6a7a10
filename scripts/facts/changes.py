"""What operators changed, and when: `snippets/changes.yml`, kept by hand; and what the facts themselves date."""

from pathlib import Path

from pydantic import Field

from scripts.errors import BadInput, did_you_mean, refuse
from scripts.facts.model import Cluster, Prose, Source
from scripts.facts.units import Date, today
from scripts.models import Strict, load_model
from scripts.paths import FACTS, OURS, shown

FILE = FACTS / "changes.yml"
REQUIREMENTS = {
    "account": "account",
    "time": "time limit",
    "partition": "partition",
    "gpu_model": "GPU model",
    "memory": "memory",
}


class Change(Strict):
    """One change that users of a system notice."""

    date: Date = Field(description="The first day on which it held")
    system: str = Field(description="The key (folder) of the system")
    what: Prose = Field(description="What is so now, and what was before, in one sentence without its full stop")
    source: Source = Field(description="Where the operator says so")


class Changes(Strict):
    """The list, newest first."""

    began: Date = Field(description="The day from which on changes are listed")
    changes: list[Change]


def load_changes(clusters: dict[str, Cluster], file: Path = FILE) -> Changes:
    """Raises BadInput with file, line and cure, also for a system that is not known and a wrong order.

    Another collection than ours need not keep the list.
    """
    if not OURS and not file.exists():
        return Changes(began=today(), changes=[])
    found, lines = load_model(file, Changes, "See scripts/facts/changes.py.")
    faults, newest = [], None
    for number, change in enumerate(found.changes):
        line = lines["changes", number]
        if change.system not in clusters:
            cure = did_you_mean(change.system, list(clusters))
            faults.append(BadInput(shown(file), line, f"there is no cluster `{change.system}`.", cure))
        if newest and change.date > newest:
            what = f"the change of {change.date} is below that of {newest}."
            faults.append(BadInput(shown(file), line, what, "Put the newest first."))
        newest = change.date
    refuse(faults)
    return found


def announced(clusters: dict[str, Cluster]) -> list[tuple[str, str, str]]:
    """(date, cluster's key, what happened) of all that the facts date, newest first; a date may be a year or month."""
    found = []
    for key, cluster in clusters.items():
        status = cluster.status
        dated = [
            (status.since, "opened to users"),
            (status.ended, "retired"),
            (status.planned_end, "planned end of service"),
        ]
        for field, label in REQUIREMENTS.items():
            requirement = getattr(cluster.policy, field)
            dated.append((requirement.since, f"{label} {requirement.rule.value} in every job"))
        found += [(str(date), key, what) for date, what in dated if date]
    return sorted(found, reverse=True)
