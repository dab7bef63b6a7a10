"""What profiles of workflow tools ask a scheduler for, and tables of partitions say that it grants, as a part of a job
script: only what stands there as a value.

Nextflow's `queue`, `time`, `memory`, `cpus` and `clusterOptions` become the options that its executor writes
(https://github.com/nextflow-io/nextflow, SlurmExecutor.groovy, read 2026-11-27), `resourceLimits` those of the largest
task that it lets through (https://docs.seqera.io/nextflow/reference/process/directives/resource-limits). Snakemake's
resources become those of the table in its plugin's documentation
(https://github.com/snakemake/snakemake-executor-plugin-slurm, docs/further.md, read 2026-11-27). Closures, functions
and variables are left out. A row of a table becomes the largest job that it allows.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import yaml

from scripts.documents.page import Page
from scripts.documents.script import Script

SNAKEMAKE = {
    "slurm_partition": "--partition={}",
    "runtime": "--time={}",
    "constraint": "--constraint={}",
    "mem": "--mem={}",
    "mem_mb": "--mem={}M",
    "mem_mb_per_cpu": "--mem-per-cpu={}M",
    "tasks": "--ntasks={}",
    "cpus_per_task": "--cpus-per-task={}",
    "nodes": "--nodes={}",
    "slurm_extra": "{}",
}
NEXTFLOW = {
    "queue": "--partition={}",
    "time": "--time={}",
    "memory": "--mem={}",
    "cpus": "--cpus-per-task={}",
    "clusterOptions": "{}",
}
PLACES = ("queue", "slurm_partition")
PLAIN = re.compile(r"[\w.,:@%+=/ -]+")
SPAN = re.compile(r"(\d{1,9})\s*\.?\s*(d|day|days|h|hour|hours|m|min|minute|minutes|s|sec)$", re.IGNORECASE)
MINUTES = {"d": 1440, "h": 60, "m": 1, "s": 0}
SETTING = re.compile(r"(?:process\.)?(\w+)\s*[=:]\s*(.+?),?\s*(?://.*)?$")
OF_PROCESS = re.compile("process|with(Name|Label)|resourceLimits")
Asked = dict[str, tuple[int, str | None]]  # what is set -> its line, and the option; None: no plain value
LONGEST = re.compile(r"max|limit|longest|^wall", re.IGNORECASE)  # the heading of a column of longest times
COLUMNS = (
    ("partition", r"(?i)^(partition|queue)"),
    ("time", r"(?i)\b(wall)?time\b"),
    ("nodes", r"(?i)^(max\.? |number of )?nodes$"),
)
OPENS = re.compile(r"(?:([\w.]+|withName:\s*\S+|withLabel:\s*\S+)\s*=?\s*|(?:if|else)\b(.*?))([{\[])\s*$")


def nextflow(file: str, text: str, path: str) -> Iterator[Script]:
    """A script of each block of a profile that sets what a task asks for, with what the blocks around it set."""
    blocks: list[tuple[str, Asked]] = [("", {})]
    near: list[str] = [path]
    for number, line in enumerate([*text.split("\n"), "}"], 1):
        bare = " ".join(line.split())  # no run of blanks, over which a pattern would go again and again
        if bare.startswith(("//", "#")):
            near = [bare, path]
        elif found := OPENS.match(bare):
            blocks.append((found[1] or found[2] or "", {}))
        elif re.match(r"[}\]]+,?$", bare):
            around = {name: value for _, asked in blocks for name, value in asked.items()}
            _, own = blocks.pop() if len(blocks) > 1 else ("", blocks[0][1])
            yield from _script(file, around if own else {}, near)
        elif (
            (found := SETTING.match(bare))
            and found[1] in NEXTFLOW
            and any(OF_PROCESS.match(name) for name, _ in blocks)
        ):
            blocks[-1][1][found[1]] = (number, _option(found[1], found[2].strip("'\" ")))


def _option(name: str, value: str) -> str | None:
    """None where it is no plain value."""
    if name == "time":
        value = "" if value.isdigit() else _time(value)
    if name == "memory":
        value = re.sub(r"\s*\.?\s*([KMGT])i?B?$", r"\1", value, flags=re.IGNORECASE)
    return NEXTFLOW[name].format(value) if value and PLAIN.fullmatch(value) else None


def _time(value: str) -> str:
    """Minutes; empty where it is no plain number of them."""
    found = SPAN.fullmatch(value.strip())
    minutes = int(found[1]) * MINUTES[found[2][0].lower()] if found else 0
    return str(minutes or "") if found else value if value.isdigit() else ""


def snakemake(file: str, text: str, path: str) -> Iterator[Script]:
    """A script of the default resources of a profile, and one of each rule that it sets resources for."""
    if "slurm" not in text or not re.search(r"^(default|set)-resources:", text, re.MULTILINE):
        return
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return  # a template, or no profile: nothing of it can be told
    parts = dict(_named(root))
    default = _resources(parts.get("default-resources"))
    yield from _script(file, default, [path])
    for rule, node in _named(parts.get("set-resources")):
        yield from _script(file, default | _resources(node), [rule, path])


def _named(node: yaml.Node | None) -> list[tuple[str, yaml.Node]]:
    """What a mapping has under each name; a key can be a list, too."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return [(key.value, value) for key, value in pairs if isinstance(key, yaml.ScalarNode)]


