"""What a facts file does not know yet: `unknown:` lists the keys, each with the question that is open.

A scheduler does not say who operates it, or what an account looks like. A required key that is listed there gets a
value that claims nothing. One that is missing and not listed is a fault, as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scripts.facts.model import Cluster

NOT_KNOWN = "not known yet"  # as pages show it
# The required keys that may be open, below what of the file. Of a rule nothing is claimed: no job must follow it.
BLANK: dict[str, dict[str, Any]] = {
    "": {"centre": None, "docs": None, "operator": NOT_KNOWN, "gpus": {}},
    "gpus": {"model": NOT_KNOWN, "memory": None},
    "policy": {name: {"rule": "optional"} for name in ("account", "time", "partition", "gpu_model")},
}


def _blank(dotted: str) -> tuple[list[str], str] | None:
    """Where such a key stands, and its name; None for any other key. A GPU's name may hold dots."""
    above, _, key = dotted.rpartition(".")
    group, _, name = above.partition(".")
    fits = key in BLANK.get(group, {}) and bool(name) == (group == "gpus")
    return ([part for part in (group, name) if part], key) if fits else None


def filled(data: Any) -> Any:
    """The file's data with a value for each required key that it lists as unknown. Raises ValueError for one it has."""
    if not (isinstance(data, dict) and isinstance(data.get("unknown"), dict)):
        return data
    data = deepcopy(data)
    for dotted in map(str, data["unknown"]):
        path, key = _blank(dotted) or ((), "")
        above = data
        for part in path:
            above = above.get(part) if isinstance(above, dict) else None
        if key and isinstance(above, dict):
            if key in above:
                raise ValueError(f"`{dotted}` is answered; delete its line under `unknown:`")
            above[key] = deepcopy(BLANK[path[0] if path else ""][key])
    return data


def is_blank(dotted: str) -> bool:
    """May this required key be open?"""
    return _blank(dotted) is not None


def unlisted(cluster: Cluster) -> Iterator[str]:
    """Required keys that say nothing, and do not stand under `unknown:`."""
    said = {"centre": cluster.centre, "docs": cluster.docs, "operator": cluster.operator}
    for key, gpu in cluster.gpus.items():
        said |= {f"gpus.{key}.model": gpu.model, f"gpus.{key}.memory": gpu.memory}
    return (key for key, value in said.items() if value in (None, NOT_KNOWN) and key not in cluster.unknown)
