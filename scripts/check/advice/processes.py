"""Launchers of training programs: as many processes as GPUs, as many nodes as the job has, started once a node."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case, payload
from scripts.check.report import Report


def advise(case: Case) -> Iterator[Report]:
    job = case.job
    nodes = job.nodes or 1
    found = [(command, *_launcher(payload(command))) for command in case.commands]
    found = [each for each in found if each[1]]
    for command, name, said in found:
        if not command.certain or job.nodes != job.max_nodes or "cpu" in said:
            continue
        wanted = _number(said.get("nnodes") or said.get("num_machines"))
        if wanted > nodes and not job.array:  # jobs of an array may wait for each other
            what = f"{name} waits for {wanted} nodes, and the job has {nodes}."
            yield case.report("launcher-over-nodes", what, "Ask for as many in the directives.", command)
        here = {"accelerate": job.gpus_total}.get(name, job.gpus_per_node or 0)
        count = _number(said.get("nproc_per_node") or said.get("num_gpus") or said.get("num_processes"))
        if not here or not count:
            continue
        if count > here:
            what = f"{name} starts {count} processes, and the job has {here} GPU{'s' * (here > 1)} for them."
            yield case.report("processes-over-gpus", what, "Start one for each GPU.", command)
        elif count < here and len(found) == 1 and not said.keys() & {"include", "gpu_ids"}:
            what = f"{name} starts {count} process{'es' * (count > 1)}, and the job has {here} GPUs for them."
            yield case.report("processes-under-gpus", what, "Start one for each GPU, or ask for fewer.", command)
        tasks = job.tasks_per_node or (job.tasks or 1) // nodes
        own = re.search(r"\s(-n|--ntasks|--ntasks-per-node|-N|--nodes)\b", " ".join(command.words))
        if command.name == "srun" and count > 1 and tasks > 1 and not own:
            what = f"srun starts {name} {tasks} times a node, and each starts {count} processes."
            yield case.report("launcher-each-task", what, "Ask for one task a node: --ntasks-per-node=1.", command)


def _launcher(words: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Its name, and its own options with their values, with underscores; an empty name for any other program."""
    name = words[0].rsplit("/", 1)[-1] if words else ""
    rest = list(words[1:])
    if re.fullmatch(r"python[0-9.]*", name) and rest[:1] == ["-m"]:
        name, rest = (
            {"torch.distributed.run": "torchrun", "torch.distributed.launch": "torchrun"}.get(rest[1], ""),
            rest[2:],
        )
    if name == "accelerate":
        name, rest = (name, rest[1:]) if rest[:1] == ["launch"] else ("", [])
    if name not in ("torchrun", "accelerate", "deepspeed"):
        return "", {}
    said: dict[str, str] = {}
    while rest and not rest[0].endswith(".py"):
        option, _, value = rest.pop(0).partition("=")
        if option.startswith("--"):
            if not value and rest and re.fullmatch(r"\d+", rest[0]):
                value = rest.pop(0)
            said[option[2:].replace("-", "_")] = value
    return name, said


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
