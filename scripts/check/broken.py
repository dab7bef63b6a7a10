"""A limit of the facts that a job breaks, and the words that all of them share."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.check.asked import Job
from scripts.facts import Cluster, Partition

GPUS = ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket")
TASKS = ("ntasks", "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-socket")
CORES = ("cpus-per-task", "cpus-per-gpu", "mincpus", *TASKS)
MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")


@dataclass(frozen=True)
class Broken:
    """A limit that a job breaks.

    rule: see Report. options: the options that can be at fault. says: what is wrong, behind the option as its subject.
    limit: what is allowed. path: the fact. cure: what to do, beside going elsewhere.
    """

    rule: str
    options: tuple[str, ...]
    says: str
    limit: str
    path: str
    cure: str = "Ask for less"


def of_account(cluster: Cluster, p: Partition, job: Job, field: str) -> tuple[str, int | None]:
    """A limit of a partition, and the field where it stands: an allocation may have one of its own."""
    own = f"{field}_with_allocation"
    allocated = any((job.account or "").startswith(beginning) for beginning in cluster.policy.allocation_accounts)
    field = own if allocated and getattr(p, own) else field
    return field, getattr(p, field)


def many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def memory_words(mib: float) -> str:
    return f"{mib / 1024:g} GiB" if mib >= 1024 and mib % 1024 == 0 else f"{mib:g} MiB"
