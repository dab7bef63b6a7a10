"""GPUs: which takes the place of which, how many are needed to have the same memory, and their cores and memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from scripts.facts.model import Cluster, Gpu, Rule
from scripts.facts.units import Memory
from scripts.migration.line import Line, doubtful, options


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    for key, gpu in old.gpus.items():
        for number in _numbers(old, key):
            yield from _requests(old, new, key, number)
        if gpu.compute_capability and (place := successor(old, new, key)):
            yield from _build(gpu, new.gpus[place])
    if old.policy.gpu_model.rule is not Rule.REQUIRED and new.policy.gpu_model.rule is Rule.REQUIRED:
        yield from _name_it(old, new)


def successor(old: Cluster, new: Cluster, key: str, number: int = 1) -> str | None:
    """The key of the new system's GPU that takes the place of so many of this one; None if none of this maker does.

    One that jobs may hold longest, then the smallest with as much memory; the largest, where none has. A slice takes
    the place of one GPU only.
    """
    gpu = old.gpus[key]
    found = {
        name: other
        for name, other in new.gpus.items()
        if other.model.split()[0] == gpu.model.split()[0] and (number == 1 or not other.is_slice)
    }
    if not found:
        return None
    longest = max(_longest(new, name) for name in found)
    found = {name: other for name, other in found.items() if _longest(new, name) == longest}
    enough = [name for name, other in found.items() if other.memory.mib >= gpu.memory.mib]
    if enough:
        return min(enough, key=lambda name: found[name].memory.mib)
    return max(found, key=lambda name: found[name].memory.mib)


def needed(gpu: Gpu, number: int, place: Gpu) -> int:
    """How many of the new kind have as much memory together as so many of the old."""
    count = math.ceil(number * gpu.memory.mib / place.memory.mib)
    if not place.counts or count in place.counts:
        return count
    return next((n for n in place.counts if n >= count), math.ceil(count / place.counts[-1]) * place.counts[-1])


def ask(gpu: Gpu, number: int | str) -> str:
    """The option that asks for so many; what else the request has stays: `--gres=gpu:a100:2 --constraint=a100_80gb`."""
    return re.sub(r"(?<=[:=])\d+(?=\s|$)", str(number), gpu.request, count=1)


def times(memory: Memory, number: int) -> str:
    """`4 × 32 GB, 128 GB`; of one, its memory."""
    size, unit = memory.split()
    return f"{number} × {memory}, {number * float(size):g} {unit}" if number > 1 else memory


def _many(gpu: Gpu, number: int) -> str:
    """`One NVIDIA T4 with 16 GB`, `4 NVIDIA T4 with 16 GB`."""
    what = f"{gpu.model} {'slice ' if gpu.is_slice else ''}with {gpu.memory}"
    return f"{'One' if number == 1 else number} {what}"


def _longest(cluster: Cluster, key: str) -> float:
    """Minutes of the longest job that can have this GPU; 0 where no time is published."""
    whole = cluster.gpus[key].slice_of or key
    return max(
        (
            partition.max_time.minutes
            for partition in cluster.partitions.values()
            if partition.max_time
            and any({whole, key} & cluster.node_types[n].gpus.keys() for n in partition.node_types)
        ),
        default=0,
    )


def _partition(cluster: Cluster, key: str) -> str:
    """The first that has this GPU."""
    return next(
        partition.name or name
        for name, partition in cluster.partitions.items()
        if any(key in cluster.node_types[node].gpus for node in partition.node_types)
    )


def _per_node(cluster: Cluster, key: str) -> int:
    return max((node.gpus.get(key, 0) for node in cluster.node_types.values()), default=0)


def _numbers(cluster: Cluster, key: str) -> list[int]:
    """One, and a whole node's; of a slice one."""
    gpu = cluster.gpus[key]
    if gpu.is_slice:
        return [1]
    return gpu.counts or sorted({1, _per_node(cluster, key) or 1})


