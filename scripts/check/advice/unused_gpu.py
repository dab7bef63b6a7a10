"""GPUs that are asked for and not used, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import SETUP, Case, program
from scripts.check.report import Report

GPU_TOOLS = {"nvidia-smi", "rocm-smi", "amd-smi", "nvtop"}


def advise(case: Case) -> Iterator[Report]:
    started = {program(command) for command in case.commands} - {""}
    if case.wants_gpu:
        at = case.gpu_option
        if started and started <= SETUP - {"source", "."}:
            what = f"a GPU is asked for, and nothing here can use it: {', '.join(sorted(started))}."
            yield case.report("gpu-unused", what, "Ask for none, or start the program that needs it.", at)
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
