"""What runs the guide's tests at a center: a GitHub runner as a Slurm job, GitLab with Jacamar CI, and CSCS's form.

Every option is that of the system's one_gpu.sh or validate.sh. Read for it, on 2026-11-27: CommandSettings.cs of
actions/runner (0aa1c0f); apps.fz-juelich.de/jsc/hps/jureca/jacamar.html; docs/services/cicd.md of eth-cscs/cscs-docs
(0d60418); the environment variables of srun's manual.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from scripts.engine.directives import Option
from scripts.facts import Cluster
from scripts.facts.units import Walltime
from scripts.families.shared import script
from scripts.migration.line import options
from scripts.paths import shown

HERE = Path(__file__).parent
GITHUB = {"runner.sh": "runner.sh", ".github/workflows/gpu-{key}.yml": "workflow.yml"}
OTHERS = {"ci.sh": "ci.sh", ".gitlab-ci.yml": "gitlab.yml", "cscs-ci.yml": "cscs.yml"}
OWN = ("job-name", "output")  # what belongs to the guide's script, not to its job
# srun's variables for what the scripts ask.
SRUN = {
    "account": "SLURM_ACCOUNT",
    "partition": "SLURM_PARTITION",
    "nodes": "SLURM_JOB_NUM_NODES",
    "ntasks": "SLURM_NTASKS",
    "cpus-per-task": "SLURM_CPUS_PER_TASK",
    "mem": "SLURM_MEM_PER_NODE",
    "gres": "SLURM_GRES",
    "gpus": "SLURM_GPUS",
    "gpus-per-node": "SLURM_GPUS_PER_NODE",
    "constraint": "SLURM_CONSTRAINT",
    "time": "SLURM_TIMELIMIT",
}


def files(cluster: Cluster) -> dict[str, str]:
    first, whole = (_asked(cluster, name) for name in ("one_gpu.sh", "validate.sh"))
    words = {
        "KEY": cluster.key,
        "NAME": cluster.name,
        "DIRECTIVES": "\n".join(["#SBATCH --job-name=ci-runner", *(f"#SBATCH {o.written}" for o in first)]),
        "LONG": _value(whole, "time"),
        "MINUTES": str(math.ceil(_walltime(_value(whole, "time")).minutes)),
        "ONE_GPU": str(shown(script(cluster.key, "one_gpu.sh"))),
        "VALIDATE": str(shown(script(cluster.key, "validate.sh"))),
        "ONE_GPU_OPTIONS": " ".join(o.written for o in first),
        "VALIDATE_OPTIONS": " ".join(o.written for o in whole),
        "VARIABLES": "\n".join(f'    {SRUN[o.name]}: "{o.value}"' for o in first),
    }
    wanted = OTHERS if cluster.policy.internet_on_compute_nodes is False else GITHUB | OTHERS
    return {name.format(key=cluster.key): _filled(HERE / template, words) for name, template in wanted.items()}


def notes(cluster: Cluster) -> list[str]:
    """What the facts say about a runner on a compute node."""
    if cluster.policy.internet_on_compute_nodes is False:
        return [f"The compute nodes of {cluster.name} do not reach the internet, so no GitHub runner can run on them."]
    if cluster.policy.internet_on_compute_nodes is None:
        return [f"We do not know whether the compute nodes of {cluster.name} reach GitHub. Try `curl` in a job first."]
    return []


def _asked(cluster: Cluster, name: str) -> list[Option]:
    return [option for option in options(cluster, name).values() if option.name not in OWN]


def _value(asked: list[Option], name: str) -> str:
    return next(option.value for option in asked if option.name == name)


def _walltime(clock: str) -> Walltime:
    """`01:00:00` or `1-00:00:00`, as the scripts write it."""
    return Walltime(clock if "-" in clock else f"0-{clock}")


def _filled(template: Path, words: dict[str, str]) -> str:
    return re.sub(r"@([A-Z_]+)@", lambda found: words[found[1]], template.read_text(encoding="utf-8"))
