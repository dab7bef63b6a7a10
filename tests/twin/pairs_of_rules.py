"""Pairs for what a cluster asks of accounts and memory, what a job gets that does not say, and where it then goes."""

from collections.abc import Iterator

from scripts.facts import Cluster, Partition, Rule
from tests.twin.pairs import (
    NO_CONFIG,
    NO_MEMORY,
    NODE_COUNT,
    Pair,
    base,
    gpu_of,
    gpus,
    job,
    least,
    names_partitions,
    step,
    steps,
)


def rule_pairs(cluster: Cluster) -> Iterator[Pair]:
    yield from requirements(cluster)
    yield from threads_of_a_core(cluster)
    yield from moved_by_quality(cluster)
    for key, p in cluster.partitions.items():
        for pairs_of in (allocation, ignored_memory, two_logins, default_partition):
            yield from pairs_of(cluster, key, p)
        if names_partitions(cluster):
            for pairs_of in (memory_of_cores, memory_of_gpus, memory_of_a_node):
                yield from pairs_of(cluster, key, p)


def requirements(cluster: Cluster) -> Iterator[Pair]:
    """What every job must say."""
    policy = cluster.policy
    key = next(
        (key for key, p in cluster.partitions.items() if gpu_of(cluster, p) and not p.max_cores_per_node),
        next(iter(cluster.partitions)),
    )
    kind, _ = gpu_of(cluster, cluster.partitions[key]) or ("", 0)
    fewest = least(cluster.partitions[key], "gpus") or steps(cluster, cluster.partitions[key])[0]
    good = job(cluster, key, gres="gpu:" + gpus(kind, fewest))
    for name, requirement in (("account", policy.account), ("time", policy.time), ("partition", policy.partition)):
        if requirement.rule is Rule.REQUIRED:
            lacking = {option: value for option, value in good.items() if option != name}
            reason = requirement.refusal or f"{name.replace('time', 'time limit')} is required"
            yield Pair(f"policy.{name}", good, lacking, reason)
    if policy.gpu_model.rule is Rule.REQUIRED:
        reason = policy.gpu_model.refusal or "GPU model is required"
        yield Pair("policy.gpu_model", good, good | {"gres": "gpu:1"}, reason)


def threads_of_a_core(cluster: Cluster) -> Iterator[Pair]:
    if cluster.policy.threads_per_core.rule is Rule.LEAVE_OUT:
        key, limit = next(iter(cluster.partitions)), "policy.threads_per_core"
        yield step(cluster, key, limit, "threads-per-core", (1, 2), "Use --hint=multithread")


def moved_by_quality(cluster: Cluster) -> Iterator[Pair]:
    """A quality of service that moves a job to another partition, whose limits then hold."""
    for name, qos in cluster.qos.items():
        for key, p in cluster.partitions.items():
            other = cluster.partitions.get(f"{key}{qos.partition_suffix}") if qos.partition_suffix else None
            if other and other.max_time and p.max_time and other.max_time.minutes != p.max_time.minutes:
                most = int(other.max_time.minutes)
                limit = f"qos.{name}.partition_suffix"
                yield step(cluster, key, limit, "time", (most, most + 1), "time limit", qos=name)
                return


