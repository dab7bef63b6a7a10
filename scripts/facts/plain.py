"""The facts as plain data: for files that programs read, and for looking through every value."""

from typing import Any

from scripts.facts.model import GROUPS, Cluster
from scripts.paths import MADE

JSON = MADE / "facts.json"


def plain(cluster: Cluster) -> dict[str, Any]:
    """The groups of its facts as its file says them: no defaults, no sources, no doubts."""
    return cluster.model_dump(mode="json", exclude_unset=True, include=set(GROUPS))
