"""How the engine moves jobs of the old system: the smallest of each partition, a whole node's, the largest."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scripts.engine.ask import ask
from scripts.facts.limits import strictest
from scripts.facts.model import Cluster, Gpu, Partition, Rule
from scripts.migration.line import Line, doubtful, request

AGAIN = re.compile(r"(On [^.`]+, also set `\S+`)\. On [^.`]+, also set (`\S+`)")
NO_PROGRAM = re.compile(
    r"A job array \((`.+?`)\) may not continue the work, because we see no program that resumes from a checkpoint\. "
    r"First (make .+?\.) Then submit the job"
)
_last: dict[str, tuple] = {}  # by the old system: it, the new one, and the answer


class Job(NamedTuple):
    """What a job asks for. gpus, cores, memory (GiB): on each node; 0: as the GPUs bring, or not said."""

    partition: str  # its key
    nodes: int
    gpu: Gpu | None
    gpus: int
    cores: int
    memory: int = 0


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    """A line for each job, but for those that go where a smaller one of the same partition goes."""
    seen: set[tuple] = set()
    for job, written, answer in _moved(old, new):
        words = new.scheduler.words
        after = [each for each in _directives(new, answer["script"]) if not each.startswith(words.account)]
        place = [each for each in after if each.startswith(words.partition)]
        request = job.gpu and job.gpu.request
        where, size = (_names(old) and job.partition, request, *place), (request, job.gpus > 1)
        if where in seen and (size in seen or not job.gpu):
            continue
        seen |= {where, size}
        reasons = [each["reason"] for each in answer["changes"]] if after else answer["impossible"]
        why = AGAIN.sub(r"\1 and \2", " ".join(dict.fromkeys(filter(None, reasons))))
        doubt = _unsure(new, place)
        name = f"`{place[0].removeprefix(new.scheduler.words.partition)}`" if place else new.name
        accepts = "accepts this job" if place else "has a partition that accepts this job"
        if doubt and after and not why.startswith(name):
            why = f"{name} {accepts}. {why}"  # the first sentence is what the doubt is about
        yield Line("job", "\n".join(written), "\n".join(after), why, not after, doubt)


def _unsure(new: Cluster, place: list[str]) -> bool:
    """Is the name of the partition in doubt, or a limit of it?"""
    keys = [k for k, each in new.partitions.items() if f"{new.scheduler.words.partition}{each.name or k}" in place]
    return "partitions" in new.unconfirmed or doubtful(new, *(f"partitions.{key}" for key in keys))


def lost(old: Cluster, new: Cluster) -> list[str]:
    """What the engine says that these jobs cannot have on the new system, each sentence once."""
    found: dict[str, list[str]] = {}  # the first sentence, and what follows it
    first_job: dict[str, Job] = {}  # of each sentence
    for job, _, answer in _moved(old, new):
        for each in answer["impossible"]:
            first_job.setdefault(each, job)
    for each, job in first_job.items():
        which = "The single-GPU job" if job.nodes * job.gpus == 1 else "A job"
        each = each.replace("but the job had", f"but {old.name} allowed")
        each = re.sub("The job had (.+?) and keeps it, but", rf"{which} in the table still requests \1, but", each)
        each = each.replace("The job had", "A job in the table had")
        each = each.replace("the job gets", f"the {job.nodes}-node `{job.partition}` job in the table gets")
        each = NO_PROGRAM.sub(r"To run longer, first \2 Then submit a job array (\1), or submit the job", each)
        each = each.replace(f"the account `{new.policy.sample_account}`", "your account")
        first, space, rest = each.partition(". ")
        found.setdefault(first + space, []).append(rest)
    said = (
        f"{old.name} is retired",
        f"{old.name}'s files are on {new.name}.",
        "If you have no access to",
        "Check that your account can",
    )  # on the page
    return [first + " ".join(rest) for first, rest in found.items() if not first.startswith(said)]


def _jobs(cluster: Cluster) -> Iterator[Job]:
    partitions = list(cluster.partitions.items())
    if not _names(cluster):  # the scheduler chooses by time: the longest jobs show what is lost
        partitions.sort(key=lambda item: -(item[1].max_time.minutes if item[1].max_time else 0))
    for key, partition in partitions:
        nodes = [cluster.node_types[name] for name in partition.node_types]
        most = partition.max_nodes or 1
        for name in dict.fromkeys(name for node in nodes for name in node.gpus):
            gpu, whole = cluster.gpus[name], max(node.gpus.get(name, 0) for node in nodes)
            whole = 1 if gpu.is_slice else min(whole, strictest(partition, "gpus_per_node", "at_most") or whole)
            yield from (Job(key, 1, gpu, number, 0) for number in sorted({*(gpu.counts or [1])[:1], whole}))
            total = strictest(partition, "gpus", "at_most") or most * whole
            total = min(total, partition.max_nodes * whole) if partition.max_nodes else total
            if total > whole:
                yield Job(key, total // whole, gpu, whole, 0)
        if plain := [node for node in nodes if not node.gpus and node.cores]:
            if not partition.exclusive:
                yield Job(key, 1, None, 0, 1)
            largest = max(plain, key=lambda node: (node.memory.mib if node.memory else 0, node.cores))
            memory = int(largest.memory.mib // 1024) if largest.memory and not partition.exclusive else 0
            yield from (Job(key, number, None, 0, largest.cores, memory) for number in sorted({1, most}))


def _moved(old: Cluster, new: Cluster) -> list[tuple[Job, list[str], dict]]:
    """Each job, its options, and what the engine answers; asked once, although two tables need it."""
    known = _last.get(old.key)
    if known is None or known[0] is not old or known[1] is not new:
        known = _last[old.key] = (old, new, _ask(old, new))
    return known[2]


def _ask(old: Cluster, new: Cluster) -> list[tuple[Job, list[str], dict]]:
    found = [(job, _options(old, job)) for job in _jobs(old)]
    account = [f"{old.scheduler.words.account}{new.policy.sample_account}"] if new.policy.sample_account else []
    texts = [_text(old, [*account, *options]) for _, options in found]
    answers = ask("move", (old, new), [[old.key, new.key, text] for text in texts])
    return [(job, options, answer) for (job, options), answer in zip(found, answers, strict=True)]


def _text(cluster: Cluster, options: list[str]) -> str:
    return "".join(f"{line}\n" for line in ("#!/bin/bash", *(f"{cluster.scheduler.words.prefix} {o}" for o in options)))


def _directives(cluster: Cluster, text: str) -> list[str]:
    prefix = f"{cluster.scheduler.words.prefix} "
    return [line.removeprefix(prefix) for line in text.splitlines() if line.startswith(prefix)]


def _names(cluster: Cluster) -> bool:
    """Do its jobs name a partition?"""
    return cluster.policy.partition.rule is not Rule.LEAVE_OUT


def _options(cluster: Cluster, job: Job) -> list[str]:
    partition = cluster.partitions[job.partition]
    name = [f"{cluster.scheduler.words.partition}{partition.name or job.partition}"] if _names(cluster) else []
    write = _of_grid_engine if cluster.scheduler.kind == "grid_engine" else _of_slurm
    return [*name, *write(partition, job)]


def _of_slurm(partition: Partition, job: Job) -> Iterator[str]:
    if job.nodes > 1:
        yield f"--nodes={job.nodes}"
    if job.gpu:
        yield from request(job.gpu, job.gpus).split()
    elif job.nodes > 1:
        yield f"--ntasks-per-node={job.cores}"
    share = job.gpu and job.gpu.fair_share
    if cores := share.cores * job.gpus if share else job.cores if job.nodes == 1 else 0:
        yield f"--cpus-per-task={cores}"
    memory = int(share.memory.mib) * job.gpus // 1024 if share and share.memory else job.memory
    if memory:
        yield f"--mem={memory}G"
    if partition.max_time:
        yield f"--time={partition.max_time}"


def _of_grid_engine(partition: Partition, job: Job) -> Iterator[str]:
    yield request(job.gpu, job.gpus) if job.gpu else f"-pe smp {job.cores}"
    if partition.max_time:
        yield f"-l h_rt={int(partition.max_time.minutes) // 60}:00:00"
