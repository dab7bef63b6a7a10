"""Partitions that a job should not name here, and those that are not open to everybody."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report
from scripts.facts import Rule


def advise(case: Case) -> Iterator[Report]:
    at = case.option("partition", "q")
    if not at:
        return
    policy = case.cluster.policy.partition
    if case.rule(policy) is Rule.LEAVE_OUT:
        jobs = "a GPU job" if policy.gpu_jobs and case.wants_gpu else "a job"
        what = f"{at.written}: on {case.cluster.name} {jobs} names no partition."
        yield case.report("partition-left-out", what, "Take it out.", at, "policy.partition")
    for name, partition in case.partitions.items():
        if partition.access:
            what = f"{at.written}: {name} is not open to everybody: {partition.access.rstrip('.')}."
            fact = f"partitions.{name}.access"
            yield case.report("partition-access", what, "Make sure that you may use it.", at, fact, kind="not judged")
