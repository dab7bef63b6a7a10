"""All systems that the guide knows, to tell what is another's."""

from __future__ import annotations

from functools import cache

from scripts.errors import BadInput
from scripts.facts import Cluster, load_cluster
from scripts.paths import SNIPPETS


@cache
def systems() -> tuple[Cluster, ...]:
    """In alphabetical order. A fault in the facts of another system is none of this script's: that one is left out."""
    found = []
    for path in sorted(SNIPPETS.glob("*/cluster.yml")):
        try:
            found.append(load_cluster(path))
        except BadInput:
            continue
    return tuple(found)
