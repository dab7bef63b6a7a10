"""The steps after the build, each a change to the built site, in the order in which they are taken."""

from collections.abc import Callable, Sequence
from pathlib import Path

Step = Callable[[Path], object]


def take(site: Path, steps: Sequence[Step]) -> None:
    """Take these steps on the built site in this folder. Raises BadInput for what a step refuses."""
    for step in steps:
        step(site)
