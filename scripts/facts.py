"""The facts about every cluster: the typed model of `snippets/<cluster>/cluster.yml`, and its loader.

`python -m scripts.facts` checks every file and says how many there are; `--schema` rewrites the JSON
Schema with which an editor completes and checks a facts file while it is typed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from scripts.errors import BadInput, run
from scripts.units import Day, Memory, Walltime
from scripts.yaml_lines import Lines, load

ROOT = Path(__file__).resolve().parent.parent
SNIPPETS = ROOT / "snippets"
SCHEMA = SNIPPETS / "cluster.schema.json"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class State(StrEnum):
    ANNOUNCED = "announced"
    ACTIVE = "active"
    RETIRING = "retiring"
    RETIRED = "retired"


class Rule(StrEnum):
    """What a cluster asks of a job: must it name this, may it, or should it not?"""

    REQUIRED = "required"
    OPTIONAL = "optional"
    LEAVE_OUT = "leave out"


class Source(Strict):
    """Where a group of facts was read."""

    title: str = Field(description="What was read: the page's or file's name")
    url: str = Field(pattern=r"^https://", description="Its public address")
    dated: Day | None = Field(None, description="The page's own date, where it has one")
    read: Day = Field(description="The day it was read for this guide")


class Status(Strict):
    state: State
    since: Day | None = Field(None, description="When users could first run jobs")
    ended: Day | None = Field(None, description="When the last job could run")
    planned_end: Day | None = None
    successor: str | None = Field(None, description="Key (folder) or name of the system that replaced it")
    note: str | None = Field(None, description="One or two sentences for readers, after the dates")

    @model_validator(mode="after")
    def _ends_when_retired(self):
        if self.state is State.RETIRED and not (self.ended or self.note):
            raise ValueError("a retired system needs `ended:` (or a `note:` that says what is known of the date)")
        if self.state is not State.RETIRED and self.ended:
            raise ValueError("`ended:` is for a retired system; for a plan use `planned_end:`")
        return self


class Login(Strict):
    host: str = Field(description="What stands after `ssh user@`")
    use: str = Field(description="What it is for, in a few words")


class Scheduler(Strict):
    kind: Literal["slurm", "grid_engine"]
    version: str | None = Field(None, description="As published; leave out when the operator does not say")
    note: str | None = None


class NodeType(Strict):
    """A kind of node, as the scheduler sees one node of it."""

    description: str | None = None
    count: PositiveInt | None = Field(None, description="Leave out what is not published")
    sockets: PositiveInt | None = None
    cores: PositiveInt | None = Field(None, description="Cores a job can have on one node")
    threads_per_core: PositiveInt = 1
    cpu: str | None = Field(None, description="Processor model")
    memory: Memory | None = Field(None, description="Memory that jobs can have on one node, not the size printed on the box")
    gpus: dict[str, PositiveInt] = Field(default_factory=dict, description="GPU key (see `gpus`): how many in one node")
    local_disk: Memory | None = None
    features: list[str] = Field(default_factory=list, description="What --constraint can name")


class FairShare(Strict):
    """What one GPU's part of its node is: ask for more and others' GPUs stand idle."""

    cores: PositiveInt
    memory: Memory | None = None


class Gpu(Strict):
    """A GPU, or a slice of one, as a job asks for it."""

    model: str = Field(description="Vendor and model, e.g. NVIDIA A100 SXM4")
    memory: Memory = Field(description="Memory on the device")
    request: str = Field(description="The option that asks for one, e.g. --gres=gpu:v100:1")
    gres: str | None = Field(None, description="The scheduler's name for it, e.g. gpu:v100 or coproc_v100")
    synonyms: list[str] = Field(default_factory=list, description="Other GRES names for the same thing")
    compute_capability: str | None = Field(None, pattern=r"^[0-9]+\.[0-9]$", description="NVIDIA only")
    fair_share: FairShare | None = None
    slice_of: str | None = Field(None, description="For a MIG slice: the key of the whole GPU")
    slice: bool = Field(False, description="For a MIG slice whose whole GPU nobody can ask for")
    note: str | None = None

    @property
    def is_slice(self) -> bool:
        return self.slice or self.slice_of is not None


class Partition(Strict):
    """A partition (Slurm) or queue (Grid Engine). Limits are of one job unless the name says otherwise."""

    node_types: Annotated[list[str], Field(min_length=1)]
    node_count: PositiveInt | None = Field(None, description="How many nodes it has, if fewer than all of its types")
    purpose: str | None = None
    max_time: Walltime | None = None
    min_time: Walltime | None = None
    min_nodes: PositiveInt | None = None
    max_nodes: PositiveInt | None = None
    min_gpus: PositiveInt | None = None
    max_gpus: PositiveInt | None = None
    max_gpus_per_node: PositiveInt | None = None
    min_cores: PositiveInt | None = None
    max_cores: PositiveInt | None = None
    max_cores_per_node: PositiveInt | None = None
    max_memory_per_node: Memory | None = None
    default_memory_per_core: Memory | None = None
    default_memory_per_gpu: Memory | None = None
    default_memory_per_node: Memory | None = None
    exclusive: bool = Field(False, description="A job gets, and is charged for, whole nodes")
    gpu_required: bool = Field(False, description="A job without a GPU is refused")
    default: bool = Field(False, description="Where a job goes that names no partition")
    access: str | None = Field(None, description="Who may use it, where not everybody may")
    max_running_jobs: PositiveInt | None = Field(None, description="Per user")
    max_jobs: PositiveInt | None = Field(None, description="Per user, waiting and running")
    note: str | None = None


class Requirement(Strict):
    rule: Rule
    since: Day | None = None
    refusal: str | None = Field(None, description="The operator's own words when a job is refused for it")
    note: str | None = None


class Policy(Strict):
    account: Requirement
    time: Requirement
    partition: Requirement
    gpu_model: Requirement
    memory: Requirement = Requirement(rule=Rule.OPTIONAL)
    sample_account: str | None = Field(None, description="A made account in the right form; the scripts use it")
    slices_per_job: PositiveInt | None = Field(None, description="How many MIG slices one job may have")
    max_queued_jobs: PositiveInt | None = None
    default_time: Walltime | None = None
    default_memory_per_core: Memory | None = None
    internet_on_compute_nodes: bool | None = None
    submit_from: str | None = Field(None, description="Where jobs must be submitted, if not from anywhere")
    notes: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _sample_for_account(self):
        if self.account.rule is Rule.REQUIRED and not self.sample_account:
            raise ValueError("an account is required here, so the scripts need a `sample_account:`")
        return self


class Software(Strict):
    modules: list[str] = Field(default_factory=list, description="Modules the guide's scripts load; all others fail its tests")
    module_paths: list[str] = Field(default_factory=list, description="Folders that `module use` may name")
    containers: str | None = Field(None, description="The container tool")
    images: list[str] = Field(default_factory=list, description="Container images the scripts start")
    notes: list[str] = Field(default_factory=list)


class Tool(Strict):
    tool: str
    command: str = Field(description="A command as typed; 123456 stands for a job's number")
    shows: str


class Place(Strict):
    path: str
    size: Memory | None = None
    files: PositiveInt | None = Field(None, description="Most files allowed")
    kept: str = Field(description="For how long, in a few words")
    use: str


class Cluster(Strict):
    """Everything the guide knows of one system."""

    key: str = Field(exclude=True, description="The folder's name; not written in the file")
    name: str = Field(description="As readers know it; spelled so in every tab")
    page: Literal["leeds", "csc-lumi", "alliance", "nlr", "uva"] = Field(description="docs/clusters/<page>.md")
    operator: str
    docs: str = Field(pattern=r"^https://")
    status: Status
    login: list[Login] = Field(default_factory=list)
    scheduler: Scheduler
    node_types: dict[str, NodeType]
    gpus: dict[str, Gpu]
    partitions: dict[str, Partition] = Field(default_factory=dict)
    policy: Policy
    software: Software = Software()
    monitoring: list[Tool] = Field(default_factory=list)
    storage: list[Place] = Field(default_factory=list)
    unconfirmed: dict[str, str] = Field(default_factory=dict, description="Dotted key: why it is not certain")
    sources: dict[str, Annotated[list[Source], Field(min_length=1)]] = Field(description="For each group above: where it was read")

    @property
    def running(self) -> bool:
        return self.status.state in (State.ACTIVE, State.RETIRING)

    @property
    def gpu_total(self) -> int:
        """Whole GPUs in the system (slices not counted)."""
        return sum((node.count or 0) * number for node in self.node_types.values()
                   for gpu, number in node.gpus.items() if not self.gpus[gpu].is_slice)


GROUPS = ("status", "login", "scheduler", "node_types", "gpus", "partitions", "policy", "software", "monitoring", "storage")


def _links(cluster: Cluster) -> list[tuple[tuple[str, ...], str, str]]:
    """Faults between one part of a file and another: (key path, what, cure)."""
    faults: list[tuple[tuple[str, ...], str, str]] = []

    def must_be(at: tuple[str, ...], name: str, known: dict, what: str) -> None:
        if name not in known:
            faults.append((at, f"`{name}` is no {what} of this file.", _did_you_mean(name, list(known))))

    for key, node in cluster.node_types.items():
        for gpu in node.gpus:
            must_be(("node_types", key, "gpus", gpu), gpu, cluster.gpus, "GPU (see `gpus:`)")
    for key, gpu in cluster.gpus.items():
        if gpu.slice_of:
            must_be(("gpus", key, "slice_of"), gpu.slice_of, cluster.gpus, "GPU")
    for key, partition in cluster.partitions.items():
        for index, name in enumerate(partition.node_types):
            must_be(("partitions", key, "node_types", index), name, cluster.node_types, "node type")
    dumped = cluster.model_dump(mode="json", exclude_none=True)
    for group in GROUPS:
        if dumped.get(group) and group not in cluster.sources:
            faults.append((("sources",), f"`{group}` has no source.", f"Add `{group}:` with title, url and read under `sources:`."))
    for group in cluster.sources:
        must_be(("sources", group), group, dict.fromkeys(GROUPS), "group")
    for dotted in cluster.unconfirmed:
        if not _names_something(dumped, dotted):
            faults.append((("unconfirmed", dotted), f"`{dotted}` names nothing in this file.", "Write a key's path, such as partitions.gpu.max_time."))
    return faults


def _names_something(data: object, dotted: str) -> bool:
    """Is this the path of a key? Keys may themselves hold dots, as `a100_1g.5gb` does."""
    if not isinstance(data, dict):
        return False
    return any(dotted == key or dotted.startswith(f"{key}.") and _names_something(value, dotted[len(key) + 1:]) for key, value in data.items())


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"Did you mean `{close[0]}`?" if close else f"Known here: {', '.join(known)}."


def _known_keys(loc: tuple) -> list[str]:
    """The keys allowed beside a wrong one, found by walking the JSON Schema."""
    schema = Cluster.model_json_schema()
    node = schema
    for part in loc[:-1]:
        while "$ref" in node or "anyOf" in node:
            node = schema["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node["anyOf"][0]
        node = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part) or node.get("additionalProperties")
        if not isinstance(node, dict):
            return []
    while "$ref" in node or "anyOf" in node:
        node = schema["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node["anyOf"][0]
    return list(node.get("properties", {}))


def _line(lines: Lines, loc: tuple) -> int:
    while loc not in lines:
        loc = loc[:-1]
    return lines[loc]


def _explain(error: dict, lines: Lines, path: Path) -> BadInput:
    loc = tuple(error["loc"])
    dotted = ".".join(map(str, loc))
    what, cure = f"`{dotted}`: {error['msg']}.", "See snippets/cluster.schema.json for what may stand here."
    if error["type"] == "extra_forbidden":
        what, cure = f"`{dotted}` is not a key the model knows.", _did_you_mean(str(loc[-1]), _known_keys(loc))
    elif error["type"] == "missing":
        what, cure = f"`{dotted}` is missing.", "Add it."
    elif error["type"] == "value_error":
        message, _, example = str(error["ctx"]["error"]).partition("; ")
        what, cure = f"`{dotted}`: {message}.", f"{example[:1].upper()}{example[1:]}." if example else ""
    return BadInput(path, _line(lines, loc), what, cure)


def load_cluster(path: Path) -> Cluster:
    """Read one facts file. Raises BadInput with file, line, key and cure for the first fault in it."""
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    data, lines = load(path, shown)
    if not isinstance(data, dict):
        raise BadInput(shown, 1, "a facts file is a list of `key: value` lines.", "Start from another cluster's file.")
    if not re.fullmatch(r"[a-z][a-z0-9]*", path.parent.name):
        raise BadInput(shown, None, f"the folder `{path.parent.name}` is no cluster key.", "Use small letters and digits only.")
    try:
        cluster = Cluster(key=path.parent.name, **{k: v for k, v in data.items() if k != "key"})
    except ValidationError as fault:
        first = min(fault.errors(), key=lambda error: _line(lines, tuple(error["loc"])))
        raise _explain(first, lines, shown) from None
    if "key" in data:
        raise BadInput(shown, lines["key",], "`key` is the folder's name.", "Take the line out.")
    for at, what, cure in _links(cluster):
        raise BadInput(shown, _line(lines, at), what, cure)
    return cluster


def load_all(snippets: Path = SNIPPETS) -> dict[str, Cluster]:
    """Every cluster by key, in alphabetical order. Raises BadInput also for two files with one name."""
    clusters: dict[str, Cluster] = {}
    names: dict[str, Path] = {}
    for path in sorted(snippets.glob("*/cluster.yml")):
        cluster = load_cluster(path)
        if cluster.name.casefold() in names:
            raise BadInput(path.relative_to(snippets.parent), 1, f"the name {cluster.name} is already that of {names[cluster.name.casefold()]}.",
                           "Give each cluster one file.")
        names[cluster.name.casefold()] = path.relative_to(snippets.parent)
        clusters[cluster.key] = cluster
    if not clusters:
        raise BadInput(snippets, None, "there is no <cluster>/cluster.yml here.", "Run this from the repository.")
    return clusters


def as_file(schema: dict) -> str:
    """The text of a JSON Schema's file, which names the standard it follows."""
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=1) + "\n"


def schema_text() -> str:
    schema = Cluster.model_json_schema()
    schema["properties"].pop("key")
    schema["required"].remove("key")
    return as_file(schema)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.facts", description=__doc__)
    parser.add_argument("--schema", action="store_true", help=f"rewrite {SCHEMA.relative_to(ROOT)}")
    if parser.parse_args().schema:
        SCHEMA.write_text(schema_text())
    clusters = load_all()
    print(f"{len(clusters)} clusters, {sum(len(c.partitions) for c in clusters.values())} partitions: all facts files are well formed.")
    return 0


if __name__ == "__main__":
    run(main)
