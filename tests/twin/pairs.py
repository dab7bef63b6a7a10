"""For every limit in a facts file: a job at the limit, and one a step past it, as options for sbatch, or for qsub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from scripts.facts import Cluster, Partition, Rule
from scripts.twin.slurm.conf import gres_type, number_of

Options = dict[str, str | int | None]  # None: an option without a value


@dataclass(frozen=True)
class Pair:
    """`reason` is part of what the scheduler, or the operator's policy, must say of `past`."""

    limit: str
    at: Options
    past: Options
    reason: str


# Slurm's own words.
NO_CONFIG = "Requested node configuration is not available"
NO_MEMORY = "Memory required by task is not available"
NODE_COUNT = "Node count specification invalid"


def base(cluster: Cluster, partition: str | None = None) -> Options:
    """What any job here must say."""
    options: Options = {"nodes": 1, "time": 20}
    if cluster.policy.sample_account:
        options["account"] = cluster.policy.sample_account
    if partition and cluster.policy.partition.rule is not Rule.LEAVE_OUT:
        options["partition"] = cluster.partitions[partition].name or partition
    return options


def takes_named_jobs(cluster: Cluster, p: Partition) -> bool:
    """May a job name it? Where the system alone chooses, none can be tried by itself."""
    return cluster.policy.partition.rule is not Rule.LEAVE_OUT


def gpu_of(cluster: Cluster, p: Partition) -> tuple[str, int] | None:
    """A GPU of this partition as sbatch names it, and how many one node has."""
    for name in p.node_types:
        for gpu, number in cluster.node_types[name].gpus.items():
            return gres_type(cluster.gpus[gpu].gres or ""), number
    return None


def steps(cluster: Cluster, p: Partition) -> tuple[int, int]:
    """The fewest GPUs that a job here can have, and how many more the next larger job has."""
    counts = next((cluster.gpus[gpu].counts for name in p.node_types for gpu in cluster.node_types[name].gpus), None)
    return (counts[0], counts[-1]) if counts else (1, 1)


def gpus(kind: str, number: int) -> str:
    return f"{kind}:{number}" if kind else str(number)


def job(cluster: Cluster, key: str, **changes: str | int) -> Options:
    """A job that this partition takes, with changes."""
    p = cluster.partitions[key]
    options = base(cluster, key) | {"nodes": p.min_nodes or 1}
    if p.min_time and p.min_time.minutes > 20:
        options["time"] = int(p.min_time.minutes)
    if p.max_time and p.max_time.minutes < 20:
        options["time"] = int(p.max_time.minutes)
    if p.min_cores:
        options["cpus-per-task"] = p.min_cores
    if (gpu := gpu_of(cluster, p)) and (
        p.min_gpus or p.gpu_required or p.name or cluster.policy.partition.rule is Rule.LEAVE_OUT
    ):
        options["gres"] = "gpu:" + gpus(gpu[0], p.min_gpus or steps(cluster, p)[0])
    return {name: value for name, value in (options | changes).items() if value != ""}


def partition_pairs(cluster: Cluster, key: str) -> Iterator[Pair]:
    yield from longest_time(cluster, key)
    if cluster.policy.partition.rule is not Rule.LEAVE_OUT:  # else a job names none, so no others can be asked for
        for pairs_of in (shortest_time, time_of_several_gpus, node_counts, gpu_counts, core_counts, most_memory):
            yield from pairs_of(cluster, key)


def longest_time(cluster: Cluster, key: str) -> Iterator[Pair]:
    """With routing, a longer job goes to the next band, so there only the longest is tried."""
    p = cluster.partitions[key]
    if not p.max_time or p.longer_jobs_in:
        return
    longest, gpu = int(p.max_time.minutes), bool(gpu_of(cluster, p))
    others = [q.max_time.minutes for q in cluster.partitions.values() if q.max_time and bool(gpu_of(cluster, q)) == gpu]
    if cluster.policy.partition.rule is not Rule.LEAVE_OUT or longest == max(others):
        at, past = (job(cluster, key, time=minutes) for minutes in (longest, longest + 1))
        yield Pair(f"{key}.max_time", at, past, "time limit")


def shortest_time(cluster: Cluster, key: str) -> Iterator[Pair]:
    if p := cluster.partitions[key].min_time:
        at, past = (job(cluster, key, time=minutes) for minutes in (int(p.minutes), int(p.minutes) - 1))
        yield Pair(f"{key}.min_time", at, past, "at least")


