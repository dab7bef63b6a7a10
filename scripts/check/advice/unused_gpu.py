"""GPUs that are asked for and not used, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import SETUP, Case, payload, program
from scripts.check.advice.commands import Command
from scripts.check.report import Report

# What moves, packs and counts files.
FILES = frozenset(
    "bzip2 cut diff du find grep gunzip gzip head md5sum rsync sed sha256sum sleep sort tail tar touch unzip wc xz "
    "zip".split()
)
NO_GPU = {"", "-1", "none", "NoDevFiles"}
GPU_TOOLS = {"nvidia-smi", "rocm-smi", "amd-smi", "nvtop"}


def advise(case: Case) -> Iterator[Report]:
    started = {program(command) for command in case.commands} - {""}
    if case.wants_gpu:
        at = case.gpu_option
        if started and started <= (SETUP | FILES) - {"source", "."}:
            what = f"a GPU is asked for, and nothing here can use it: {', '.join(sorted(started))}."
            yield case.report("gpu-unused", what, "Ask for none, or start the program that needs it.", at)
        yield from _kept_from_it(case)
        return
    if case.gpu_option or case.job.exclusive:  # a request that was refused; GPUs that come with the node
        return
    refused = any(partition.gpu_required or partition.min_gpus for partition in case.partitions.values())
    on_gpu_nodes = (
        case.partitions
        and not refused
        and all(
            case.cluster.node_types[key].gpus for partition in case.partitions.values() for key in partition.node_types
        )
    )
    if on_gpu_nodes:
        name = next(iter(case.partitions))
        at = case.option("partition", "q")
        what = f"{name} has GPU nodes, and no GPU is asked for."
        cure = "Ask for one, or take a partition without GPUs."
        yield case.report("gpu-not-asked", what, cure, at, f"partitions.{name}.node_types")
        return
    tool = next((command for command in case.certain if program(command) in GPU_TOOLS), None)
    if tool:
        what = f"{program(tool)} stands here, and no GPU is asked for."
        yield case.report("gpu-not-asked", what, "Ask for one.", tool)


def _kept_from_it(case: Case) -> Iterator[Report]:
    """A GPU that is asked for, and every program told not to use it."""
    values = [(each, part) for each in case.commands for part in _exported(each) if "VISIBLE_DEVICES=" in part]
    if len(values) == 1 and values[0][0].certain and values[0][1].partition("=")[2] in NO_GPU:
        what = f"`{values[0][1]}` hides every GPU, and the job asks for one."
        yield case.report("gpu-hidden", what, "Take the line out, or ask for no GPU.", values[0][0])
    runs = [command for command in case.commands if program(command) not in SETUP | FILES | GPU_TOOLS | {""}]
    told = [command for command in runs if _told_cpu(payload(command))]
    if runs and len(told) == len(runs):
        what = "a GPU is asked for, and this is told to use the CPU."
        yield case.report("gpu-told-cpu", what, "Ask for no GPU, or leave that out.", told[0])
    jax = [(each, part) for each in case.commands for part in _exported(each) if part.startswith("JAX_PLATFORM")]
    if len(jax) == 1 and jax[0][0].certain and jax[0][1].partition("=")[2] == "cpu":
        what = f"a GPU is asked for, and `{jax[0][1]}` keeps JAX from it."
        yield case.report("gpu-told-cpu", what, "Ask for no GPU, or take the line out.", jax[0][0])


def _exported(command: Command) -> tuple[str, ...]:
    """What is set for all that follows; Slurm exports the GPUs' variables, so that setting one is enough."""
    return command.words[1:] if command.name == "export" else () if command.words else command.sets


def _told_cpu(words: tuple[str, ...]) -> bool:
    pairs = {f"{first}={second}" for first, second in zip(words, words[1:], strict=False)}
    return bool(
        {*words, *pairs} & {"--device=cpu", "--accelerator=cpu", "--no-cuda", "--no_cuda", "--no-gpu", "--use-cpu"}
    )
