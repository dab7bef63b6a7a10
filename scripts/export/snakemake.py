"""A Snakemake profile for snakemake-executor-plugin-slurm 2, and the file of limits from which it picks a partition.

Read for it: the plugin's partitions.py, submit_string.py and utils.py in version 2.8.0 (2026).
"""

from collections.abc import Iterable

from scripts.export.jobs import GIB, Jobs, jobs, ladder, partition_key, place, queued, says, share, written
from scripts.facts import Cluster
from scripts.facts.limits import strictest
from scripts.twin.slurm.conf import gres_type

LIMITS = "partitions.yaml"
RUNTIME = 60  # minutes of a rule that sets no runtime


def files(cluster: Cluster) -> dict[str, str]:
    found = jobs(cluster)
    keys = used(cluster, found)
    texts = {"config.yaml": _profile(cluster, found, bool(keys))}
    if keys:
        texts[LIMITS] = _partitions(cluster, keys)
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items()}


def used(cluster: Cluster, found: Jobs) -> list[str]:
    """The partitions to which the form sends jobs; none where the cluster chooses for every job.

    The plugin takes the tightest fit, so what is only for larger jobs must not compete for the smaller ones.
    """
    keys: list[str] = []
    cells = [(tier.gib, step) for tier in found.tiers for step in tier.steps]
    if not any(step.queue for _, step in [*cells, *((0, step) for step in found.gpu_steps)]):
        return keys
    for gib, step in cells:
        there = [limits(cluster, key) for key in keys]
        if any(p.get("max_mem_mb", 0) >= gib * GIB and p["max_runtime"] >= step.minutes for p in there):
            continue
        keys += filter(None, [partition_key(cluster, step.queue)])
    gpus = [step for key in (found.gpu, *found.others) for step in ladder(cluster, gpu=key)]
    return list(dict.fromkeys([*keys, *(key for step in gpus if (key := partition_key(cluster, step.queue)))]))


def _profile(cluster: Cluster, found: Jobs, named: bool) -> Iterable[str]:
    most, why = queued(cluster)
    yield f"# Snakemake on {cluster.name}, written by `guide export`. Start it with: snakemake --profile DIRECTORY"
    yield "executor: slurm"
    yield f"jobs: {most} # {why}"
    if named:
        yield f"slurm-partition-config: {LIMITS}"
    else:
        yield f"# The cluster chooses the partition: {says(cluster, 'policy.partition')}"
    if not found.account:
        yield f"slurm-no-account: true # {says(cluster, 'policy.account')}"
    yield "default-resources:"
    if found.account:
        yield f"  slurm_account: {found.account} # SET: your account"
    yield f"  runtime: {RUNTIME} # minutes. This is our choice, so set your own for each rule"
    if found.whole:
        yield f"  mem_mb: 0 # requests none, because a job pays for a full node ({says(cluster, 'policy.memory')})"
    else:
        (each,) = written(cluster, [{"gpu": "none", "cores": 1}])
        yield f"  mem_mb: {int(each['mem'].rstrip('G')) * GIB} # of one core, as in the guide's scripts"
    yield "set-resources:"
    yield "  my_gpu_rule: # SET: the name of your rule that needs a GPU. It gets one GPU with its share of the node"
    yield from (f"    {name}: {value}" for name, value in gpu_resources(cluster, found).items())
    yield f"    runtime: {RUNTIME} # at most {found.gpu_steps[-1].minutes}"


def gpu_resources(cluster: Cluster, found: Jobs) -> dict[str, str]:
    """The plugin's resources for one GPU. It has no `--gpus-per-node`, so `--gres`, which means the same, stands in."""
    gpu, options = cluster.gpus[found.gpu], found.gpu_steps[-1].options
    why = says(cluster, f"gpus.{found.gpu}")
    if "gpus" in options:
        asked = {"gpu": f"1 # {why}"}
        asked |= {"gpu_model": kind} if (kind := gres_type(gpu.gres)) else {}
    else:
        asked = {"gres": f'"{gpu.gres}:1" # {why}'}
    if "constraint" in options:
        asked["constraint"] = options["constraint"]
    cores, gib = share(cluster, found)
    says_memory, says_cores = "mem" in options, "cpus-per-task" in options
    return asked | {
        "cpus_per_task": f"{cores}" if says_cores else "-1 # requests none, because the cores come with the GPU",
        "mem_mb": f"{gib * GIB}" if says_memory else "0 # requests none, because the memory comes with the GPU",
    }


def _partitions(cluster: Cluster, keys: list[str]) -> Iterable[str]:
    yield f"# The partitions of {cluster.name} where single-node jobs go. Memory is in MiB, time in minutes."
    yield "partitions:"
    for key in keys:
        yield f"  {cluster.partitions[key].name or key}: # {says(cluster, *place(key, 'max_nodes'))}"
        yield from (f"    {name}: {value}" for name, value in limits(cluster, key).items())


def limits(cluster: Cluster, key: str) -> dict[str, int | str]:
    """The plugin's names of a partition's limits."""
    p = cluster.partitions[key]
    nodes = [cluster.node_types[name] for name in p.node_types]
    gpus = {gpu for node in nodes for gpu in node.gpus}
    types = sorted({kind for gpu in gpus if (kind := gres_type(cluster.gpus[gpu].gres))})

    def most(of_nodes: list, *quantities: str) -> int | None:
        known = [strictest(p, quantity, "at_most") for quantity in quantities]
        return min([*filter(None, known), *([max(of_nodes)] if of_nodes else [])], default=None)

    found = {
        "max_runtime": most([], "minutes"),
        "max_mem_mb": most([int(node.memory.mib) for node in nodes if node.memory], "memory_per_node"),
        "max_threads": most([node.cores for node in nodes if node.cores], "cores_per_node", "cores"),
        "max_nodes": most([], "nodes"),
        "max_gpu": most([sum(node.gpus.values()) for node in nodes], "gpus_per_node", "gpus") if gpus else None,
        "available_gpu_models": f"[{', '.join(types)}]" if types else None,
    }
    return {name: value for name, value in found.items() if value}
