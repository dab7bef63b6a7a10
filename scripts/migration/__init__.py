"""From a system that is switched off to its successor: what takes the place of what, from the two facts files."""

from __future__ import annotations

from scripts.facts.model import Cluster
from scripts.migration import gpus, grid_engine, partitions, places, software, system
from scripts.migration.line import Line

__all__ = ["Line", "way_over"]


def way_over(old: Cluster, new: Cluster) -> list[Line]:
    """Every GPU, partition, module and path of the old system, each with its place on the new one, or said to be lost.

    The old lines are those of the old system's scripts where those have them. Raises BadInput if a script is missing.
    """
    parts = (system, gpus, partitions, software, places, grid_engine)
    return [line for part in parts for line in part.lines(old, new)]
