"""The page that chooses a GPU: all GPUs and slices of running systems by memory, with rates, request and share."""

from dataclasses import dataclass

from scripts.errors import BadInput, did_you_mean
from scripts.facts.model import Cluster, Gpu, Rule
from scripts.markdown import table
from scripts.measure.limits import Device, Precision, load_limits
from scripts.measure.tables import UNKNOWN, missing
from scripts.tables.cluster import LIMITS, Clusters, link, mark_part, share_of

# GB from which a part of the table begins.
CLASSES = (0, 10, 16, 24, 40, 48, 64, 80, 96)


@dataclass(frozen=True)
class _Choice:
    """One GPU or slice of one system. device: that of the whole GPU; None where its form is not known."""

    cluster: Cluster
    key: str
    gpu: Gpu
    device: Device | None

    @property
    def gb(self) -> float:
        return self.gpu.memory.mib * 2**20 / 1e9

    def tflops(self, precision: Precision) -> float | str:
        """Dense; of a slice not known, since its part of the GPU is no round one."""
        if not self.device:
            return UNKNOWN
        rates = {} if self.gpu.is_slice else self.device.tflops
        return rates.get(precision) or missing(self.device, precision)

    @property
    def gb_per_s(self) -> float | str:
        """A slice has as much of the bandwidth as of the memory: MIG gives out whole memory slices."""
        if not self.device:
            return UNKNOWN
        part = self.gpu.memory.mib / self.device.memory.mib if self.gpu.is_slice else 1
        return self.device.hbm_gb_per_s * part


def choose(clusters: Clusters) -> str:
    """A heading and a table for each class of memory. Raises BadInput where `device:` names none of limits.yml."""
    found = [choice for cluster in clusters.values() if cluster.running for choice in _choices(cluster)]
    parts = []
    for least, below in zip(CLASSES, [*CLASSES[1:], float("inf")], strict=True):
        chosen = [choice for choice in found if least <= choice.gb < below]
        chosen.sort(
            key=lambda each: (each.gb, each.gb_per_s == UNKNOWN or -each.gb_per_s, each.cluster.name.casefold())
        )
        if chosen:
            parts.append(_part(least, below, chosen))
    return "\n".join(parts)


def _choices(cluster: Cluster) -> list[_Choice]:
    limits = load_limits()
    found = []
    for key, gpu in cluster.gpus.items():
        if not gpu.memory:
            continue
        name = (cluster.gpus[gpu.slice_of] if gpu.slice_of else gpu).device
        if name and name not in limits:
            at = f"snippets/{cluster.key}/cluster.yml"
            raise BadInput(
                at, None, f"gpus.{key}.device: limits.yml has no `{name}`.", did_you_mean(name, list(limits))
            )
        found.append(_Choice(cluster, key, gpu, limits[name] if name else None))
    return found


def _part(least: float, below: float, chosen: list[_Choice]) -> str:
    title = f"{least} GB and more" if least else f"Less than {below} GB"
    whole = [choice.gpu.model.partition(" ")[2] for choice in chosen if not choice.gpu.is_slice]
    models = ", ".join(dict.fromkeys(name.partition(" SXM")[0].partition(",")[0] for name in whole))
    head = f"{title}: {models} {{ #{title.lower().replace(' ', '-')} }}" if models else title
    heads = ("GPU and request option", "Cores and host memory per GPU", "Maximum time", "GB/s", "float32", "bfloat16")
    return f"## {head}\n\n<div markdown data-search-exclude>\n\n{table(heads, map(_row, chosen))}\n</div>\n"


def _row(choice: _Choice) -> tuple[str, ...]:
    cluster, key, gpu = choice.cluster, choice.key, choice.gpu
    what = mark_part(cluster, f"{gpu.model}{' slice' if gpu.is_slice else ''}, {gpu.size}", "gpus", key, "memory")
    request = mark_part(cluster, f"`{gpu.request}`", "gpus", key, "request")
    own = any(key in node.gpus for node in cluster.node_types.values())  # else its nodes are those of the whole GPU
    partition, longest = _longest(cluster, key if own else gpu.slice_of or key)
    rule = cluster.policy.partition.gpu_jobs or cluster.policy.partition.rule
    if partition and rule is not Rule.LEAVE_OUT:
        request = f"`--partition={partition}`<br>{request}"
    share = mark_part(cluster, share_of(cluster, gpu), "gpus", key, "fair_share")
    rates = (choice.gb_per_s, choice.tflops("float32"), choice.tflops("bfloat16"))
    return (
        f"{link(cluster, LIMITS)}: {what}<br>{request}",
        share,
        longest,
        *(rate if isinstance(rate, str) else f"{rate:,.4g}" if rate < 1000 else f"{rate:,.0f}" for rate in rates),
    )


def _longest(cluster: Cluster, key: str) -> tuple[str, str]:
    """Of all partitions with this GPU the one with the longest jobs, and how long they are."""
    there = {
        name: partition.max_time
        for name, partition in cluster.partitions.items()
        if partition.max_time and any(key in cluster.node_types[node].gpus for node in partition.node_types)
    }
    if not there:
        return "", "not published"
    name = max(there, key=lambda name: there[name].minutes)
    said = mark_part(cluster, there[name].words, "partitions", name, "max_time")
    return cluster.partitions[name].name or name, said


TABLES = {"choose-a-gpu.md": choose}
