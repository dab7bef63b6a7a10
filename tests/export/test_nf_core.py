"""Nextflow's settings: a task at every edge goes where Slurm accepts it, and doubts are written beside the numbers."""

import re

import pytest

from scripts.export import nf_core
from scripts.export.jobs import says
from scripts.facts.units import Walltime
from tests.export.exported import RUNNING, files, verdict

UNITS = {"h": 60, "m": 1, "GB": 1}
IF = re.compile(r" *if \(task\.(memory|time) <= (\d+)\.(GB|h|m)\) \{")


def parts(text: str) -> list[list[str]]:
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if "withLabel" in line)
    return [lines[lines.index("process {") : at], lines[at:]]


def limits(lines: list[str]) -> dict[str, int]:
    text = "\n".join(lines)
    found = {name: re.search(rf"^ +{name}: (\d+)\.?(\w*),", text, re.MULTILINE) for name in ("cpus", "memory", "time")}
    return {name: int(each[1]) * UNITS.get(each[2], 1) for name, each in found.items()}


def queue(lines: list[str], **task: int) -> str | None:
    """What the closure returns for a task: a block that does not hold is passed over up to its own brace."""
    closed = None
    for line in lines:
        if closed is not None:
            closed = None if line == closed else closed
        elif (found := IF.match(line)) and task[found[1]] > int(found[2]) * UNITS[found[3]]:
            closed = line[: len(line) - len(line.lstrip())] + "}"
        elif found := re.match(r" *(?:return|queue =) (?:'([^']+)'|null)", line):
            return found[1]
    return None


def edges(lines: list[str]) -> list[dict[str, int]]:
    """Tasks at each number of the closure, and one of its unit past it; none past the limits."""
    most, found = limits(lines), {"memory": {1}, "time": {30}}
    for what, number, unit in IF.findall("\n".join(lines)):
        value = int(number) * UNITS[unit]
        found[what] |= {value, min(value + UNITS[unit], most[what])}
    return [
        {"memory": m, "time": t} for m in found["memory"] | {most["memory"]} for t in found["time"] | {most["time"]}
    ]


@pytest.mark.parametrize("key", RUNNING)
def test_slurm_accepts_a_task_at_every_edge(key):
    """Only a task that is too long for the partition of its memory is refused, as its comment says."""
    cluster = RUNNING[key]
    assert "= 'Kings, from" in nf_core.files(cluster.model_copy(update={"name": "King's"}))[f"{key}.config"]
    tool = cluster.software.container_command
    assert not tool or f"\n{tool} {{ // " in files(key, "nf-core")[f"{key}.config"]
    for lines, gpu in zip(parts(files(key, "nf-core")[f"{key}.config"]), (False, True), strict=True):
        (request,) = re.findall(r"clusterOptions = '(.+?)'", "\n".join(lines)) if gpu else ("",)
        accepted = 0
        for task in edges(lines):
            name = queue(lines, **task)
            asked = [f"-c {limits(lines)['cpus']}", f"--mem={task['memory']}G", f"-t {task['time']}", *request.split()]
            told = verdict(cluster, *asked, f"-p {name}" if name else "")
            too_long = name and task["time"] > Walltime(cluster.partitions[name].max_time).minutes
            assert told == ("refused" if too_long else "accepted"), (task, name)
            accepted += told == "accepted"
        assert accepted >= 2


@pytest.mark.parametrize("tool", ["nf-core", "snakemake"])
@pytest.mark.parametrize("key", RUNNING)
def test_no_doubt_is_lost(key, tool):
    """A line that names a partition tells every doubt about its time and its nodes."""
    cluster = RUNNING[key]
    about = {path: why for path, why in cluster.unconfirmed.items() if path.partition(".")[0] in cluster.sources}
    assert all(why in says(cluster, path.rpartition(".")[0] or path) for path, why in about.items())
    for name, p in cluster.partitions.items():
        doubts = [cluster.unconfirmed.get(f"partitions.{name}{field}") for field in ("", ".max_time", ".node_types")]
        for text in files(key, tool).values():
            lines = text.splitlines()
            for number, line in enumerate(lines):
                if re.search(rf"(return|queue =) '{p.name or name}'|^  {p.name or name}:", line):
                    assert all(why in line + lines[number - 1] for why in filter(None, doubts)), line


def test_a_changed_fact_changes_what_is_written():
    kestrel = RUNNING["kestrel"]
    before = files("kestrel", "nf-core")["kestrel.config"]
    partitions = kestrel.partitions | {
        "gpu-h100s": kestrel.partitions["gpu-h100s"].model_copy(update={"max_time": Walltime("0-05:00:00")})
    }
    gpus = {"h100": kestrel.gpus["h100"].model_copy(update={"request": "--gres=gpu:h100:1"})}
    other = nf_core.files(kestrel.model_copy(update={"partitions": partitions, "gpus": gpus}))["kestrel.config"]
    changed = [line for line in other.splitlines() if line not in before.splitlines()]
    assert [line.split("//")[0].strip() for line in changed] == [
        "if (task.time <= 5.h) {",
        "clusterOptions = '--gres=gpu:h100:1'",
    ]


def test_adopted_facts_without_a_page_name_none():
    cluster = RUNNING["kestrel"]
    unknown = cluster.model_copy(update={"docs": None, "access": cluster.access.model_copy(update={"support": None})})
    (text,) = nf_core.files(unknown).values()
    assert "config_profile_contact     = 'not known yet'" in text
    assert "config_profile_url" not in text and "None" not in text
