"""Where single-node jobs go on a system: the engine's form answers, so that no rule of choice is written twice.

Times are in minutes, memory is in GiB, per node.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from scripts.engine.ask import ask
from scripts.engine.directives import last, read
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.facts.limits import strictest
from scripts.facts.source import source
from scripts.paths import FACTS, shown

GIB = 1024  # MiB
QUEUED = 100


@dataclass(frozen=True)
class Step:
    """Jobs of at most so many minutes go to this partition; None: a job names none. options: those of the script."""

    minutes: int
    queue: str | None
    options: dict[str, str]


@dataclass(frozen=True)
class Tier:
    """Where jobs with at most so much memory go, the shortest first."""

    gib: int
    steps: tuple[Step, ...]

    def like(self, other: Tier) -> bool:
        return [(s.minutes, s.queue) for s in self.steps] == [(s.minutes, s.queue) for s in other.steps]


@dataclass(frozen=True)
class Jobs:
    """cores: the most that every partition of the tiers accepts. gpu: the first of the system. whole: a job has, and
    is charged for, a full node, so it asks for no memory. others: further GPUs that anybody can ask for.
    """

    tiers: tuple[Tier, ...]
    cores: int
    gpu: str
    others: tuple[str, ...]
    gpu_steps: tuple[Step, ...]
    whole: bool

    @property
    def account(self) -> str | None:
        """The placeholder in the guide's scripts; None where jobs name no account."""
        return self.gpu_steps[-1].options.get("account")

    @property
    def minutes(self) -> int:
        return max(tier.steps[-1].minutes for tier in self.tiers)


def jobs(cluster: Cluster) -> Jobs:
    """Raises BadInput where the facts lack what a workflow needs."""
    keys = [key for key in cluster.gpus if ladder(cluster, gpu=key)]
    if not keys:
        raise lacks(cluster, "no partition has both a GPU and a time limit.", "Add `max_time:`.")
    gpus = keys[0], tuple(keys[1:]), tuple(ladder(cluster, gpu=keys[0]))
    if tiers := tuple(_tiers(cluster)):
        return Jobs(tiers, _cores(cluster, tiers), *gpus, whole=False)
    steps = tuple(ladder(cluster, gpu="none"))
    sizes = [int(node.memory.mib) // GIB for node in cluster.node_types.values() if node.memory and not node.gpus]
    if not (steps and sizes):
        what = "no partition has a time limit and nodes without GPUs whose memory is known."
        raise lacks(cluster, what, "Add `max_time:` and `memory:`.")
    return Jobs((Tier(min(sizes), steps),), int(steps[-1].options["cpus-per-task"]), *gpus, whole=True)


def lacks(cluster: Cluster, what: str, cure: str) -> BadInput:
    return BadInput(shown(FACTS / cluster.key / "cluster.yml"), None, what, cure)


def written(cluster: Cluster, wishes: list[dict]) -> list[dict[str, str] | None]:
    """The options of the script that the form writes for each wish, by their long names; None where it has none."""
    common = {"cluster": cluster.key, "program": "own-command"}
    asked = ["&".join(f"{name}={value}" for name, value in (common | wish).items()) for wish in wishes]
    return [
        {o.name: o.value or "" for o in last(read(found["script"].splitlines(), "slurm")).values()}
        if "script" in found
        else None
        for found in ask("write", [cluster], asked)
    ]


def ladder(cluster: Cluster, **wish: str | int) -> list[Step]:
    """The partitions of a job, by its time: the longest of each."""
    limits = {strictest(p, "minutes", "at_most") for p in cluster.partitions.values()} - {None}
    times, steps = sorted(limits), []
    for minutes, options in zip(times, written(cluster, [wish | {"time": f"{t}m"} for t in times]), strict=True):
        if options is None:
            continue
        if steps and steps[-1].queue == options.get("partition"):
            steps.pop()
        steps.append(Step(minutes, options.get("partition"), options))
    return steps


def _tiers(cluster: Cluster) -> list[Tier]:
    """One for each size of node; of those that send jobs to the same places, the largest."""
    sizes = {int(node.memory.mib) // GIB for node in cluster.node_types.values() if node.memory and not node.gpus}
    every = [Tier(gib, tuple(ladder(cluster, gpu="none", cores=1, memory=f"{gib}G"))) for gib in sorted(sizes)]
    found = [tier for tier in every if tier.steps]
    return [tier for tier, after in pairwise([*found, None]) if not after or not after.like(tier)]


def _cores(cluster: Cluster, tiers: tuple[Tier, ...]) -> int:
    cells = [{"memory": f"{tier.gib}G", "time": f"{step.minutes}m"} for tier in tiers for step in tier.steps]
    for cores in sorted({node.cores for node in cluster.node_types.values() if node.cores}, reverse=True):
        if all(written(cluster, [cell | {"gpu": "none", "cores": cores} for cell in cells])):
            return cores
    return 1


def share(cluster: Cluster, found: Jobs) -> tuple[int, int]:
    """Cores and GiB of the node that go with one GPU: as the script asks for them, else as the facts have them."""
    options, gpu = found.gpu_steps[-1].options, cluster.gpus[found.gpu]
    cores, memory, fair = options.get("cpus-per-task"), options.get("mem"), gpu.fair_share
    if not ((cores or fair) and (memory or fair and fair.memory)):
        raise lacks(cluster, f"gpus.{found.gpu} has no share of its node.", "Add `fair_share: {cores: …, memory: …}`.")
    return int(cores or fair.cores), int(memory.rstrip("G")) if memory else int(fair.memory.mib) // GIB


def queued(cluster: Cluster) -> tuple[int, str]:
    """How many jobs a tool may have in the queue, and why: no more than does the scheduler good."""
    if most := cluster.policy.max_queued_jobs:
        return min(most, QUEUED), f"at most {most}: {says(cluster, 'policy.max_queued_jobs')}"
    return QUEUED, "our choice, because no limit is known"


def partition_key(cluster: Cluster, queue: str | None) -> str | None:
    """Its key in the facts; of a job that names none, the default one's, where the facts say which that is."""
    named = [key for key, p in cluster.partitions.items() if queue in (key, p.name)]
    default = [key for key, p in cluster.partitions.items() if p.default]
    return named[0] if queue and named else default[0] if default and not queue else None


def says(cluster: Cluster, *paths: str) -> str:
    """Who says these facts and when that was read, with every doubt about them: the end of a comment, in one line."""
    doubts = dict.fromkeys(why for key, why in cluster.unconfirmed.items() if _about(key, paths))
    read_from = "; ".join(dict.fromkeys(source(cluster, path) for path in paths))
    return read_from + "".join(f"; unconfirmed: {why}" for why in doubts)


def _about(key: str, paths: tuple[str, ...]) -> bool:
    return any(f"{path}.".startswith(f"{key}.") or f"{key}.".startswith(f"{path}.") for path in paths)


def place(key: str, *more: str) -> list[str]:
    """The facts that make jobs go to a partition."""
    return [f"partitions.{key}.{field}" for field in ("max_time", "node_types", *more)]