def allocation(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """The beginning of an account decides: it has an allocation, or it has none."""
    if most := p.max_nodes_without_allocation:
        gpus = {"gres": f"gpu:{steps(cluster, p)[1]}"} if p.name else {}
        for beginning in cluster.policy.allocation_accounts:
            limit, both, reason = "policy.allocation_accounts", (f"{beginning}x", "def-x"), f"at most {most} nodes"
            yield step(cluster, key, limit, "account", both, reason, **gpus, nodes=most + 1)


def ignored_memory(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """However much is asked for, it is accepted; that the same job without time is refused shows that it was judged."""
    if cluster.policy.memory.rule is Rule.IGNORED:
        time = job(cluster, key)["time"]
        yield step(cluster, key, "policy.memory", "time", (time, 10**7), "time", mem="99999G")


def two_logins(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    if p.name:
        yield step(cluster, key, f"{key}.name", "partition", (p.name, key), "invalid partition specified")


def default_partition(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """Without a partition the limits are those of the default one."""
    if p.default and p.max_time:
        most = int(p.max_time.minutes)
        yield step(cluster, key, f"{key}.default", "time", (most, most + 1), "time limit", partition="")


def sizes(cluster: Cluster, p: Partition) -> tuple[int, int]:
    """Cores and MiB of the largest node; 0 where one is not published."""
    nodes = [cluster.node_types[name] for name in p.node_types]
    cores = max(node.cores for node in nodes) if all(node.cores for node in nodes) else 0
    memory = int(max(node.memory.mib for node in nodes)) if all(node.memory for node in nodes) else 0
    return cores, min(memory, int(p.max_memory_per_node.mib)) if p.max_memory_per_node else memory


def memory_of_cores(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """As many cores as their default memory lets fit on a node."""
    default = p.default_memory_per_core or cluster.policy.default_memory_per_core
    others = p.default_memory_per_gpu or p.default_memory_per_node
    if default and not others and cluster.policy.memory.rule is not Rule.IGNORED:
        cores, memory = sizes(cluster, p)
        fit = int(memory // default.mib)
        if memory and fit < min(cores, p.max_cores or cores, p.max_cores_per_node or cores):
            field = f"{key}.default_memory_per_core" if p.default_memory_per_core else "policy.default_memory_per_core"
            reason = NO_MEMORY if p.max_memory_per_node else NO_CONFIG
            yield step(cluster, key, field, "cpus-per-task", (fit, fit + 1), reason)


def memory_of_gpus(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """As many GPUs as their default memory lets fit on a node."""
    if p.default_memory_per_gpu and (gpu := gpu_of(cluster, p)):
        fit = int(sizes(cluster, p)[1] // p.default_memory_per_gpu.mib)
        if fit < gpu[1] and fit < (p.max_gpus or gpu[1]):
            numbers = (f"gpu:{gpus(gpu[0], fit)}", f"gpu:{gpus(gpu[0], fit + 1)}")
            yield step(cluster, key, f"{key}.default_memory_per_gpu", "gres", numbers, NO_CONFIG)


def memory_of_a_node(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """More than a node has, unless the job asks for less."""
    memory = sizes(cluster, p)[1]
    if p.default_memory_per_node and 0 < memory < p.default_memory_per_node.mib:
        yield step(cluster, key, f"{key}.default_memory_per_node", "mem", ("1G", ""), NO_CONFIG)


def route_pairs(cluster: Cluster) -> Iterator[Pair]:
    yield from chosen(cluster)
    yield from lists(cluster)
    for key, p in cluster.partitions.items():
        if names_partitions(cluster):
            yield from moved(cluster, key, p)


def chosen(cluster: Cluster) -> Iterator[Pair]:
    """Without a partition: the longest job that any of those takes that the system may choose."""
    routed = {key: p for key, p in cluster.partitions.items() if p.routed and p.max_time}
    for has_gpus in (True, False):
        times = {key: p.max_time.minutes for key, p in routed.items() if bool(gpu_of(cluster, p)) is has_gpus}
        if times:
            key = max(times, key=times.get)
            more = {"gpus": 1} if has_gpus else {}
            at, past = (base(cluster) | more | {"time": int(times[key]) + minutes} for minutes in (0, 1))
            yield Pair(f"{key}.routed", at, past, "Requested time limit is longer than")
    if name := cluster.policy.no_partition:
        key, named = next(iter(cluster.partitions)), (name, f"no{name}")
        yield step(cluster, key, "policy.no_partition", "partition", named, "Invalid partition name")


def moved(cluster: Cluster, key: str, p: Partition) -> Iterator[Pair]:
    """The limits are those of the partition that a job is moved to."""
    if p.gpu_jobs_in and (target := cluster.partitions[p.gpu_jobs_in]).max_gpus:
        kind, _ = gpu_of(cluster, target)
        numbers = (gpus(kind, target.max_gpus), gpus(kind, target.max_gpus + 1))
        yield step(cluster, key, f"{key}.gpu_jobs_in", "gpus", numbers, "at most")
    if p.longer_jobs_in:
        target, most = cluster.partitions[p.longer_jobs_in], int(p.max_time.minutes)
        longest = int(target.max_time.minutes)
        yield step(cluster, key, f"{key}.longer_jobs_in", "time", (longest, longest + 1), "time limit")
        if (p.max_nodes or 0) > (target.max_nodes or 0) > 0:
            times, nodes = (most, most + 1), p.max_nodes
            yield step(cluster, key, f"{key}: nodes if longer", "time", times, NODE_COUNT, nodes=nodes)


def lists(cluster: Cluster) -> Iterator[Pair]:
    """A job that names two partitions is taken if one of them takes it."""
    times = {
        key: int(p.max_time.minutes)
        for key, p in cluster.partitions.items()
        if p.max_time and names_partitions(cluster) and not (p.longer_jobs_in or p.gpu_jobs_in or p.name)
    }
    longest, shortest = max(times, key=times.get, default=""), min(times, key=times.get, default="")
    if longest != shortest:
        both, most = f"{shortest},{longest}", times[longest]
        yield step(cluster, longest, f"{both}: one of two", "time", (most, most + 1), "time limit", partition=both)
