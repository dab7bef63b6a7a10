"""Which limits on GPUs a job breaks, in words."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.asked import Job
from scripts.check.broken import CORES, GPUS, MEMORY, Broken, many, memory_words, of_account
from scripts.facts import Cluster, NodeType, Partition


def gpu_limits(
    cluster: Cluster, p: Partition, types: dict[str, NodeType], job: Job, at: str, name: str
) -> Iterator[Broken]:
    there = gpus_of_a_node(cluster, types)
    kinds = {gpu.type for gpu in job.gpus if gpu.type}
    if not job.gpus_total:
        if p.gpu_required or p.min_gpus:
            path = f"{at}.{'min_gpus' if p.min_gpus else 'gpu_required'}"
            says, limit = f"takes jobs with {many(p.min_gpus or 1, 'GPU')} or more", str(p.min_gpus or 1)
            yield Broken("no-gpu", ("partition",), says, limit, path, "Ask for a GPU")
    elif not there:
        yield Broken("gpu-elsewhere", GPUS, f"asks for a GPU; {name} has none", "0", f"{at}.node_types", "Leave it out")
    elif strange := sorted(kinds - there.keys()):
        firsts = {first[0] for gpu in cluster.gpus if (first := names(cluster, gpu))}
        known = ", ".join(sorted(firsts & there.keys()))
        says = f"asks for a GPU `{strange[0]}`; {name} has {known or 'one kind, which has no name'}"
        yield Broken("gpu-elsewhere", GPUS, says, known, f"{at}.node_types", "Name one of these")
    else:
        slices = {known for key, gpu in cluster.gpus.items() if gpu.is_slice for known in names(cluster, key)}
        allowed = cluster.policy.slices_per_job
        if allowed and (asked := sum(gpu.number for gpu in job.gpus if gpu.type in slices)) > allowed:
            says = f"asks for {many(asked, 'slice')} of a GPU; {cluster.name} allows {allowed} in a job"
            yield Broken("slices-over-job", GPUS, says, str(allowed), "policy.slices_per_job")
        most = max(number for known, number in there.items() if not kinds or known in kinds)
        yield from _of_each_gpu(cluster, job)
        yield from _gpu_numbers(cluster, p, job, at, name, most, f"node_types.{next(iter(types))}.gpus")


def gpus_of_a_node(cluster: Cluster, types: dict[str, NodeType]) -> dict[str, int]:
    """Every name of a GPU that is in one of these nodes, and the most of them in one."""
    most: dict[str, int] = {}
    for node in types.values():
        for gpu, number in node.gpus.items():
            most |= {known: max(most.get(known, 0), number) for known in names(cluster, gpu) or [""]}
    listed = {gpu for node in cluster.node_types.values() for gpu in node.gpus}
    for key, gpu in cluster.gpus.items():  # slices that no node type lists are cut from the whole GPU's
        if gpu.slice_of and key not in listed and any(known in most for known in names(cluster, gpu.slice_of)):
            most = {known: 7 for known in names(cluster, key)} | most
    return most


def _gpu_numbers(
    cluster: Cluster, p: Partition, job: Job, at: str, name: str, most: int, path: str
) -> Iterator[Broken]:
    total, on_node = job.gpus_total, job.gpus_per_node or 0
    field, allowed = of_account(cluster, p, job, "max_gpus")
    if allowed and total > allowed:
        says = f"asks for {many(total, 'GPU')}; {name} allows {allowed}"
        yield Broken("gpus-over-partition", (*GPUS, "nodes"), says, str(allowed), f"{at}.{field}")
    if p.min_gpus and total < p.min_gpus:
        says = f"asks for {many(total, 'GPU')}; {name} takes jobs of {p.min_gpus} or more"
        yield Broken("gpus-under-partition", GPUS, says, str(p.min_gpus), f"{at}.min_gpus", "Ask for more")
    if p.max_gpus_per_node and on_node > p.max_gpus_per_node:
        says = f"asks for {many(on_node, 'GPU')} on one node; {name} allows {p.max_gpus_per_node}"
        yield Broken("gpus-over-node", GPUS, says, str(p.max_gpus_per_node), f"{at}.max_gpus_per_node")
    elif on_node > most:
        says = f"asks for {many(on_node, 'GPU')} on one node; a node of {name} has {most}"
        yield Broken("gpus-over-node", (*GPUS, "nodes"), says, str(most), path)


def _of_each_gpu(cluster: Cluster, job: Job) -> Iterator[Broken]:
    """What an operator fixes for a kind of GPU: how many a job may have, and how many cores with each."""
    asked = {gpu.type for gpu in job.gpus}
    for key, gpu in cluster.gpus.items():
        if not asked & {*names(cluster, key), *([""] if len(cluster.gpus) == 1 else [])}:
            continue
        number, nodes, cores = job.gpus_total, job.nodes or 1, job.cores or 1
        if gpu.counts and (
            number not in gpu.counts and number % gpu.counts[-1] or nodes > 1 and number < nodes * gpu.counts[-1]
        ):
            says = f"asks for {many(number, 'GPU')} on {many(nodes, 'node')}; {cluster.name} gives {gpu.numbers}"
            options = (*GPUS, "nodes")
            yield Broken(
                "gpus-in-this-number", options, says, gpu.numbers, f"gpus.{key}.counts", "Ask for such a number"
            )
        if gpu.max_cores and cores > gpu.max_cores * number:
            says = f"asks for {many(cores, 'core')}; {cluster.name} allows {gpu.max_cores} with each `{key}`"
            yield Broken("cores-over-gpu", CORES, says, str(gpu.max_cores), f"gpus.{key}.max_cores")
        memory = max(
            (job.memory_per_gpu or 0) * number, (job.memory_per_node or 0) * nodes, (job.memory_per_cpu or 0) * cores
        )
        if gpu.max_memory and memory > gpu.max_memory.mib * number:
            says = f"asks for {memory_words(memory)}; {cluster.name} allows {gpu.max_memory} with each `{key}`"
            yield Broken("memory-over-gpu", MEMORY, says, str(gpu.max_memory), f"gpus.{key}.max_memory")


def with_these_gpus(cluster: Cluster, types: dict[str, NodeType], job: Job) -> dict[str, NodeType]:
    """The kinds of node that have what the job asks for by name; where it names no GPU, those that have any."""
    kinds = {gpu.type for gpu in job.gpus if gpu.type}
    found = {key: set(gpus_of_a_node(cluster, {key: node})) for key, node in types.items()}
    return {key: types[key] for key, there in found.items() if (kinds <= there if kinds else there or not job.gpus)}


def names(cluster: Cluster, gpu: str) -> list[str]:
    """What a job can call this GPU: the type in its GRES, Grid Engine's resource, and the synonyms of both."""
    known = cluster.gpus[gpu]
    return [_short(each) for each in (known.gres, *known.synonyms) if each]


def _short(gres: str) -> str:
    """`gpu:v100` -> `v100`; `gpu`, which has no other name -> ``; Grid Engine's resources are names themselves."""
    return gres.partition(":")[2] if gres.partition(":")[0] == "gpu" else gres
