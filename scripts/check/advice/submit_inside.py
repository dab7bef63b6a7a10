"""`sbatch` inside a job, where jobs may not submit jobs."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case, program
from scripts.check.report import Report


def advise(case: Case) -> Iterator[Report]:
    if case.cluster.policy.submit_in_jobs is False:
        for command in case.certain:
            if program(command) in ("sbatch", "salloc"):
                what = f"{program(command)}: no job can be submitted from inside a job of {case.cluster.name}."
                cure = "Submit all from the login node, with --dependency."
                yield case.report("submit-inside", what, cure, command, "policy.submit_in_jobs")
