"""The facts as plain data: for files that programs read, and for looking through every value."""

from __future__ import annotations

from typing import Any

from scripts.facts.model import GROUPS, Cluster
from scripts.paths import MADE

JSON = MADE / "facts.json"


def plain(cluster: Cluster) -> dict[str, Any]:
    """The groups of its facts as its file says them: no defaults, no sources, no doubts."""
    return cluster.model_dump(mode="json", exclude_unset=True, include=set(GROUPS))


def flatten(data: object, at: str = "") -> dict[str, str | list[str]]:
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
