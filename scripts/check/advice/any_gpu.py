"""Any GPU asked for where a partition has several kinds, and not all of them may do."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report
from scripts.facts import Rule

CHOOSES = ("constraint", "exclude", "nodelist")


def advise(case: Case) -> Iterator[Report]:
    job, policy = case.job, case.cluster.policy.gpu_model
    if not case.wants_gpu or any(gpu.type for gpu in job.gpus) or case.option(*CHOOSES):
        return
    models = list(dict.fromkeys(f"{gpu.model} {gpu.memory}" for gpu in case.gpus.values()))
    if policy.rule is Rule.OPTIONAL and policy.note and case.partitions and len(models) > 1:
        at = case.gpu_option
        what = f"{at.written if at else 'the request'} takes any of {', '.join(models)}: {policy.note.rstrip('.')}."
        cure = "Name the GPU, unless your program runs on each of them."
        yield case.report("gpu-any-model", what, cure, at, "policy.gpu_model", kind="doubtful")
