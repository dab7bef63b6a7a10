"""Marks such as @GPU_CORES@ in the files of a family, and what stands there for each system."""

import re
from pathlib import Path

from scripts.errors import BadInput, did_you_mean
from scripts.facts import Cluster
from scripts.facts.units import Memory
from scripts.paths import shown

MARK = re.compile(r"@([A-Z][A-Z_]*)@")


def fill(text: str, values: dict[str, str], file: Path, number: int) -> str:
    """One line with its marks replaced. Raises BadInput with the file and the line for a mark that has no value."""
    for name in MARK.findall(text):
        if name not in values:
            what = f"`@{name}@` has no value for {values['KEY']}."
            raise BadInput(shown(file), number, what, did_you_mean(name, sorted(values)))
    return MARK.sub(lambda mark: values[mark[1]], text)


def of_gpu(cluster: Cluster, key: str) -> dict[str, str]:
    """What a job asks for with one or two of these GPUs, and with all of a node's. Of a slice: with one."""
    gpu = cluster.gpus[key]
    prefix = "SLICE" if gpu.is_slice else "GPU"
    found = {prefix: key}
    if share := gpu.fair_share:
        found |= _asked(prefix, share.cores, share.memory)
        if not gpu.is_slice:
            found |= _asked("TWO_GPUS", share.cores, share.memory, 2)
    if node := next((node for node in cluster.node_types.values() if key in node.gpus), None):
        found |= {"NODE_GPUS": str(node.gpus[key])} | _asked("NODE", node.cores, node.memory)
    return found


def _asked(prefix: str, cores: int | None, memory: Memory | None, times: int = 1) -> dict[str, str]:
    found = {}
    if cores:
        found[f"{prefix}_CORES"] = str(times * cores)
    if memory:
        found[f"{prefix}_MEMORY"] = f"{int(times * memory.mib) // 1024}G"  # as the job script tool writes it
    return found
