"""srun does not take --cpus-per-task from sbatch in Slurm 22.05 and 23.02."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report

FIRST, FIXED = (22, 5), (23, 11)  # Slurm's own release notes
SAYS_SO = re.compile(r"-c[0-9$\"]*|--cpus-per-task.*|--exact|--cpus-per-gpu.*")


def advise(case: Case) -> Iterator[Report]:
    version = re.match(r"([0-9]+)\.([0-9]+)", case.cluster.scheduler.version or "")
    if case.cluster.scheduler.kind != "slurm" or not version or (case.job.cpus_per_task or 1) < 2:
        return
    if not FIRST <= (int(version[1]), int(version[2])) < FIXED:
        return
    if any("SRUN_CPUS_PER_TASK" in word for command in case.commands for word in (*command.words, *command.sets)):
        return
    for command in case.certain:
        if command.name == "srun" and not any(SAYS_SO.fullmatch(word) for word in command.words):
            what = f"srun gets one core: Slurm {case.cluster.scheduler.version} does not hand on --cpus-per-task."
            cure = 'Write above it: export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"'
            yield case.report("srun-one-core", what, cure, command, "scheduler.version")
            return
