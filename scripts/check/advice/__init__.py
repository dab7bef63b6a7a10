"""What the scheduler accepts and the cluster's pages warn of. One idea a file; each is `advise(case)`, and its samples
stand beside it in the YAML file of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice import (
    account,
    any_gpu,
    container,
    cuda_version,
    ends_early,
    internet,
    login_shell,
    memory,
    modules,
    partition,
    places,
    processes,
    processor,
    several_gpus,
    share,
    srun_cores,
    step_size,
    submit_inside,
    switched_off,
    unused_gpu,
    variables,
    vendor,
    whole_node,
)
from scripts.check.advice.case import Case
from scripts.check.advice.commands import read
from scripts.check.asked import Asked, Job
from scripts.check.directives import components
from scripts.check.directives import read as read_options
from scripts.check.report import Report
from scripts.facts import Cluster

ADVICE = (
    switched_off,
    account,
    partition,
    memory,
    share,
    whole_node,
    any_gpu,
    unused_gpu,
    several_gpus,
    processes,
    step_size,
    srun_cores,
    login_shell,
    modules,
    container,
    processor,
    vendor,
    cuda_version,
    internet,
    places,
    variables,
    submit_inside,
    ends_early,
)


def all(cluster: Cluster, asked: Asked, lines: list[str], file: str) -> list[Report]:
    """Every advice about a script, each once. `asked` is what the scheduler understood of it."""
    return list(dict.fromkeys(report for case in _cases(cluster, asked, lines, file) for report in _advise(case)))


def _cases(cluster: Cluster, asked: Asked, lines: list[str], file: str) -> Iterator[Case]:
    """One for each component of the job."""
    commands = read(lines)
    parts = components(read_options(lines, cluster.scheduler.kind))
    jobs = asked.jobs if len(asked.jobs) == len(parts) else (Job(),) * len(parts)
    for job, options in zip(jobs, parts, strict=True):
        yield Case(cluster, job, options, commands, lines, file)


def _advise(case: Case) -> Iterator[Report]:
    for idea in ADVICE:
        yield from idea.advise(case)
