"""Ready-made applications: snippets/software/applications.yml, and what it may say."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveInt, StringConstraints

from scripts.errors import BadInput, did_you_mean, refuse
from scripts.facts import Cluster
from scripts.facts.programs import Sentence, programs
from scripts.facts.units import Date, Day
from scripts.models import Strict, line_of, load_model
from scripts.paths import FACTS, shown
from scripts.yaml_lines import Lines

FILE = FACTS / "software/applications.yml"
Address = Annotated[str, StringConstraints(pattern=r"^https://\S+$")]


class Flag(Strict):
    """Words of the command, or of the input file, that decide what the GPU does."""

    words: str
    does: Sentence


class Installed(Strict):
    """How one or several systems have the application."""

    on: list[str] = Field(min_length=1, description="Folders of the systems; all must be in service")
    state: Literal["gpu", "cpu", "own", "ask"] = Field(
        "gpu",
        description="gpu: a build for GPUs, for which a script is written. cpu: builds for CPUs only. own: you build "
        "it yourself. ask: it is there, but the page does not say how a build for GPUs is loaded",
    )
    load: list[str] = Field([], description="The lines that load it, as the operator documents them")
    setup: list[str] = Field([], description="Further lines of the script, from the operator's example")
    no_gpu: bool = Field(False, description="own: does the page say that no version runs on the system's GPUs?")
    cpu: list[str] = Field([], description="The lines that load a build for CPUs, where the system has both")
    ranks: PositiveInt = Field(1, description="MPI ranks per GPU; they share the GPU's cores")
    marks: dict[str, str] = Field({}, description="What stands for marks of the common script on these systems")
    before: dict[str, str] = Field({}, description="The same for a CPU-only job that runs first, where there is one")
    note: str | None = Field(None, description="One or two sentences for the table")
    source: Address
    dated: Day = Field(description="The date of the page, or of its repository's commit")


class Application(Strict):
    name: str
    homepage: Address
    does: Annotated[str, StringConstraints(pattern=r"^\S+( \S+){1,7}$")] = Field(
        description="A verb first, at most eight words"
    )
    license: str | None = Field(None, description="What a user needs before the application may be used")
    programs: list[str] = Field(min_length=1, description="Names in scripts/facts/programs.yml")
    flags: list[Flag] = Field(description="Empty if the build decides alone whether the GPU is used")
    ranks: str = Field(description="Ranks and threads per GPU, in sentences")
    cpu: str = Field(description="When and how it runs without a GPU, in sentences")
    cpu_start: str = Field(description="The command of a CPU-only job, from an operator's example")
    log: str = Field(description="A line, or a part of one, that it prints only if it uses a GPU")
    log_in: str = Field(description="Where that is printed")
    log_source: Address
    sources: list[Address] = Field(min_length=1, description="Where flags and ranks were read")
    systems: list[Installed]
    undocumented: list[str] = Field(description="Systems on whose operator's pages we did not find it")


class Table(Strict):
    read: Date
    applications: dict[str, Application]


def load_applications(clusters: dict[str, Cluster], file: Path = FILE) -> Table:
    """The table. Raises BadInput for each fault: an unknown program or system, and one that is named twice or never."""
    table, lines = _read(file, file.stat().st_mtime_ns)
    refuse([fault for key in table.applications for fault in _faults(table, key, clusters, file, lines)])
    return table


def with_gpu_build(system: str) -> dict[str, str]:
    """Key -> name of each application that the system has for GPUs, and for which it therefore has a script."""
    return {key: one["name"] for key, one in loads(system).items() if "gpu" in one}


def loads(system: str) -> dict[str, dict[str, Any]]:
    """Key -> `name`, the commands that load the system's build for GPUs (`gpu`) and for CPUs (`cpu`), its `flags`;
    `program`, what starts it there, and its `entries` of programs.yml.

    Only the name: no version runs on the system's GPUs."""
    if not FILE.exists():  # another collection than ours need not have it
        return {}
    found: dict[str, dict[str, Any]] = {}
    for key, one in _read(FILE, FILE.stat().st_mtime_ns)[0].applications.items():
        for each in one.systems:
            if system in each.on and each.no_gpu:
                found[key] = {"name": one.name}
            elif system in each.on and each.state in ("gpu", "cpu"):
                paths = [line for line in each.load if line.startswith("module use") and line not in each.cpu]
                lines = {each.state: each.load} | ({"cpu": [*paths, *each.cpu]} if each.cpu else {})
                found[key] = {"name": one.name} | {kind: " && ".join(commands) for kind, commands in lines.items()}
                start = each.marks.get("PROGRAM") or each.marks.get("COMMAND", "").split(" --")[0].rstrip(" \\\n")
                start = start or _of_version(one.cpu_start, each.load)
                if start:
                    found[key] |= {"program": start, "entries": one.programs}
                if each.state == "gpu" and "FLAGS" in each.marks:
                    found[key]["flags"] = each.marks["FLAGS"]
    return found


def _of_version(command: str, load: list[str]) -> str:
    """A program that is named after its version, as `namd3`, where the module has this version."""
    found = re.search(r"\b([a-z]+)(\d)\b", command)
    return found[0] if found and re.search(rf"\b{found[1]}\S*/{found[2]}", " ".join(load)) else ""


@lru_cache(maxsize=1)  # each system's page asks for it
def _read(file: Path, changed: int) -> tuple[Table, Lines]:
    return load_model(file, Table, "See scripts/facts/applications.py for what may stand here.")


def _faults(table: Table, key: str, clusters: dict[str, Cluster], file: Path, lines: Lines) -> Iterator[BadInput]:
    one, at = table.applications[key], ("applications", key)
    known = [each.name for each in programs()]
    for number, name in enumerate(one.programs):
        if name not in known:
            line = line_of(lines, (*at, "programs", number))
            yield BadInput(shown(file), line, f"programs.yml has no `{name}`.", did_you_mean(name, known))
    running = [name for name, cluster in clusters.items() if cluster.running]
    places = [
        *(((*at, "systems", i, "on", j), name) for i, each in enumerate(one.systems) for j, name in enumerate(each.on)),
        *(((*at, "undocumented", i), name) for i, name in enumerate(one.undocumented)),
    ]
    seen: set[str] = set()
    for place, name in places:
        if name not in running:
            cure = did_you_mean(name, running)
            yield BadInput(shown(file), line_of(lines, place), f"no system in service is called `{name}`.", cure)
        elif name in seen:
            what = f"{one.name} names `{name}` twice."
            yield BadInput(shown(file), line_of(lines, place), what, "Remove one of them.")
        seen.add(name)
    if missing := [name for name in running if name not in seen]:
        what = f"{one.name} does not name {', '.join(missing)}."
        yield BadInput(shown(file), line_of(lines, at), what, "Add an entry, or list them under `undocumented`.")
    for number, each in enumerate(one.systems):
        if each.state != "own" and not each.load:
            line = line_of(lines, (*at, "systems", number))
            yield BadInput(shown(file), line, "`load` is missing.", "Write the lines that load it, or `state: own`.")
