"""Words that this cluster takes, in place of an option that may be at fault, and for one that is missing."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from scripts.check.asked import Asked, Job
from scripts.check.broken import GPUS
from scripts.check.directives import Option
from scripts.check.draft import Addition, Draft
from scripts.check.gpu_limits import names
from scripts.check.limits import broken
from scripts.check.where import called, closest, partitions_of
from scripts.facts import Cluster, Partition, Rule

REQUIRED = ("account", "time", "partition")


def missing(cluster: Cluster, draft: Draft, first: Asked) -> tuple[Addition, ...]:
    """What the cluster requires and a component of the job does not say, in words that it takes.

    `first` is the scheduler's answer to the script as it is.
    """
    if draft.kind == "grid_engine":
        wanted = cluster.policy.time.rule is Rule.REQUIRED
        there = any("h_rt=" in (option.value or "") for option in draft.options)
        return (Addition(0, "time", "-l h_rt=0:1:0"),) if wanted and not there else ()
    found = []
    for component, options in enumerate(draft.components):
        said = {option.name for option in options}
        job = first.jobs[component] if component < len(first.jobs) else Job()
        key = closest(cluster, partitions_of(cluster, job), job) or closest(cluster, list(cluster.partitions), job)
        for name in REQUIRED:
            if getattr(cluster.policy, name).rule is Rule.REQUIRED and name not in said:
                values = {
                    "account": cluster.policy.sample_account,
                    "time": _time(cluster, key),
                    "partition": key and called(cluster, key),
                }
                found.append(Addition(component, name, f"--{name}={values[name]}"))
    return tuple(found)


def neutral(cluster: Cluster, draft: Draft, option: Option, job: Job) -> str | None:
    """The same option with a value that is taken, the nearest one where that is easy; None where it is best left out.

    A partition that there is stays, unless it takes no job without a GPU and this is one.
    """
    if draft.kind == "grid_engine":
        return "-l h_rt=0:1:0" if option.name == "l" and "h_rt=" in (option.value or "") else None
    key = _partition(cluster, draft, option, job)
    partition = cluster.partitions.get(key or "")
    if not option.known or partition is None:
        return None
    if option.name in GPUS:
        first = next(each for each in draft.components[draft.component(option)] if each.name in GPUS)
        value = _gpus(cluster, partition, option, job) if option == first else None  # two of them may be at odds
    else:
        value = {
            "account": cluster.policy.sample_account,
            "partition": called(cluster, key or "") if cluster.policy.partition.rule is not Rule.LEAVE_OUT else None,
            "time": _time(cluster, key),
            "nodes": max(min(job.nodes or 1, partition.max_nodes or 1), partition.min_nodes or 1),
            "ntasks": max(partition.min_nodes or 1, partition.min_cores or 1),
            "cpus-per-task": partition.min_cores or 1,
        }.get(option.name)
    return f"--{option.name}={value}" if value else None


def _time(cluster: Cluster, key: str | None) -> int:
    """Minutes that this partition takes."""
    least = cluster.partitions[key].min_time if key else None
    return int(least.minutes) if least else 1


def _partition(cluster: Cluster, draft: Draft, option: Option, job: Job) -> str | None:
    """Where the component's job goes, or would go with the name spelled aright. For the name itself: where it fits."""
    said = [each.value or "" for each in draft.components[draft.component(option)] if each.name == "partition"]
    wanted = job.partition or (said[-1] if said else None)
    known = partitions_of(cluster, replace(job, partition=wanted))
    kept = closest(cluster, known, job)
    if kept and not (option.name == "partition" and any(each.rule == "no-gpu" for each in broken(cluster, kept, job))):
        return kept
    close = difflib.get_close_matches(wanted, cluster.partitions, 1) if wanted and not known else []
    return next(iter(close), None) or closest(cluster, list(cluster.partitions), job)


def _gpus(cluster: Cluster, partition: Partition, option: Option, job: Job) -> str | None:
    """As many GPUs as were asked for, of a kind that is there, and no more than it has or allows."""
    types = [cluster.node_types[key] for key in partition.node_types]
    there = {gpu: number for node in types for gpu, number in node.gpus.items()}
    if not there:
        return None
    value = option.value or ""
    named = set(re.split(r"[:,=]", value))
    slices = [gpu for gpu, known in cluster.gpus.items() if known.slice_of in there]
    gpu = next((gpu for gpu in (*there, *slices) if named & {*names(cluster, gpu)} - {""}), next(iter(there)))
    most = [there.get(gpu, 1) * ((job.nodes or 1) if option.name == "gpus" else 1)]
    most += [number for number in (partition.max_gpus, partition.max_gpus_per_node) if number]
    most += [cluster.policy.slices_per_job] if cluster.gpus[gpu].is_slice and cluster.policy.slices_per_job else []
    digits = re.search(r"(\d+)$", value)
    number = max(min(int(digits[1]) if digits else 1, *most), partition.min_gpus or 1)
    if counts := cluster.gpus[gpu].counts:  # whole nodes are right on any number of them
        whole = number // counts[-1] * counts[-1] if option.name == "gpus" else counts[-1]
        number = number if (job.nodes or 1) == 1 and number in counts else max(whole, counts[-1])
    short = (names(cluster, gpu) or [""])[0]
    return ("gpu:" if option.name == "gres" else "") + (f"{short}:" if short else "") + str(number)
