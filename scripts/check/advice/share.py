"""More cores or more memory than the GPUs' part of the node: others' GPUs stand idle, and you pay for the part."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report
from scripts.check.source import doubt
from scripts.facts import Rule

ROUNDING = 1.2  # sites publish GB and ask for GiB, and round; LUMI's own examples take 8 cores of a share of 7


def advise(case: Case) -> Iterator[Report]:
    job = case.job
    whole = job.exclusive or any(partition.exclusive for partition in case.partitions.values())
    shares = {key: gpu.fair_share for key, gpu in case.gpus.items()}
    if not case.wants_gpu or whole or not shares or None in shares.values() or _takes_every_gpu(case):
        return
    gpus = f"{job.gpus_total} GPU{'s' if job.gpus_total > 1 else ''}"
    unsure = [key for key in shares if doubt(case.cluster, f"gpus.{key}.fair_share.cores")]
    fact = f"gpus.{(unsure or list(shares))[0]}.fair_share"
    cores = max(share.cores for share in shares.values()) * job.gpus_total
    if case.cores > cores * ROUNDING and job.threads_per_core != 2:
        at = case.option("cpus-per-gpu", "cpus-per-task", "ntasks", "ntasks-per-node", "mincpus", "pe")
        what = f"{case.cores} cores are more than the share of {gpus}, {cores}."
        cure = "Others' GPUs would stand idle; ask for fewer."
        yield case.report("cores-over-share", what, cure, at, f"{fact}.cores", limit=f"{cores} cores")
    if case.rule(case.cluster.policy.memory) is Rule.LEAVE_OUT:
        return
    sizes = [share.memory.mib for share in shares.values() if share.memory]
    memory = case.memory
    if memory == 0:
        memory = min((node.memory.mib for node in case.nodes if node.memory), default=0) * (job.nodes or 1)
    if len(sizes) == len(shares) and memory and memory > max(sizes) * job.gpus_total * ROUNDING:
        at = case.option("mem-per-gpu", "mem-per-cpu", "mem")
        share = f"{max(sizes) * job.gpus_total / 1024:.0f} GiB"
        what = f"{memory / 1024:.0f} GiB of memory are more than the share of {gpus}, {share}."
        cure = "Others' GPUs would stand idle; ask for less."
        yield case.report("memory-over-share", what, cure, at, f"{fact}.memory", limit=share)


def _takes_every_gpu(case: Case) -> bool:
    """Then nobody's GPU is left to stand idle."""
    most = [max((node.gpus[key] for key in node.gpus if key in case.gpus), default=0) for node in case.nodes]
    return (case.job.gpus_per_node or 0) >= max(most, default=1)
