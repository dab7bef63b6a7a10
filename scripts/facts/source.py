"""Where a fact was read, and what is in doubt about it, in a few words."""

import re

from scripts.facts import Cluster
from scripts.facts.unknown import NOT_KNOWN


def source(cluster: Cluster, path: str) -> str:
    """Who says it, and when that was last read: `CSC, checked 2026-11-20`. `path` is a dotted key of the facts."""
    operator = re.split(r" – |, ", cluster.name if cluster.operator == NOT_KNOWN else cluster.operator)[0]
    return f"{operator}, checked {max(each.read for each in cluster.sources[path.partition('.')[0]])}"


def doubt(cluster: Cluster, path: str) -> str | None:
    """Why this fact, or one that it is part of, is not certain; None if it is."""
    return next((why for key, why in cluster.unconfirmed.items() if f"{path}.".startswith(f"{key}.")), None)