def _resources(node: yaml.Node | None) -> Asked:
    """Of a mapping, or of a list of `name=value`."""
    scalars = [(name, value) for name, value in _named(node) if isinstance(value, yaml.ScalarNode)]
    pairs = [(name, value.value, value.start_mark.line + 1) for name, value in scalars]
    if isinstance(node, yaml.SequenceNode):
        items = [each for each in node.value if isinstance(each, yaml.ScalarNode) and "=" in each.value]
        pairs = [(*each.value.split("=", 1), each.start_mark.line + 1) for each in items]
    found: Asked = {}
    for name, value, line in pairs:
        value = value.strip("\"' ")
        value = _time(value) if name == "runtime" else value
        if name in SNAKEMAKE:
            found[name] = (line, SNAKEMAKE[name].format(value) if value and PLAIN.fullmatch(value) else None)
    return found


def tables(page: Page) -> Iterator[Script]:
    """A script of each row of a page's Markdown tables of partitions, with the longest time and the most nodes."""
    columns: dict[str, int] = {}
    longest = False
    for at, line in enumerate(page.lines):
        cells = (
            [cell.strip(" *") for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else []
        )
        if not cells:
            columns = {}
        elif not columns:
            named = {name: [n for n, cell in enumerate(cells) if re.search(words, cell)] for name, words in COLUMNS}
            columns = {name: found[0] for name, found in named.items() if found}
            longest = "time" in columns and bool(LONGEST.search(cells[columns["time"]]))
        elif "partition" in columns and len(cells) > max(columns.values()):
            asked = {name: option for name, n in columns.items() if (option := _granted(name, cells[n]))}
            if len(asked) > 1 and "partition" in asked:
                at_row = {name: (at + 1, option) for name, option in asked.items()}
                minutes = int(asked["time"].removeprefix("--time=")) if longest and "time" in asked else 0
                for found in _script(page.file, at_row, page.labels(at), page=True):
                    yield replace(found, longest=minutes)


def _granted(name: str, cell: str) -> str | None:
    """The option of a cell: a name, a time, or the last of a range of nodes."""
    if name == "partition":
        found = re.fullmatch(r"`([\w-]+)`", cell)
        return f"--partition={found[1]}" if found else None
    if name == "time":
        return f"--time={minutes}" if (minutes := _time(cell)) and not cell.isdigit() else None
    found = re.fullmatch(r"(?:\d+\s*[-–]\s*)?(\d+)", cell)
    return f"--nodes={found[1]}" if found else None


def _script(file: str, asked: Asked, labels: list[str], page: bool = False) -> Iterator[Script]:
    """The options as directives, each on its line; nothing where the place is no plain value, or none is one."""
    said = [(line, option) for line, option in asked.values() if option]
    if said and not any(name in PLACES and option is None for name, (_, option) in asked.items()):
        lines = ["#!/bin/bash", *(f"#SBATCH {option}" for _, option in said), "true", ""]
        at = (said[0][0], *(line for line, _ in said), said[-1][0], said[-1][0])
        yield Script(file, "\n".join(lines), at, tuple(labels), page=page, part=True)
