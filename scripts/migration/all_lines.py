"""All lines of the migration tables."""

from scripts.facts.model import Cluster
from scripts.migration import grid_engine, jobs, places, software, system
from scripts.migration.line import Line


def all_lines(old: Cluster, new: Cluster) -> list[Line]:
    """Jobs, modules and paths of the old system, each with its place on the new one, or said to be lost.

    The old lines are those of the old system's scripts where those have them. Raises BadInput if a script is missing.
    """
    parts = (system, jobs, software, places, grid_engine)
    return [line for part in parts for line in part.lines(old, new)]
