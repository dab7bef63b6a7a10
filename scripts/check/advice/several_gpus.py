"""Several GPUs for one plain `python x.py`: it uses one, unless it was written for more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import SETUP, Case, payload, program
from scripts.check.report import Report

PYTHON = re.compile(r"python[0-9.]*")
# Words of a program that itself spreads over GPUs.
SPREADS = re.compile(
    r"gpu|device|parallel|ddp|dist|multi|nproc|horovod|accelerate|ray|mirror|world|shard|tp|tensor", re.I
)


def advise(case: Case) -> Iterator[Report]:
    job = case.job
    if job.gpus_total < 2 or job.array or (job.tasks or job.tasks_per_node or 1) > 1 or (job.nodes or 1) > 1:
        return
    runs = [command for command in case.commands if program(command) not in SETUP | {"", "pip", "virtualenv"}]
    if len(runs) != 1 or not runs[0].certain or runs[0].line != runs[-1].line:
        return
    (run,) = runs
    words = payload(run)
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    plain = PYTHON.fullmatch(program(run)) and script.endswith(".py") and "-m" not in words
    everything = [*run.words, *(part for command in case.commands for part in command.sets)]
    if plain and not any(SPREADS.search(word) for word in everything) and "-n" not in run.words:
        at = case.gpu_option
        what = f"{job.gpus_total} GPUs are asked for, and `{script}` is started once: does it use more than one?"
        cure = "Ask for one if it uses one; start it by torchrun or srun if each process takes one."
        yield case.report("gpus-for-one-process", what, cure, at, kind="doubtful")