def time_of_several_gpus(cluster: Cluster, key: str) -> Iterator[Pair]:
    p = cluster.partitions[key]
    if p.max_time_several_gpus:
        kind, all_of_a_node = gpu_of(cluster, p)
        longest, several = int(p.max_time_several_gpus.minutes), f"gpu:{gpus(kind, all_of_a_node)}"
        at, past = (job(cluster, key, gres=several, time=minutes) for minutes in (longest, longest + 1))
        yield Pair(f"{key}.max_time_several_gpus", at, past, "several GPUs")


def node_counts(cluster: Cluster, key: str) -> Iterator[Pair]:
    p = cluster.partitions[key]
    gpu = gpu_of(cluster, p) if p.min_gpus or p.gpu_required or p.name else None
    each = steps(cluster, p)[1]
    always_too_many = gpu and p.max_gpus and p.max_gpus <= p.max_nodes * each if p.max_nodes else True
    there = sum(number_of(cluster.node_types[name]) for name in p.node_types)
    if not always_too_many and p.max_nodes <= there:  # each node needs a GPU, so `max_gpus` would come first
        numbers = (p.max_nodes, p.max_nodes + 1)
        wanted = [{"gres": "", "gpus": gpus(gpu[0], max(n, p.min_gpus or 1))} if gpu else {} for n in numbers]
        at, past = (job(cluster, key, nodes=n, **more) for n, more in zip(numbers, wanted, strict=True))
        yield Pair(f"{key}.max_nodes", at, past, "at most" if p.max_nodes_with_allocation else NODE_COUNT)
    if p.min_nodes and p.min_nodes > 1:
        yield Pair(f"{key}.min_nodes", job(cluster, key), job(cluster, key, nodes=f"1-{p.min_nodes - 1}"), NODE_COUNT)


def gpu_counts(cluster: Cluster, key: str) -> Iterator[Pair]:
    p = cluster.partitions[key]
    kind, per_node = gpu_of(cluster, p) or ("", 0)
    if not per_node:
        return
    if p.max_gpus:
        numbers = (p.max_gpus, p.max_gpus + steps(cluster, p)[1])
        at, past = (job(cluster, key, nodes=ceil(n / per_node), gres="", gpus=gpus(kind, n)) for n in numbers)
        reason = "Only one MIG" if p.max_gpus == cluster.policy.slices_per_job else "at most"
        yield Pair(f"{key}.max_gpus", at, past, reason)
    if p.min_gpus:
        fewer = f"gpu:{gpus(kind, p.min_gpus - 1)}" if p.min_gpus > 1 else ""
        yield Pair(f"{key}.min_gpus", job(cluster, key), job(cluster, key, gres=fewer), "at least")
    if p.max_gpus_per_node:
        numbers = (p.max_gpus_per_node, p.max_gpus_per_node + 1)
        at, past = (job(cluster, key, gres=f"gpu:{gpus(kind, n)}") for n in numbers)
        yield Pair(f"{key}.max_gpus_per_node", at, past, "At most")
    if p.gpu_required:
        yield Pair(f"{key}.gpu_required", job(cluster, key), job(cluster, key, gres=""), "GPU jobs only")


def core_counts(cluster: Cluster, key: str) -> Iterator[Pair]:
    p = cluster.partitions[key]
    if p.max_cores:
        nodes = (
            f"{p.min_nodes}-{p.max_nodes}" if p.min_nodes and p.max_nodes else ""
        )  # newer Slurm starts from one node
        anywhere: Options = {"nodes": nodes, "cpus-per-task": "", "mem-per-cpu": "100M"}  # else memory may come first
        at, past = (job(cluster, key, **anywhere, ntasks=n) for n in (p.max_cores, p.max_cores + 1))
        yield Pair(f"{key}.max_cores", at, past, "at most")
    if p.min_cores:
        fewer = {"cpus-per-task": 1} if p.min_nodes else {"nodes": 1, "cpus-per-task": p.min_cores - 1}
        yield Pair(f"{key}.min_cores", job(cluster, key), job(cluster, key, **fewer), "at least")


def most_memory(cluster: Cluster, key: str) -> Iterator[Pair]:
    p = cluster.partitions[key]
    sizes = [cluster.node_types[n].memory.mib for n in p.node_types if cluster.node_types[n].memory]
    if p.max_memory_per_node and p.max_memory_per_node.mib <= max(sizes, default=0):
        most = int(p.max_memory_per_node.mib)
        at, past = (job(cluster, key, mem=f"{mib}M") for mib in (most, most + 1))
        yield Pair(f"{key}.max_memory_per_node", at, past, NO_MEMORY)


