"""What Slurm 22.05, of Debian 12, and 24.11.5, of Debian 13, decide otherwise. The engine decides as 22.05 does.

Such a script is compared on 22.05 alone; all others are compared on both.
"""

import re

from tests.twin import kept as twins

# Why 24.11 decides otherwise; of which scripts; and a part of what it says, or of what 22.05 says.
DIFFERENCES = [
    ("it counts tasks and GPUs in another way", "--gpus-per-task", "generic resource|multiple of|Only one MIG"),
    ("it wants GPUs beside --cpus-per-gpu", "--cpus-per-gpu", "did not request any GPU"),
    ("it counts nodes from tasks", "tasks-per-n", "Only one MIG|--gpus < -N|Node count"),
    ("a backslash keeps the space behind it", r"\\ ", "unrecognized option|Invalid directive"),
    ("it reads R: as a wish to preempt", "--signal[= ]RB?:", "Preemption is required"),
    ("it places the cores of GPUs in another way", "--cpus-per-gpu|--mincpus", "configuration|More processors"),
    ("it places memory by GPU in another way", "--mem-per-gpu", "configuration"),
    ("it places GPUs of jobs and tasks in another way", "--gpus[ =]|-G|--gpus-per-task", "configuration"),
    ("it lets a full node have less memory per core", "(?s)^(?=.*--exclusive).*--mem-per-cpu", "configuration"),
    ("it minds how many tasks a node holds", "(?s)^(?=.*(--nodes|-N)).*(--ntasks[ =]| -n)", "configuration"),
]
# Samples of rules that 22.05 decides otherwise than the rule says, which speaks of newer ones; and such of 24.11.
SAMPLES_IN_22_05 = {"#SBATCH --gpus-per-task=1 --ntasks-per-node=1", "#SBATCH --gpus-per-task=t4:1 --ntasks-per-node=2"}
SAMPLES_IN_24_11 = {
    *("#SBATCH --gres=gpu=2", "#SBATCH --gpus=v100=1"),  # `=` is read like `:`
    *("#SBATCH --gpu-bind=near", "#SBATCH --gpu-bind=close"),
}


def is_22_05() -> bool:
    return twins.version("slurm").startswith("Slurm 22.05")


def differs(script: str, said: str) -> bool:
    """Is it known that the installed version decides otherwise on this script, saying so?"""
    known = any(re.search(of, script) and re.search(words, said) for _, of, words in DIFFERENCES)
    return known and not is_22_05()
