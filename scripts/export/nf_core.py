"""Nextflow's settings of a system, in the form of nf-core/configs: one file, with the source of each number.

Read for it: nf-core/configs at 6799ce1 (2026-08-18), README.md and conf/; docs.seqera.io/nextflow/executor/slurm.
"""

import re
from collections.abc import Iterable

from scripts.export.jobs import Jobs, Step, Tier, jobs, partition_key, place, queued, says, share
from scripts.facts import Cluster
from scripts.facts.unknown import NOT_KNOWN
from scripts.migration.line import request

GPU_OPTIONS = {"--nv", "--rocm"}


def files(cluster: Cluster) -> dict[str, str]:
    found = jobs(cluster)
    parts = [_head(cluster, found), _process(cluster, found), _containers(cluster)]
    return {f"{cluster.key}.config": "\n".join(line for part in parts for line in part).rstrip() + "\n"}


def _head(cluster: Cluster, found: Jobs) -> Iterable[str]:
    yield f"// Nextflow on {cluster.name}, in the format of nf-core/configs. `guide export` wrote it from dated facts."
    yield "params {"
    yield f"    config_profile_description = '{_plain(cluster.name)}, from the facts of the GPU Cluster Guide'"
    yield f"    config_profile_contact     = '{_plain(cluster.access.support or cluster.docs or NOT_KNOWN)}'"
    if cluster.docs:
        yield f"    config_profile_url         = '{_plain(cluster.docs)}'"
    yield "}\n"
    yield "executor {"
    if found.account:
        yield f"    account   = '{found.account}' // SET: your account"
    yield "    queueSize = {} // {}".format(*queued(cluster))
    yield "}\n"


def _process(cluster: Cluster, found: Jobs) -> Iterable[str]:
    yield "process {"
    yield "    executor = 'slurm'"
    if found.whole:
        yield "    // A job gets, and is charged for, a full node."
    tiers = found.tiers
    yield from _limits("    ", found.cores, tiers[-1].gib, found.minutes, says(cluster, *_paths(cluster)))
    yield from _queue(cluster, "    ", tiers)
    yield from _gpu(cluster, found)
    yield "}\n"


def _paths(cluster: Cluster) -> list[str]:
    """The facts of the nodes without GPUs: what limits a job's cores and memory."""
    nodes = [key for key, node in cluster.node_types.items() if not node.gpus]
    return [f"node_types.{key}.{field}" for key in nodes for field in ("cores", "memory")]


def _limits(indent: str, cores: int, gib: int, minutes: int, why: str) -> Iterable[str]:
    yield f"{indent}resourceLimits = [ // {why}"
    yield f"{indent}    cpus: {cores},"
    yield f"{indent}    memory: {gib}.GB,"
    yield f"{indent}    time: {_time(minutes)},"
    yield f"{indent}]"


def _queue(cluster: Cluster, indent: str, tiers: tuple[Tier, ...]) -> Iterable[str]:
    """By a job's memory and time; nothing where no job names a partition."""
    steps = [step for tier in tiers for step in tier.steps]
    if not any(step.queue for step in steps):
        return
    if len(steps) == 1:
        yield f"{indent}queue = {_name(steps[0])} // {_why(cluster, steps[0])}"
        return
    yield f"{indent}queue = {{"
    for tier in tiers[:-1]:
        yield f"{indent}    if (task.memory <= {tier.gib}.GB) {{"
        yield from _choice(cluster, f"{indent}        ", tier.steps)
        yield f"{indent}    }}"
    yield from _choice(cluster, f"{indent}    ", tiers[-1].steps)
    yield f"{indent}}}"


def _choice(cluster: Cluster, indent: str, steps: tuple[Step, ...]) -> Iterable[str]:
    """The partition by the job's time. A longer job goes to the last one, where Slurm says that it is too long."""
    for step in steps[:-1]:
        yield f"{indent}if (task.time <= {_time(step.minutes)}) {{ // {_why(cluster, step)}"
        yield f"{indent}    return {_name(step)}"
        yield f"{indent}}}"
    last = steps[-1]
    yield f"{indent}return {_name(last)} // up to {_time(last.minutes)}: {_why(cluster, last)}"


def _gpu(cluster: Cluster, found: Jobs) -> Iterable[str]:
    gpu, step = cluster.gpus[found.gpu], found.gpu_steps[-1]
    why = says(cluster, f"gpus.{found.gpu}")
    for key in found.others:
        other = cluster.gpus[key]
        about = f"{other.model}{' slice' if other.is_slice else ''}, {other.memory}"
        yield f"    // Another GPU: {request(other, 1)} ({about}; {says(cluster, f'gpus.{key}')})"
    if "mem" not in step.options:
        yield f"    // Memory comes with the GPU, but Nextflow requests it too. {says(cluster, 'policy.memory')}"
    yield f"    withLabel: 'process_gpu' {{ // one {gpu.model} with its share of the node"
    yield from _limits("        ", *share(cluster, found), step.minutes, why)
    yield from _queue(cluster, "        ", (Tier(0, found.gpu_steps),))
    yield f"        clusterOptions = '{request(gpu, 1)}' // {why}"
    if cluster.software.container_option in GPU_OPTIONS:
        why = says(cluster, "software.container_option")
        yield f"        containerOptions = '{cluster.software.container_option}' // {why}"
    yield "    }"


def _containers(cluster: Cluster) -> Iterable[str]:
    """SingularityCE and Apptainer have a scope each."""
    tool = cluster.software.containers
    if tool:
        yield f"{'apptainer' if 'pptainer' in tool else 'singularity'} {{ // {says(cluster, 'software.containers')}"
        yield "    enabled    = true"
        yield "    autoMounts = true"
        yield "}"


def _plain(text: str) -> str:
    return re.sub("[<>']", "", text)


def _name(step: Step) -> str:
    return f"'{step.queue}'" if step.queue else "null"


def _why(cluster: Cluster, step: Step) -> str:
    key = partition_key(cluster, step.queue)
    return says(cluster, *(place(key) if key else ["policy.partition"]))


def _time(minutes: int) -> str:
    return f"{minutes // 60}.h" if minutes % 60 == 0 else f"{minutes}.m"
