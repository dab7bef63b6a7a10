"""The lines of a cluster's `one_gpu.sh`, each with a sentence: what it asks for there, and what to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from scripts.engine.directives import read
from scripts.errors import BadInput
from scripts.facts.model import Cluster, Gpu
from scripts.families.shared import script
from scripts.markdown import table
from scripts.tables.cluster import Clusters, mark_part, plural

SCRIPT = "one_gpu.sh"
Words = Callable[[Cluster, str], str]


def one_gpu(cluster: Cluster, clusters: Clusters) -> str:
    """A table: the lines as they stand in the script, and the sentence. Raises BadInput for a line without one."""
    lines = script(cluster.key, SCRIPT).read_text(encoding="utf-8").splitlines()
    rows = table(("Line", "What it says, and what to change"), _explained(cluster, lines))
    return f"<div markdown data-search-exclude>\n\n{rows}\n</div>\n"


def _explained(cluster: Cluster, lines: list[str]) -> Iterator[tuple[str, str]]:
    last, told = 0, set()
    for option in read(lines, cluster.scheduler.kind):
        last = option.line
        if option.name not in OPTIONS:
            raise BadInput(
                f"snippets/{cluster.key}/{SCRIPT}",
                option.line,
                f"`{option.written}` has no sentence for readers.",
                "Write one in scripts/tables/explained.py.",
            )
        if said := OPTIONS[option.name](cluster, option.value or ""):
            yield f"`{option.written}`", said
    for line in lines[last:]:
        for pattern, said in COMMANDS:
            if (found := pattern.search(line)) and said not in told:
                told.add(said)
                yield f"`{found[0].strip()}`", said.replace("{page}", f"/clusters/{cluster.key}.md")


def _gpu(cluster: Cluster, name: str) -> tuple[str, Gpu]:
    """The GPU that a request names, or the first where it names none."""
    for key, gpu in cluster.gpus.items():
        kind = (gpu.gres or "").partition(":")[2]
        if kind and kind == name:
            return key, gpu
    return next(iter(cluster.gpus.items()))


def _asked(cluster: Cluster, value: str) -> str:
    key, gpu = _gpu(cluster, re.sub(r"^gpu:?|:?\d+$", "", value))
    what = mark_part(cluster, f"{gpu.model} with {gpu.memory}", "gpus", key, "memory")
    return f"**One GPU**, here an {what}." + (f" {gpu.note}." if gpu.note else "")


def _share(cluster: Cluster, value: str) -> str:
    key, gpu = next(iter(cluster.gpus.items()))
    if not gpu.fair_share:
        return "Processor cores for your program."
    share = mark_part(cluster, plural(gpu.fair_share.cores, "core"), "gpus", key, "fair_share")
    return f"**Cores for your program.** The share of one GPU is {share}."


def _memory(cluster: Cluster, value: str) -> str:
    key, gpu = next(iter(cluster.gpus.items()))
    if not (gpu.fair_share and gpu.fair_share.memory):
        return "**Memory of the node**, for the whole job. It is not the GPU's memory, which you always get whole."
    share = mark_part(cluster, gpu.fair_share.memory, "gpus", key, "fair_share")
    return f"**Memory of the node**; the share of one GPU is {share}. The GPU's own memory you always get whole."


def _partition(cluster: Cluster, value: str) -> str:
    partition = cluster.partitions.get(value)
    if not partition or not partition.max_time:
        return "The partition: which nodes, and under which limits."
    longest = mark_part(cluster, partition.max_time.words, "partitions", value, "max_time")
    return f"**The partition**: which nodes, and under which limits. The longest job in this one: {longest}."


def _account(cluster: Cluster, value: str) -> str:
    command = cluster.billing.command
    return "**Put your own here**: who pays." + (f" `{command}` shows what is left." if command else "")


OPTIONS: dict[str, Words] = {
    "job-name": lambda cluster, value: "Names the job in the queue, and its output file.",
    "account": _account,
    "partition": _partition,
    "nodes": lambda cluster, value: "",
    "ntasks": lambda cluster, value: "One process, on one node.",
    "cpus-per-task": _share,
    "mem": _memory,
    "gres": _asked,
    "gpus": _asked,
    "gpus-per-node": _asked,
    "time": lambda cluster, value: (
        "**When it is over, the job is ended.** Ask for a little more than you need; short jobs start sooner."
    ),
    "output": lambda cluster, value: "Where all that it prints goes: `%x` is the job's name, `%j` its number.",
}

# What stands in the table is what the pattern finds. {page} is the cluster's page, since others show the table, too.
COMMANDS = [
    (re.compile(r"^set -euo pipefail"), "Ends the job at the first command that fails."),
    (
        re.compile(r"^module (?:use|load) .*"),
        "Brings the software; [Software]({page}#software) says what else there is.",
    ),
    (re.compile(r"^image="), "The container with PyTorch in it."),
    (re.compile(r"^export PATH="), "Puts your environment first; [Software]({page}#software) says how to make it."),
    (re.compile(r"^virtualenv "), "Makes an environment on the node's own disk, from the operator's packages."),
    (
        re.compile(r"^export SRUN_CPUS_PER_TASK="),
        "Passes your cores on to `srun`, which Slurm from 22.05 to 23.02 does not do by itself.",
    ),
    (re.compile(r"check_gpu\.py --expect 1"), "Ends the job at once if your software cannot use the GPU."),
    (re.compile(r"matmul\.py --device gpu"), "The work. **Replace this line with your own program.**"),
]

TABLES = {"one_gpu.md": one_gpu}
