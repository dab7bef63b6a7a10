"""What the writers of a twin make of the facts: all that a verdict rests on beside the script.

What is this machine's is left out: folders, ports, the user, the host's name. So it is the same everywhere, and where
no scheduler is installed.
"""

import hashlib
import json
from pathlib import Path

from scripts.facts import Cluster
from scripts.twin import login
from scripts.twin.grid_engine.cell import cell_files
from scripts.twin.grid_engine.policy import policy_jsv
from scripts.twin.slurm.conf import gres_conf, slurm_conf
from scripts.twin.slurm.policy import job_submit_lua

FOLDER, OWNER = Path("/twin"), "owner"
OF_THE_MACHINE = {"cell/common/bootstrap", "cell/common/host_aliases", "hosts", "new/configuration", "new/user"}


def written(cluster: Cluster) -> dict[str, str]:
    """Name -> text: the scheduler's files, and what stands in for the cluster when a job runs."""
    if cluster.scheduler.kind == "slurm":
        found = {
            "slurm.conf": slurm_conf(cluster, FOLDER, 0, OWNER),
            "gres.conf": gres_conf(cluster, FOLDER),
            "job_submit.lua": job_submit_lua(cluster),
        }
    else:
        files = cell_files(cluster, FOLDER, OWNER)
        found = {name: text for name, text in files.items() if name not in OF_THE_MACHINE}
        found["policy"] = policy_jsv(cluster)
    stand_ins = {path.name: path.read_text(encoding="utf-8") for path in sorted(login.STANDINS.iterdir())}
    return found | {"profile": login.PROFILE} | stand_ins


def digest(cluster: Cluster) -> str:
    """One hash (SHA-256) of it all."""
    return hashlib.sha256(json.dumps(written(cluster), sort_keys=True).encode()).hexdigest()
