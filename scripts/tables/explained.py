"""The lines of a cluster's `one_gpu.sh`, each with a sentence: what it asks for there, and what to change."""

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
WITHOUT_CORES, WITH_CORES = (22, 5), (23, 11)  # srun has had the job's cores again since then


def one_gpu(cluster: Cluster, clusters: Clusters) -> str:
    """A table: the lines as they stand in the script, and the sentence. Raises BadInput for a line without one."""
    lines = script(cluster.key, SCRIPT).read_text(encoding="utf-8").splitlines()
    rows = table(("Line", "What it does, and what to change"), _explained(cluster, lines))
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
                words = said(cluster) if callable(said) else said.replace("{page}", f"/clusters/{cluster.key}.md")
                yield f"`{found[0].strip()}`", words


def _gpu(cluster: Cluster, name: str) -> tuple[str, Gpu]:
    """The GPU that a request names, or the first where it names none."""
    for key, gpu in cluster.gpus.items():
        kind = (gpu.gres or "").partition(":")[2]
        if kind and kind == name:
            return key, gpu
    return next(iter(cluster.gpus.items()))


def _asked(cluster: Cluster, value: str) -> str:
    key, gpu = _gpu(cluster, re.sub(r"^gpu:?|:?\d+$", "", value))
    what = mark_part(cluster, f"{gpu.model}, with {gpu.size} of memory", "gpus", key, "memory")
    return f"**One GPU**: {what}." + "".join(f" {note}." for note in (gpu.pytorch_note, gpu.note) if note)


def _share(cluster: Cluster, value: str) -> str:
    key, gpu = next(iter(cluster.gpus.items()))
    if not gpu.fair_share:
        return "CPU cores for your program."
    share = mark_part(cluster, plural(gpu.fair_share.cores, "core"), "gpus", key, "fair_share")
    return f"**CPU cores for your program.** One GPU's share of the node is {share}."


def _memory(cluster: Cluster, value: str) -> str:
    key, gpu = next(iter(cluster.gpus.items()))
    if not (gpu.fair_share and gpu.fair_share.memory):
        return "**Host memory** for the whole job. You always get all of the GPU's own memory."
    share = mark_part(cluster, gpu.fair_share.memory, "gpus", key, "fair_share")
    return f"**Host memory.** One GPU's share is {share}. You always get all of the GPU's own memory."


def _partition(cluster: Cluster, value: str) -> str:
    partition = cluster.partitions.get(value)
    if not partition or not partition.max_time:
        return "**The partition.** It determines which nodes your job can run on and which limits apply."
    longest = mark_part(cluster, partition.max_time.words, "partitions", value, "max_time")
    return (
        "**The partition.** It determines which nodes your job can run on and which limits apply. "
        f"Maximum time: {longest}."
    )


def _account(cluster: Cluster, value: str) -> str:
    command = cluster.billing.command
    return "**The account** that is charged for the job. Replace it with your own." + (
        f" To see your usage or balance, run `{command}`." if command else ""
    )


def _cores_of_srun(cluster: Cluster) -> str:
    """Why the line is there, with this system's version of Slurm."""
    said = "Passes the number of cores to `srun`."
    if not (version := cluster.scheduler.version):
        unknown = f"and {cluster.name}'s version is not published."
        return f"{said} Slurm versions 22.05 to 23.02 do not do this automatically, {unknown}"
    if WITHOUT_CORES <= tuple(map(int, version.split(".")[:2])) < WITH_CORES:
        return f"{said} {cluster.name}'s Slurm {version} does not do this automatically."
    return (
        f"{said} {cluster.name}'s Slurm {version} does this automatically. "
        "Only Slurm versions 22.05 to 23.02 need this line, but it is harmless with other versions."
    )


OPTIONS: dict[str, Words] = {
    "job-name": lambda cluster, value: "The job's name, shown in the queue and in the output file's name.",
    "account": _account,
    "partition": _partition,
    "nodes": lambda cluster, value: "",
    "ntasks": lambda cluster, value: "Slurm starts one process, on one node.",
    "cpus-per-task": _share,
    "mem": _memory,
    "gres": _asked,
    "gpus": _asked,
    "gpus-per-node": _asked,
    "time": lambda cluster, value: (
        f"**Time limit.** {cluster.scheduler.words.name} ends the job when it reaches this limit. "
        "Request only a little more than you need, because short jobs start sooner. "
        "The format is hours, minutes and seconds: write `06:00:00` for six hours."
    ),
    "output": lambda cluster, value: "The output file. `%x` is the job's name, and `%j` is the job ID.",
}

# What stands in the table is what the pattern finds. {page} is the cluster's page, since others show the table, too.
COMMANDS: list[tuple[re.Pattern[str], str | Callable[[Cluster], str]]] = [
    (re.compile(r"^set -euo pipefail"), "Ends the job if a command fails or a variable is not set."),
    (re.compile(r"^module use .*"), "Makes more modules available. It does not load any of them."),
    (re.compile(r"^module load .*"), "Loads the software. For other software, see [Software]({page}#software)."),
    (re.compile(r"^image="), "The container image that contains PyTorch."),
    (re.compile(r"^export PATH="), "Uses your environment. See [Software]({page}#software) for how to create it."),
    (re.compile(r"^virtualenv "), "Creates an environment on the node's local disk, from the operator's packages."),
    (re.compile(r"^export SRUN_CPUS_PER_TASK="), _cores_of_srun),
    (re.compile(r"check_gpu\.py --expect 1"), "Ends the job at once if your software cannot use the GPU."),
    (re.compile(r"matmul\.py --device gpu"), "Your program. **Replace this line with your own.**"),
]

TABLES = {"one_gpu.md": one_gpu}
