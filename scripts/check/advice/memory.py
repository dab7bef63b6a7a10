"""Memory where it should be left out, and GPU jobs that get almost none because they ask for none."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report
from scripts.check.source import doubt
from scripts.facts import Rule

OPTIONS = ("mem", "mem-per-cpu", "mem-per-gpu")
# Below both of these a GPU stands beside almost no memory: a tenth of its share, and what loading PyTorch takes.
TENTH = 0.1
LEAST = 4096  # MiB a GPU


def advise(case: Case) -> Iterator[Report]:
    policy = case.cluster.policy.memory
    if case.rule(policy) in (Rule.LEAVE_OUT, Rule.IGNORED):
        yield from _left_out(case)
    elif case.wants_gpu and case.memory is None and not case.option(*OPTIONS) and not case.job.exclusive:
        yield from _almost_none(case)


def _left_out(case: Case) -> Iterator[Report]:
    at = case.option(*OPTIONS)
    if case.cluster.scheduler.kind == "grid_engine" and case.job.memory_per_cpu is not None:
        at = case.resource("h_vmem")
    if not at:
        return
    policy = case.cluster.policy.memory
    jobs = "GPU jobs" if policy.gpu_jobs else "jobs"
    note = f": {policy.note.rstrip('.')}" if policy.note else ""
    if policy.rule is Rule.IGNORED:
        what, kind = f"{at.written} has no effect on {case.cluster.name}{note}.", "ignored"
    else:
        what, kind = f"{at.written}: on {case.cluster.name} {jobs} leave memory out{note}.", "unwise"
    yield case.report("memory-left-out", what, "Take it out.", at, "policy.memory", kind)


def _almost_none(case: Case) -> Iterator[Report]:
    found = _default(case)
    if case.cluster.policy.memory.rule is Rule.REQUIRED and not found:
        what = f"no memory is asked for: {case.cluster.policy.memory.note or 'the default is small'}."
        yield case.report("memory-almost-none", what, "Add --mem.", case.gpu_option, "policy.memory")
        return
    shares = [gpu.fair_share.memory for gpu in case.gpus.values() if gpu.fair_share and gpu.fair_share.memory]
    if not found or not shares:
        return
    default, fact = found
    share = min(share.mib for share in shares) * case.job.gpus_total
    if default < share * TENTH and default < LEAST * case.job.gpus_total:
        unsure = any(doubt(case.cluster, f"gpus.{key}.fair_share") for key in case.gpus)
        what = f"no memory is asked for, so the job gets {_size(default)}; the share of its GPUs is {_size(share)}."
        kind = "doubtful" if unsure else "unwise"
        yield case.report("memory-almost-none", what, "Add --mem.", case.gpu_option, fact, kind, limit=_size(default))


def _default(case: Case) -> tuple[float, str] | None:
    """MiB that the job gets if it asks for none, and the fact that says so."""
    job = case.job
    for name, partition in case.partitions.items():
        for field, times in (("node", job.nodes or 1), ("gpu", job.gpus_total), ("core", case.cores)):
            if size := getattr(partition, f"default_memory_per_{field}"):
                return size.mib * times, f"partitions.{name}.default_memory_per_{field}"
    if size := case.cluster.policy.default_memory_per_core:
        return size.mib * case.cores, "policy.default_memory_per_core"
    return None


def _size(mib: float) -> str:
    return f"{mib / 1024:.0f} GiB" if mib >= 1024 else f"{mib:.0f} MiB"
