"""The steps after the build, each a change to the built site, in the order in which they are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.site.after import (
    agents,
    api,
    csp,
    engine,
    feed,
    index,
    lean,
    moved,
    my_account,
    offline,
    pictures,
    plain,
    slides,
    source,
)

Step = Callable[[Path], object]

# The policy comes after everything that writes pages, the zips after everything.
STEPS: list[Step] = [
    pictures.write,
    index.write,
    engine.write,
    my_account.write,
    api.write,
    agents.write,
    plain.write,
    feed.write,
    moved.write,
    slides.write,
    lean.write,
    csp.write,
    source.write,
    offline.write,
]


def take(site: Path, steps: Sequence[Step]) -> None:
    """Take these steps on the built site in this folder. Raises BadInput for what a step refuses."""
    for step in steps:
        step(site)
