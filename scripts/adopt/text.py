"""A facts file's text from plain data: as people write them, in blocks, with what is small on one line."""

from collections.abc import Iterator
from typing import Any

import yaml

from scripts.facts import edit

HEAD = """# Written by `guide adopt` from the scheduler's output of {date}. You can change every line, because
# `guide adopt --again` changes single values, and keeps your comments and your order.
"""
BEFORE = {
    "unconfirmed": "# The capture suggests these values, but nobody has confirmed them. Delete each that you confirm.",
    "unknown": "# The scheduler does not show these facts. Write each key where it belongs, and delete its line here.\n"
    "# Each needs a source, under the key's first word in `sources:`. Only `operator`, `centre` and `docs` need none.",
}
DEEP = 2  # what is further inside stands on one line


def text(data: dict[str, Any], date: str) -> str:
    """The whole file. One source that groups share is written once."""
    lines = [HEAD.format(date=date)]
    for key, value in data.items():
        lines += [*(["", BEFORE[key]] if key in BEFORE else [""] if isinstance(value, dict) else [])]
        lines += _sources(value) if key == "sources" else _block(key, value, 0)
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """On one line."""
    told = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)
    return told.removesuffix("\n").removesuffix("\n...")


def _block(key: str, value: Any, depth: int) -> Iterator[str]:
    start = f"{'  ' * depth}{flow(key)}:"
    if isinstance(value, dict) and value and depth < DEEP:
        yield start
        for name, inside in value.items():
            yield from _block(name, inside, depth + 1)
    else:
        yield f"{start} {flow(value)}"


def _sources(sources: dict[str, Any]) -> Iterator[str]:
    yield "sources:"
    for at, (group, listed) in enumerate(sources.items()):
        if at:
            yield f"  {group}: [*capture]"
        else:
            yield f"  {group}: [&capture {edit.flow(*listed)}]"
