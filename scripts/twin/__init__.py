"""Scheduler twins: the real scheduler, set up as one cluster, to judge job scripts here and run them to their end."""

from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import Cluster


def twin_of(cluster: Cluster, folder: Path | None = None, accounts: bool = False):
    """The twin of a cluster, of its scheduler's kind.

    `folder` is where its own folder goes; left out: the user's, below the temporary folder. `accounts`: the twin that
    keeps accounts. Raises BadInput if the scheduler has none.
    """
    from scripts.twin.grid_engine.twin import GridEngineTwin
    from scripts.twin.slurm.twin import SlurmTwin
    from scripts.twin.slurm.with_accounts import AccountsTwin

    if accounts:
        if cluster.scheduler.kind != "slurm":
            what = f"{cluster.name} has {cluster.scheduler.words.name}, and only simulated Slurm keeps accounts."
            raise BadInput(cluster.key, None, what, "Leave out --accounts.")
        return AccountsTwin(cluster, folder)
    return {"slurm": SlurmTwin, "grid_engine": GridEngineTwin}[cluster.scheduler.kind](cluster, folder)
