"""A step of srun, or a number of threads, larger than the job that it is part of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case, program
from scripts.check.advice.commands import Command
from scripts.check.asked import Job
from scripts.check.report import Report
from scripts.check.slurm_options import SHORT

THREADS = re.compile(r"((?:OMP|MKL|OPENBLAS)_NUM_THREADS)=([1-9]\d*)")
MEMORY = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2}  # in MiB
HARDWARE_THREADS = 2  # of a core, at most: so many more are no fault for certain


def advise(case: Case) -> Iterator[Report]:
    job = case.job
    whole = job.exclusive or any(partition.exclusive for partition in case.partitions.values())
    if job == Job() or whole or any("hetjob" in line for line in case.lines):
        return
    for command in case.certain:
        if program(command) and command.name == "srun":
            yield from _step(case, command)
        elif command.name in ("mpirun", "mpiexec") and "--oversubscribe" not in command.words:
            count = re.match(r"-{1,2}np? (\d+)", " ".join(command.words[1:3]))
            yield from _cores(case, command, int(count[1]) if count else 0, "processes")
        for part in (*command.sets, *(command.words if command.name == "export" else ())):
            if match := THREADS.fullmatch(part):
                yield from _cores(case, command, int(match[2]), "threads")


def _cores(case: Case, command: Command, count: int, what: str) -> Iterator[Report]:
    job = case.job
    if not (job.tasks or job.tasks_per_node or job.cpus_per_task) and case.cluster.scheduler.kind == "slurm":
        return  # a cluster may give cores that were not asked for
    shares = [gpu.fair_share.cores for gpu in case.gpus.values() if gpu.fair_share]
    cores = max(case.cores, max(shares, default=0) * job.gpus_total)
    if count > cores * HARDWARE_THREADS:
        words = f"{count} {what} are more than the {cores} core{'s' * (cores > 1)} of this job."
        yield case.report("step-over-job", words, "Start as many as you have cores, or ask for more.", command)


def _step(case: Case, command: Command) -> Iterator[Report]:
    job, asked = case.job, _asked(command)
    tasks = _number(asked.get("ntasks"))
    yield from _cores(case, command, max(tasks, _number(asked.get("cpus-per-task"))), "tasks or cores of a step")
    nodes = _number(asked.get("nodes"))
    if nodes > (job.max_nodes or job.nodes or 1) and (job.nodes or (job.tasks or 1) == 1):
        what = f"srun asks for {nodes} nodes, and the job has {job.nodes or 1}."
        yield case.report("step-over-job", what, "Ask for as many in the directives.", command)
    gres = re.search(r"\bgpu(?::[\w.]+)?:(\d+)", asked.get("gres", ""))
    each = [_number(asked.get(name, "").rpartition(":")[2]) for name in ("gpus", "gpus-per-node", "gpus-per-task")]
    gpus = max(*each, int(gres[1]) if gres else 0)
    if gpus > job.gpus_total and (job.gpus_total or not case.gpu_option):
        what = f"srun asks for {gpus} GPU{'s' * (gpus > 1)}, and the job has {job.gpus_total or 'none'}."
        yield case.report("step-over-job", what, "Ask for as many in the directives.", command)
    memory = re.fullmatch(r"(\d+)([KMGT]?)B?", asked.get("mem", "").upper())
    if memory and job.memory_per_node and int(memory[1]) * MEMORY[memory[2] or "M"] > job.memory_per_node:
        what = f"srun asks for {asked['mem']} of memory, and the job has {job.memory_per_node / 1024:.0f} GiB a node."
        yield case.report("step-over-job", what, "Ask for as much in the directives.", command)


def _asked(command: Command) -> dict[str, str]:
    """srun's own options that have a value, by their long names."""
    found, words = {}, list(command.words[1:])
    while words and words[0].startswith("-"):
        option = words.pop(0)
        name, equals, value = option.removeprefix("--").partition("=")
        if not option.startswith("--"):
            name, value, equals = SHORT.get(option[1:2], ""), option[2:], option[2:]
        if not equals and words and not words[0].startswith("-") and len(words) > 1:
            value = words.pop(0)
        found[name] = value
    return found


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
