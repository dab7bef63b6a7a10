"""Scheduler twins: the real scheduler, set up as one cluster, to judge job scripts here and run them to their end."""

from __future__ import annotations

from pathlib import Path

from scripts.facts import Cluster


def twin_of(cluster: Cluster, folder: Path | None = None):
    """The twin of a cluster, of its scheduler's kind.

    `folder` is where its own folder goes; left out: the user's, below the temporary folder.
    """
    from scripts.twin.grid_engine.twin import GridEngineTwin
    from scripts.twin.slurm.twin import SlurmTwin

    return {"slurm": SlurmTwin, "grid_engine": GridEngineTwin}[cluster.scheduler.kind](cluster, folder)
