"""What only the scheduler can find in a script: names and sizes that this cluster does not have."""

import re

from tests.check.planted import Planter, change, say, whole

SLURM: dict[str, Planter] = {
    "unknown partition": say("--partition=nowhere", "-p gpuu", "--partition=no-such"),
    "unknown GPU": change(
        lambda line, draw: f"#SBATCH --gres=gpu:{draw.choice(('x9000', 'rtx1', 'k1'))}:1", "--gres=gpu:"
    ),
    "too many GPUs": change(
        lambda line, draw: re.sub(r"\d+$", draw.choice(("99", "17", "64")), line), r"--g\S+[=:]\d+$"
    ),
    "too much memory": say("--mem=99T", "--mem=99000G", "--mem 50TB"),
    "too many cores": say("--cpus-per-task=9999", "-c 5000", "-c9999"),
    "too many nodes": say("--nodes=99999", "-N 50000"),
}

GRID_ENGINE: dict[str, Planter] = {
    "misspelt resource": change(lambda line, draw: re.sub(r"-l (\w)(\w)", r"-l \2\1", line), "-l"),
    "hyphen in a resource": change(lambda line, draw: line.replace("_", "-"), "-l"),
    "unknown GPU": change(lambda line, draw: "#$ -l coproc_x9000=1", "-l coproc"),
    "too many GPUs": change(lambda line, draw: "#$ -l coproc_v100=99", "-l coproc"),
    "too long": say("-l h_rt=999:00:00", "-l h_rt=100:00:00"),
    "no time": whole(lambda text: re.sub("#\\$ -l h_rt.*\n", "", text)),
    "too much memory": say("-l h_rt=1:0:0,h_vmem=99T"),
    "too many cores": say("-pe smp 999", "-pe smp 100"),
    "unknown environment": say("-pe spm 40", "-pe mp 4"),
    "unknown queue": say("-q nowhere.q -l h_rt=1:0:0"),
}