def _requests(old: Cluster, new: Cluster, key: str, number: int) -> Iterator[Line]:
    gpu, place = old.gpus[key], successor(old, new, key, number)
    before = ask(gpu, number)
    if place is None:
        yield Line("GPU", before, "", f"{new.name} has no GPU of this maker.", lost=True)
        return
    other = new.gpus[place]
    count = needed(gpu, number, other)
    unsure = doubtful(new, *(f"gpus.{place}.{field}" for field in ("memory", "request"))) or doubtful(
        old, f"gpus.{key}.memory"
    )
    why = f"{other.model}, {times(other.memory, count)}; it was {gpu.model}, {times(gpu.memory, number)}."
    most = _per_node(new, other.slice_of or place) or number
    if count < number:
        why += f" That is memory enough. A program that starts {number} processes, one a GPU, still takes {number}"
        why += "." if number <= most else f", and a node has {most}: take several nodes."
    if count > most:
        why += f" A node has {most}: take several nodes."
    if other.is_slice and other.slice_of:
        why += f" A slice; `{ask(new.gpus[other.slice_of], 1)}` is the whole GPU."
    gone = gpu.is_slice and not other.is_slice
    if gone:
        why += f" {new.name} has no slice for it: you get a whole GPU, and pay for it."
    if old.scheduler.kind != new.scheduler.kind and new.policy.partition.rule is not Rule.LEAVE_OUT:
        why += f" Name the partition too: `--partition={_partition(new, other.slice_of or place)}`."
    yield Line("GPU", before, ask(other, count), why, gone, unsure)
    if number == _numbers(old, key)[0]:
        yield from _share(old, new, key, place, number, count)


def _share(old: Cluster, new: Cluster, key: str, place: str, number: int, count: int) -> Iterator[Line]:
    """Cores and memory: of the old script that asks for this GPU, else its share."""
    gpu, other = old.gpus[key], new.gpus[place]
    given = options(old)
    of_script = any(option.written.endswith(ask(gpu, number).split()[-1]) for option in given.values())
    cores, memory = _cores(gpu, number), _memory(gpu, number)
    if of_script:
        cores = given["cpus-per-task"].written if "cpus-per-task" in given else ""
        memory = given["mem"].written if "mem" in given else "--mem="
    if old.scheduler.kind == "grid_engine":
        cores = memory = ask(gpu, number)
    what = f"{_many(other, count)} in place of {_many(gpu, number).replace('One', 'one')}"
    if other.fair_share:
        unsure = doubtful(new, f"gpus.{place}.fair_share.cores")
        why = f"{what}: {other.fair_share.cores * count} cores."
        yield Line("cores", cores, _cores(other, count), why, doubtful=unsure)
    yield _memory_line(new, place, memory, count, what)


def _memory_line(new: Cluster, place: str, before: str, count: int, what: str) -> Line:
    gpu = new.gpus[place]
    share = gpu.fair_share and gpu.fair_share.memory
    unsure = doubtful(new, f"gpus.{place}.fair_share.memory")
    rule = new.policy.memory.gpu_jobs or new.policy.memory.rule
    if rule in (Rule.LEAVE_OUT, Rule.IGNORED):
        brings = f"{what}: the GPU brings its memory of the node{f', {times(share, count)}' if share else ''}."
        return Line("memory", before, "", brings, doubtful=unsure)
    if not share:
        return Line("memory", before, "--mem=", f"{what}: no share is published, ask for what you need.")
    return Line("memory", before, _memory(gpu, count), f"{what}: {times(share, count)}.", doubtful=unsure)


def _cores(gpu: Gpu, number: int) -> str:
    return f"--cpus-per-task={gpu.fair_share.cores * number}" if gpu.fair_share else ""


def _memory(gpu: Gpu, number: int) -> str:
    """The share in whole GiB, as `--mem` takes it."""
    share = gpu.fair_share and gpu.fair_share.memory
    return f"--mem={math.floor(share.mib * number / 1024)}G" if share else ""


def _build(gpu: Gpu, other: Gpu) -> Iterator[Line]:
    before, after = (f"-arch=sm_{each.compute_capability.replace('.', '')}" for each in (gpu, other))
    if before != after:
        needs = f" It needs CUDA {other.oldest_cuda} or newer." if other.oldest_cuda else ""
        yield Line("build", before, after, f"Programs that you compiled for {gpu.model}: compile them anew.{needs}")


def _name_it(old: Cluster, new: Cluster) -> Iterator[Line]:
    """A request that names no model is refused now."""
    first = next(iter(old.gpus.values()))
    bare = re.sub(r"=(gpu)?:?[\w.]+:\d+$", lambda found: f"={'gpu:' if found[1] else ''}1", first.request)
    if bare == first.request:
        return
    key = next(iter(new.gpus))
    policy = new.policy.gpu_model
    refused = f" Else: `{policy.refusal}`." if policy.refusal else ""
    yield Line(
        "GPU", bare, new.gpus[key].request, f"Name the model.{refused}", doubtful=doubtful(new, "policy.gpu_model")
    )
