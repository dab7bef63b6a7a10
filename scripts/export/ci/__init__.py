"""What runs the guide's tests at a center: a GitHub runner as a Slurm job, GitLab with Jacamar CI, and CSCS's form.

Every option is that of the system's one_gpu.sh or validate.sh. Read for it, on 2026-11-27: CommandSettings.cs of
actions/runner (0aa1c0f); apps.fz-juelich.de/jsc/hps/jureca/jacamar.html; docs/services/cicd.md of eth-cscs/cscs-docs
(0d60418); the environment variables of srun's manual.
"""

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
GITHUB = {"runner.sh": "runner.sh", ".github/workflows/gpu-{key}.yml": "workflow.yml.in"}
OTHERS = {"ci.sh": "ci.sh", ".gitlab-ci.yml": "gitlab.yml.in", "cscs-ci.yml": "cscs.yml.in"}
OWN = ("job-name", "output")  # what belongs to the guide's script, not to its job
SRUN = {"nodes": "JOB_NUM_NODES", "time": "TIMELIMIT", "mem": "MEM_PER_NODE"}  # variables with another name than theirs


def files(cluster: Cluster) -> dict[str, str]:
    first, whole = (_asked(cluster, name) for name in ("one_gpu.sh", "validate.sh"))
    (longest,) = (option.value for option in whole if option.name == "time")  # 01:00:00 or 1-00:00:00
    words = {
        "KEY": cluster.key,
        "NAME": cluster.name,
        "DIRECTIVES": "\n".join(["#SBATCH --job-name=ci-runner", *(f"#SBATCH {o.written}" for o in first)]),
        "LONG": longest,
        "MINUTES": str(math.ceil(Walltime(longest if "-" in longest else f"0-{longest}").minutes)),
        "ONE_GPU": str(shown(script(cluster.key, "one_gpu.sh"))),
        "VALIDATE": str(shown(script(cluster.key, "validate.sh"))),
        "ONE_GPU_OPTIONS": " ".join(o.written for o in first),
        "VALIDATE_OPTIONS": " ".join(o.written for o in whole),
        "VARIABLES": "\n".join(f'    {_variable(o.name)}: "{o.value}"' for o in first),
    }
    wanted = OTHERS if cluster.policy.internet_on_compute_nodes is False else GITHUB | OTHERS
    return {name.format(key=cluster.key): _filled(HERE / template, words) for name, template in wanted.items()}


def notes(cluster: Cluster) -> list[str]:
    """What the facts say about a runner on a compute node."""
    if cluster.policy.internet_on_compute_nodes is False:
        return [f"The compute nodes of {cluster.name} cannot reach the internet, so no GitHub runner can run on them."]
    if cluster.policy.internet_on_compute_nodes is None:
        return [f"We do not know whether the compute nodes of {cluster.name} reach GitHub. Try `curl` in a job first."]
    return []


def _asked(cluster: Cluster, name: str) -> list[Option]:
    return [option for option in options(cluster, name).values() if option.name not in OWN]


def _variable(option: str) -> str:
    """The environment variable with which srun takes an option."""
    return f"SLURM_{SRUN.get(option, option.upper().replace('-', '_'))}"


def _filled(template: Path, words: dict[str, str]) -> str:
    return re.sub(r"@([A-Z_]+)@", lambda found: words[found[1]], template.read_text(encoding="utf-8"))
