"""All systems that the guide knows, to tell what is another's."""

from __future__ import annotations

from functools import cache

from scripts.errors import BadInput
from scripts.facts import Cluster, load_cluster
from scripts.paths import SNIPPETS


@cache
def systems() -> tuple[Cluster, ...]:
    """Those that run come first. A system whose facts have a fault is left out: that is none of this script's."""
    found = []
    for path in sorted(SNIPPETS.glob("*/cluster.yml")):
        try:
            found.append(load_cluster(path))
        except BadInput:
            continue
    return tuple(sorted(found, key=lambda cluster: not cluster.running))
