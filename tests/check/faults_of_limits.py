"""What only the scheduler can find in a script: names and sizes that this cluster does not have."""

import re

from tests.check.planted import Planter, change, do, say, spelled, together, whole

GPU: Planter = change(lambda line, draw: line, r"--g(res|pus)\S*=")  # only where a GPU is asked for


def _alone(lines, draw):
    """A job of its own: those of an array may wait for each other."""
    return [line for line in lines if "--array" not in line], set()


SLURM: dict[str, Planter] = {
    **spelled("slurm_limits"),
    "unknown GPU": change(
        lambda line, draw: f"#SBATCH --gres=gpu:{draw.choice(('x9000', 'rtx1', 'k1'))}:1", "--gres=gpu:"
    ),
    "too many GPUs": change(
        lambda line, draw: re.sub(r"\d+$", draw.choice(("99", "17", "64")), line), r"--g\S+[=:]\d+$"
    ),
    "step larger than the job": together(
        do("srun --nodes=9 ./a", "srun --gres=gpu:64 ./a", "srun --gpus=64 ./a"), say("--ntasks=1|--nodes=1")
    ),
    "more processes than GPUs": together(do("torchrun --nproc-per-node=99 x.py", "deepspeed --num_gpus 99 x.py"), GPU),
    "launcher waits for nodes": together(do("srun torchrun --nnodes=9 x.py", "torchrun --nnodes 99 x.py"), GPU, _alone),
    "GPU hidden": together(do("export CUDA_VISIBLE_DEVICES=-1", 'export CUDA_VISIBLE_DEVICES=""'), GPU),
    "GPU asked for, CPU told": together(do("export JAX_PLATFORMS=cpu", "export JAX_PLATFORM_NAME=cpu"), GPU),
}

GRID_ENGINE: dict[str, Planter] = {
    **spelled("grid_engine_limits"),
    "misspelt resource": change(lambda line, draw: re.sub(r"-l (\w)(\w)", r"-l \2\1", line), "-l"),
    "hyphen in a resource": change(lambda line, draw: line.replace("_", "-"), "-l"),
    "unknown GPU": change(lambda line, draw: "#$ -l coproc_x9000=1", "-l coproc"),
    "too many GPUs": change(lambda line, draw: "#$ -l coproc_v100=99", "-l coproc"),
    "no time": whole(lambda text: re.sub("#\\$ -l h_rt.*\n", "", text)),
}
