"""A job at a limit and one a step past it, as options for sbatch or for qsub; and what such jobs are made of."""

from dataclasses import dataclass

from scripts.facts import Cluster, Partition, Rule
from scripts.facts.limits import strictest
from scripts.twin.slurm.conf import gres_type

Options = dict[str, str | int | None]  # None: an option without a value


@dataclass(frozen=True)
class Pair:
    """`reason` is part of what the scheduler, or the operator's policy, must say of `past`."""

    limit: str
    at: Options
    past: Options
    reason: str


def lines(cluster: Cluster, options: Options) -> dict[str, str]:
    """The directive of each option."""
    if cluster.scheduler.kind == "slurm":
        return {name: f"#SBATCH --{name}" + ("" if it is None else f"={it}") for name, it in options.items()}
    return {name: f"#$ -pe smp {it}" if name == "pe smp" else f"#$ -l {name}={it}" for name, it in options.items()}


def script(cluster: Cluster, options: Options) -> str:
    """A job that is these options alone: the first of them on line 2."""
    return "\n".join(["#!/bin/bash", *lines(cluster, options).values(), "true", ""])


# Slurm's own words.
TIME = "Requested time limit is"
NO_CONFIG = "Requested node configuration is not available"
NO_MEMORY = "Memory required by task is not available"
NODE_COUNT = "Node count specification invalid"


def base(cluster: Cluster, partition: str | None = None) -> Options:
    """What any job here must say."""
    options: Options = {"nodes": 1, "time": 20}
    if cluster.policy.sample_account:
        options["account"] = cluster.policy.sample_account
    if partition and names_partitions(cluster):
        options["partition"] = cluster.partitions[partition].name or partition
    return options


def names_partitions(cluster: Cluster) -> bool:
    """May a job name a partition? Where the system alone chooses, none can be tried by itself."""
    return cluster.policy.partition.rule is not Rule.LEAVE_OUT


def gpu_of(cluster: Cluster, p: Partition) -> tuple[str, int] | None:
    """A GPU of this partition as sbatch names it, and how many one node has."""
    for name in p.node_types:
        for gpu, number in cluster.node_types[name].gpus.items():
            return gres_type(cluster.gpus[gpu].gres), number
    return None


def steps(cluster: Cluster, p: Partition) -> tuple[int, int]:
    """The fewest GPUs that a job here can have, and how many more the next larger job has."""
    counts = next((cluster.gpus[gpu].counts for name in p.node_types for gpu in cluster.node_types[name].gpus), None)
    return (counts[0], counts[-1]) if counts else (1, 1)


def gpus(kind: str, number: int) -> str:
    return f"{kind}:{number}" if kind else str(number)


def least(p: Partition, quantity: str) -> int | None:
    return strictest(p, quantity, "at_least")


def little(p: Partition) -> str:
    """As little memory on a node as a job here can ask for, so that no limit of memory comes first."""
    return f"{least(p, 'memory_per_node') or 100}M"


def job(cluster: Cluster, key: str, **changes: str | int | None) -> Options:
    """A job that this partition takes, with changes; "" takes an option out."""
    p = cluster.partitions[key]
    options = base(cluster, key) | {"nodes": least(p, "nodes") or 1}
    longest = strictest(p, "minutes", "at_most") or options["time"]
    options["time"] = max(least(p, "minutes") or 1, min(options["time"], longest))
    if cores := least(p, "cores"):
        options["cpus-per-task"] = cores
    if memory := least(p, "memory_per_node"):
        options["mem"] = f"{memory}M"
    fewest = max(least(p, "gpus") or 0, least(p, "gpus_per_node") or 0)
    if (gpu := gpu_of(cluster, p)) and (fewest or p.name or not names_partitions(cluster)):
        options["gres"] = "gpu:" + gpus(gpu[0], max(fewest, steps(cluster, p)[0]))
    return {name: value for name, value in (options | changes).items() if value != ""}


def step(
    cluster: Cluster, key: str, limit: str, option: str, numbers: tuple[int | str, int | str], reason: str, **more
) -> Pair:
    """A job here that asks for the first number of one thing, and one that asks for the second."""
    at, past = (job(cluster, key, **more | {option: number}) for number in numbers)
    return Pair(limit, at, past, reason)