def policy_pairs(cluster: Cluster) -> Iterator[Pair]:
    policy = cluster.policy
    key = next(
        (key for key, p in cluster.partitions.items() if gpu_of(cluster, p) and not p.max_cores_per_node),
        next(iter(cluster.partitions)),
    )
    kind, _ = gpu_of(cluster, cluster.partitions[key]) or ("", 0)
    fewest = cluster.partitions[key].min_gpus or steps(cluster, cluster.partitions[key])[0]
    good = job(cluster, key, gres="gpu:" + gpus(kind, fewest))
    for name, requirement in (("account", policy.account), ("time", policy.time), ("partition", policy.partition)):
        if requirement.rule is Rule.REQUIRED:
            yield Pair(
                f"policy.{name}",
                good,
                {option: value for option, value in good.items() if option != name},
                requirement.refusal or f"{name.replace('time', 'time limit')} is required",
            )
    if policy.gpu_model.rule is Rule.REQUIRED:
        yield Pair(
            "policy.gpu_model", good, good | {"gres": "gpu:1"}, policy.gpu_model.refusal or "GPU model is required"
        )
    slices = [gpu for gpu in cluster.gpus.values() if gpu.is_slice]
    if policy.slices_per_job and slices:
        name = gres_type(slices[0].gres or "")
        where = next(
            (
                k
                for k, p in cluster.partitions.items()
                if any(
                    g in cluster.gpus and cluster.gpus[g].is_slice
                    for n in p.node_types
                    for g in cluster.node_types[n].gpus
                )
            ),
            key,
        )
        one = job(cluster, where, gres=f"gpu:{name}:{policy.slices_per_job}")
        yield Pair(
            "policy.slices_per_job", one, one | {"gres": f"gpu:{name}:{policy.slices_per_job + 1}"}, "Only one MIG"
        )


def gpu_pairs(cluster: Cluster) -> Iterator[Pair]:
    """Each GPU's type in some partition that has it, and a type that does not exist."""
    for name, gpu in cluster.gpus.items():
        kind = gres_type(gpu.gres or "")
        for key, p in cluster.partitions.items():
            holders = [cluster.node_types[n] for n in p.node_types if name in cluster.node_types[n].gpus]
            if holders and kind:
                number = max([p.min_gpus or 1, *gpu.counts[:1]])
                at = job(cluster, key, gres=f"gpu:{kind}:{number}")
                yield Pair(f"gpus.{name}", at, at | {"gres": f"gpu:no{kind}:{number}"}, NO_CONFIG)
                break


def node_pairs(cluster: Cluster) -> Iterator[Pair]:
    """The most GPUs and the most memory of one node, where no partition's own limit comes first."""
    for key, p in cluster.partitions.items():
        if not takes_named_jobs(cluster, p) or p.min_nodes and p.min_nodes > 1:
            continue
        if (
            (gpu := gpu_of(cluster, p))
            and not p.gpu_jobs_in
            and not (p.max_gpus and p.max_gpus < gpu[1])
            and len({gpu_of(cluster, p)}) == 1
            and (p.min_gpus or 1) <= gpu[1]
        ):
            most = max(
                number
                for n in p.node_types
                for g, number in cluster.node_types[n].gpus.items()
                if gres_type(cluster.gpus[g].gres or "") == gpu[0]
            )
            if not p.max_gpus or most <= p.max_gpus:
                reason = (
                    "at most" if most == p.max_gpus else "At most" if most == p.max_gpus_per_node else NO_CONFIG
                )  # where a policy says the same
                yield Pair(
                    f"{key}: GPUs of a node",
                    job(cluster, key, gres=f"gpu:{gpus(gpu[0], most)}"),
                    job(cluster, key, gres=f"gpu:{gpus(gpu[0], most + steps(cluster, p)[1])}"),
                    reason,
                )
        sizes = [cluster.node_types[n].memory for n in p.node_types]
        limited = p.max_memory_per_node or any(
            cluster.gpus[g].max_memory for n in p.node_types for g in cluster.node_types[n].gpus
        )
        if all(sizes) and not limited and cluster.policy.memory.rule is not Rule.IGNORED:
            most = max(int(size.mib) for size in sizes)
            yield Pair(
                f"{key}: memory of a node",
                job(cluster, key, mem=f"{most}M"),
                job(cluster, key, mem=f"{most + 1}M"),
                NO_CONFIG,
            )


def pairs(cluster: Cluster) -> list[Pair]:
    found = [pair for key in cluster.partitions for pair in partition_pairs(cluster, key)]
    return found + [*policy_pairs(cluster), *gpu_pairs(cluster), *node_pairs(cluster)]
