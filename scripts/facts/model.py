"""The typed model of a facts file, `snippets/<cluster>/cluster.yml`: everything the guide can know of one system."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PositiveInt, model_validator

from scripts.facts.limits import with_limits
from scripts.facts.schedulers import WORDS, Words
from scripts.facts.units import Day, Memory
from scripts.facts.unknown import NOT_KNOWN, filled
from scripts.models import Strict


def counted(unit: str, description: str, default: object = None, **more: object) -> object:
    """A field that holds numbers: the unit is in the schema, too."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **more)


# Words for readers. A block of several lines becomes one paragraph, since most of them stand in a table's cell.
Prose = Annotated[str, AfterValidator(lambda text: " ".join(text.split()))]

REVISION = r"^(git:[0-9a-f]{7,40}|sha256:[0-9a-f]{64})$"  # which state of a source, see scripts/sources


class State(StrEnum):
    ANNOUNCED = "announced"
    ACTIVE = "active"
    RETIRING = "retiring"
    RETIRED = "retired"


class Rule(StrEnum):
    """What a cluster asks of a job: must it name this, may it, should it not, or does it make no difference?"""

    REQUIRED = "required"
    OPTIONAL = "optional"
    LEAVE_OUT = "leave out"
    IGNORED = "ignored"


class Source(Strict):
    """Where a group of facts was read."""

    title: str = Field(description="What was read: the page's or file's name")
    url: str = Field(
        pattern=r"^(https://|captures/[0-9-]+\.txt$)",
        description="Its public address, or the capture in the cluster's folder that `guide compare --write` has kept",
    )
    dated: Day | None = Field(None, description="The page's own date, where it has one")
    read: Day = Field(description="The day it was read for this guide")
    revision: str | None = Field(
        None,
        pattern=REVISION,
        description="The state that was read: git:commit or sha256:hash of its text; `guide sources` compares "
        "it with that of today, and writes it with --write",
    )


class Status(Strict):
    """Whether the system runs, since when, and what comes after it."""

    state: State = Field(description="Whether jobs can run, or could")
    since: Day | None = Field(None, description="When users could first run jobs")
    ended: Day | None = Field(None, description="When the last job could run")
    planned_end: Day | None = Field(None, description="When the operator plans to end it")
    successor: str | None = Field(None, description="Key (folder) or name of the system that replaced it")
    note: Prose | None = Field(None, description="One or two sentences for readers, after the dates")

    @model_validator(mode="after")
    def _ends_when_retired(self):
        if self.state is State.RETIRED and not (self.ended or self.note):
            raise ValueError("a retired system needs `ended:` (or a `note:` that says what is known of the date)")
        if self.state is not State.RETIRED and self.ended:
            raise ValueError("`ended:` is for a retired system; for a plan use `planned_end:`")
        return self


class Login(Strict):
    """A login node."""

    host: str = Field(pattern=r"^[\w-]+(\.[\w-]+)+$", description="With its domain: what stands after `ssh user@`")
    use: Prose = Field(description="What it is for, in a few words")


class Portal(Strict):
    """A way in by the browser: JupyterHub, Open OnDemand, a remote desktop."""

    url: str = Field(pattern=r"^https://", description="Its address")
    use: Prose = Field(description="What it is for, in a few words")


class Access(Strict):
    """Who may use the system, how they come to it, and who helps them."""

    who: Prose | None = Field(None, description="Who may use it")
    apply: Prose | None = Field(
        None, description="How to get an account or an allocation; an address where there is one"
    )
    support: Prose | None = Field(None, description="Address of those who help")


class Part(Strict):
    """What a price is for: of several numbers the largest part counts."""

    nodes: PositiveInt | None = counted("nodes", "Number of nodes")
    gpus: PositiveInt | None = counted("GPUs", "Number of GPUs or slices")
    cores: PositiveInt | None = counted("cores", "Number of cores")
    memory: Memory | None = Field(None, description="Amount of a node's memory")

    @model_validator(mode="after")
    def _is_something(self):
        if not self.model_fields_set:
            raise ValueError("a price needs `per:` with nodes, gpus, cores or memory")
        return self


class Price(Strict):
    """What an hour costs, by the operator's formula: `rules:` has it in words."""

    price: float = counted("that of `unit`", "Price of one part for one hour", ..., ge=0)
    unit: str = Field(description="Unit of the price, in the plural, as operators write it: GPU-hours")
    per: Part = Field(description="The part that has this price; the largest of its numbers counts")
    gpus: list[str] = Field(default_factory=list, description="Keys of the GPUs that it is for; none: of all jobs")
    partitions: list[str] = Field(default_factory=list, description="Where; none: everywhere else")
    whole_parts: bool = Field(False, description="Cores and memory count in whole parts")
    besides: Prose | None = Field(None, description="What comes to it that is not published as a number")


class Billing(Strict):
    """What a job costs, and the command that says what is left."""

    gpu_hour: Prose | None = Field(None, description="What one GPU with its share costs an hour, in a few words")
    rules: list[Prose] = Field(default_factory=list, description="One rule a line, with its unit")
    prices: list[Price] = Field(default_factory=list, description="The same as numbers; the first that fits counts")
    command: str | None = Field(None, description="Shows what an allocation has used or has left, as typed")


class Interactive(Strict):
    """How to work by hand: each a list of steps or rules, one a line."""

    jupyter: list[Prose] = Field(default_factory=list, description="Jupyter, with an environment of one's own")
    editor: list[Prose] = Field(default_factory=list, description="An editor over ssh: what is allowed, and how")


class Scheduler(Strict):
    """What accepts and starts jobs."""

    kind: Literal["slurm", "grid_engine"] = Field(description="Slurm, or Grid Engine")
    version: str | None = Field(None, description="As published; leave out when the operator does not say")
    note: Prose | None = Field(None, description="A sentence for readers")

    @property
    def words(self) -> Words:
        return WORDS[self.kind]


class NodeType(Strict):
    """A kind of node, as the scheduler sees one node of it."""

    description: Prose | None = Field(None, description="What sets it apart, in a few words")
    count: PositiveInt | None = counted("nodes", "How many there are; omit a number that is not published")
    sockets: PositiveInt | None = counted("sockets", "Processors of one node")
    cores: PositiveInt | None = counted("cores", "Cores a job can have on one node")
    threads_per_core: PositiveInt = counted("hardware threads", "Hardware threads of one core", 1)
    cpu: str | None = Field(None, description="Processor model")
    architecture: Literal["x86_64", "aarch64"] = Field("x86_64", description="What programs must be built for")
    memory: Memory | None = Field(
        None, description="Memory that jobs can have on one node, not the size printed on the box"
    )
    gpus: dict[str, PositiveInt] = counted("GPUs", "GPU key (see `gpus`): how many in one node", {})
    gpu_cores: list[str] = Field(
        default_factory=list, description="Cores next to each GPU, e.g. 1-7, in the GPUs' order; jobs get no others"
    )
    local_disk: Memory | None = Field(None, description="Disk of one node, for the jobs on it")
    tmp: Memory | None = Field(None, description="The most local disk that `--tmp` can ask of one node")
    gres: dict[str, PositiveInt] = counted(
        "as `--gres` counts it", "What else `--gres` can name, and how much one node has, e.g. nvme in GB", {}
    )
    features: list[str] = Field(
        default_factory=list, description="What --constraint (Slurm) or -l node_type= (Grid Engine) can name"
    )
    default: bool = Field(False, description="Grid Engine: where a job goes that names no feature and no GPU")


class FairShare(Strict):
    """What one GPU's part of its node is: ask for more and others' GPUs stand idle."""

    cores: PositiveInt = counted("cores", "Cores for each GPU", ...)
    memory: Memory | None = Field(None, description="Memory of the node for each GPU")


CudaVersion = Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$")]


@with_limits("gpus")
class Gpu(Strict):
    """A GPU, or a slice of one, as a job asks for it."""

    model: str = Field(description="Vendor and model, e.g. NVIDIA A100 SXM4")
    memory: Memory | None = Field(description="Memory on the device")
    request: str = Field(description="The option that asks for one, e.g. --gres=gpu:v100:1")
    gres: str = Field(description="The scheduler's name for it, e.g. gpu:v100, gpu or coproc_v100")
    synonyms: list[str] = Field(default_factory=list, description="Other GRES names for the same thing")
    compute_capability: str | None = Field(None, pattern=r"^[0-9]+\.[0-9]$", description="NVIDIA only")
    fair_share: FairShare | None = Field(None, description="The GPU's share of its node")
    counts: list[PositiveInt] = counted(
        "GPUs",
        "The numbers that a job can request, if not every number is allowed. The last one is a full node, and a larger "
        "job gets full nodes",
        [],
    )
    slice_of: str | None = Field(None, description="For a MIG slice: the key of the whole GPU")
    slice: bool = Field(False, description="For a MIG slice whose whole GPU nobody can ask for")
    device: str | None = Field(
        None, description="Its key in snippets/measured/limits.yml; leave out where its form (SXM or PCIe) is not known"
    )
    offload_arch: str | None = Field(None, pattern=r"^gfx[0-9a-f]+$", description="AMD only: what compilers call it")
    oldest_cuda: CudaVersion | None = Field(None, description="Programs must be built with this CUDA or a newer one")
    no_pytorch_from: CudaVersion | None = Field(None, description="The first PyTorch whose builds no longer run on it")
    note: Prose | None = Field(None, description="A sentence for readers")

    @property
    def pytorch_note(self) -> str | None:
        """Which PyTorch no longer runs on it."""
        return f"PyTorch {self.no_pytorch_from} and newer do not run on it" if self.no_pytorch_from else None

    @property
    def size(self) -> str:
        """Its memory, for readers."""
        return self.memory or f"memory {NOT_KNOWN}"

    @property
    def is_slice(self) -> bool:
        return self.slice or self.slice_of is not None

    @property
    def numbers(self) -> str:
        """`counts` in words: `1 or a multiple of 4`."""
        return " or ".join([*map(str, self.counts[:-1]), f"a multiple of {self.counts[-1]}"]) if self.counts else ""


@with_limits("partitions")
class Partition(Strict):
    """A partition (Slurm) or queue (Grid Engine)."""

    name: str | None = Field(
        None,
        description="Its name in a job, where the login nodes for GPU jobs and those for others have each a partition "
        "of this name",
    )
    node_types: list[str] = Field(min_length=1, description="Keys of the kinds of node that it has")
    node_count: PositiveInt | None = counted("nodes", "How many nodes it has, if fewer than all of its types")
    purpose: Prose | None = Field(None, description="What it is for, in a few words")
    default_memory_per_core: Memory | None = Field(None, description="For a job that requests no memory, for each core")
    default_memory_per_gpu: Memory | None = Field(None, description="For a job that requests no memory, for each GPU")
    default_memory_per_node: Memory | None = Field(None, description="For a job that requests no memory, on each node")
    exclusive: bool = Field(False, description="A job gets, and is charged for, whole nodes")
    gpu_jobs_in: str | None = Field(None, description="The partition that a GPU job is moved to that asks for this")
    longer_jobs_in: str | None = Field(None, description="The partition that a job is moved to that is too long here")
    routed: bool = Field(False, description="A job that names no partition may be put here")
    default: bool = Field(False, description="Where a job goes that names no partition")
    only_for: Literal["visualization", "tests"] | None = Field(
        None, description="The only use that the operator allows; `purpose:` has it in words"
    )
    access: Prose | None = Field(None, description="Who may use it, where not everybody may")
    max_running_jobs: PositiveInt | None = counted("jobs", "Most jobs of one user that can run at once")
    note: Prose | None = Field(None, description="A sentence for readers")


@with_limits("qos")
class Qos(Strict):
    """A quality of service that `--qos` can name."""

    cost: Prose | None = Field(None, description="Against what a job costs without it")
    partition_suffix: str | None = Field(None, description="A job is moved to the partition with this behind its name")
    purpose: Prose | None = Field(None, description="What it is for, in a few words")


class Requirement(Strict):
    """Whether a job must name something."""

    rule: Rule = Field(description="The rule for jobs")
    unless: Prose | None = Field(None, description="When a job need not say it after all; only who submits knows that")
    gpu_jobs: Rule | None = Field(None, description="The rule for jobs with a GPU, where it is another")
    since: Day | None = Field(None, description="When the rule began")
    refusal: str | None = Field(None, description="The operator's own words when a job is refused for it")
    note: Prose | None = Field(None, description="A sentence for readers")


@with_limits("policy")
class Policy(Strict):
    """What every job must name, and what holds for all partitions."""

    account: Requirement = Field(description="Must a job name its account?")
    time: Requirement = Field(description="Must a job name its time?")
    partition: Requirement = Field(description="Must a job name its partition?")
    gpu_model: Requirement = Field(description="Must a job name the GPU's model?")
    memory: Requirement = Field(Requirement(rule=Rule.OPTIONAL), description="Must a job name its memory?")
    threads_per_core: Requirement = Field(
        Requirement(rule=Rule.OPTIONAL), description="Must a job name how many hardware threads of a core it uses?"
    )
    sample_account: str | None = Field(None, description="A made account in the right form; the scripts use it")
    allocation_accounts: list[str] = Field(
        default_factory=list,
        description="How the names of accounts begin that have an allocation, with limits of its own",
    )
    account_forms: list[str] = Field(default_factory=list, description="Accounts look so: # is a digit, * any text")
    account_endings: list[str] = Field(default_factory=list, description="What Slurm adds to an account by itself")
    no_partition: str | None = Field(None, description="A name that counts as naming no partition")
    default_memory_per_core: Memory | None = Field(None, description="For a job that requests no memory, for each core")
    resources: dict[str, Prose] = Field(default_factory=dict, description="Grid Engine: what else -l can name, and why")
    internet_on_compute_nodes: bool | None = Field(None, description="Can a job reach the internet?")
    submit_in_jobs: bool | None = Field(None, description="May a job submit jobs?")
    ssh_to_nodes: bool | None = Field(None, description="Can one reach a node of one's own job with ssh?")
    remote_tunnels: bool | None = Field(None, description="Tunnels of VS Code and the like, through others' servers")
    profilers: bool | None = Field(None, description="Can programs read the GPU's counters?")
    mpirun: bool | None = Field(None, description="Can jobs start programs with mpirun?")
    conda: bool | None = Field(None, description="May one install Anaconda or Miniconda?")
    login_shell_without_export: bool = Field(
        False, description="A job that leaves its environment behind (--export without ALL) must start a login shell"
    )
    submit_from: Prose | None = Field(None, description="Where jobs must be submitted, if not from anywhere")
    notes: list[Prose] = Field(default_factory=list, description="More sentences for readers")

    @model_validator(mode="after")
    def _sample_for_account(self):
        if self.account.rule is Rule.REQUIRED and not self.sample_account:
            raise ValueError("an account is required here, so the scripts need a `sample_account:`")
        if self.account_forms and not self.has_form(self.sample_account or ""):
            raise ValueError("the sample_account has none of account_forms; fix one of the two")
        return self

    def has_form(self, account: str) -> bool:
        """Does this account look as those of this system do?"""
        signs = {"#": "[0-9]", "*": "[A-Za-z0-9_-]+"}
        return any(
            re.fullmatch("".join(signs.get(letter, re.escape(letter)) for letter in form), account)
            for form in self.account_forms
        )


class Renamed(Strict):
    """A module that this system does not have under an old name, or not any more."""

    old: str = Field(description="Name, or name/version")
    new: str = Field(description="What to load instead")
    since: Day | None = Field(None, description="When it was renamed")
    only: Prose | None = Field(None, description="Where, if not everywhere")


class Language(Strict):
    """Where a language comes from."""

    once: list[str] = Field(default_factory=list, description="What sets it up once, on a login node; never in a job")
    load: list[str] = Field(min_length=1, description="The lines that load it in each job, with the operator's names")
    note: Prose | None = Field(None, description="What else a user of it must know here")


class Software(Strict):
    """Modules and containers."""

    modules: list[str] = Field(
        default_factory=list, description="Modules the guide's scripts load; all others fail its tests"
    )
    compilers: list[str] = Field(
        default_factory=list, description="Modules that bring compilers for the GPUs, in the order of loading"
    )
    profilers: list[str] = Field(default_factory=list, description="Modules that bring profilers")
    r: Language | None = Field(None, description="Where R comes from; left out where no page of the operator says it")
    module_paths: list[str] = Field(default_factory=list, description="Folders that `module use` may name")
    load_first: list[str] = Field(
        default_factory=list, description="Modules without which, or without a folder above, the others are not found"
    )
    collections: dict[str, list[str]] = Field(
        default_factory=dict, description="A module that opens a folder of modules -> the names of those modules"
    )
    renamed: list[Renamed] = Field(default_factory=list, description="Modules that are gone, with the new name")
    every_module: list[str] = Field(
        default_factory=list,
        description="The name of every module, as `module -t spider` prints it; the check reports all others",
    )
    own_modules: list[str] = Field(
        default_factory=list, description="Module names of this operator's systems that no other uses"
    )
    gpu_modules: list[str] = Field(default_factory=list, description="Module names that only GPU nodes know")
    with_cuda: list[str] = Field(
        default_factory=list, description="Module names that bring CUDA and cuDNN; load none beside them"
    )
    containers: Prose | None = Field(None, description="The container tool")
    container_option: Literal["--nv", "--rocm", "none"] | None = Field(
        None, description="The option that lets a container see the GPU; none: leave all of them out"
    )
    container_hides: list[str] = Field(
        default_factory=list, description="Folders that a container does not see unless its options bind them"
    )
    images: list[str] = Field(default_factory=list, description="Container images the scripts start")
    notes: list[Prose] = Field(default_factory=list, description="More sentences for readers")

    @property
    def loadable(self) -> list[str]:
        """What the guide's scripts may load."""
        return [*self.modules, *self.compilers, *self.profilers]

    @property
    def container_module(self) -> str | None:
        """The module that brings the container tool, where the system says that one must be loaded."""
        tool = self.containers.split()[0].lower() if self.containers else ""
        loads = tool and any(f"module load {tool}" in note for note in self.notes)
        return tool if loads else None


class Tool(Strict):
    """How to watch a job."""

    tool: str = Field(description="Its name")
    command: str = Field(description="A command as typed; 123456 stands for a job's number")
    shows: Prose = Field(description="What it shows")


class Place(Strict):
    """Where files can be kept."""

    path: str = Field(description="Its path; a name in `<>` is one that the reader replaces")
    size: Memory | None = Field(None, description="The quota, or what a job can have there")
    files: PositiveInt | None = counted("files", "Most files allowed")
    backup: bool | None = Field(None, description="Is it backed up?")
    read_only_in_jobs: bool = Field(False, description="Jobs cannot write to it")
    in_memory: bool = Field(False, description="What is put there counts as the job's memory")
    one_node: bool = Field(False, description="Only the node that wrote it sees it")
    memory_without_disk: bool = Field(False, description="In memory on nodes without a local disk")
    sizes: dict[str, Memory] = Field(default_factory=dict, description="Kind of node -> size, where it is another")
    full_node_sizes: dict[str, Memory] = Field(default_factory=dict, description="The same, for a job with a full node")
    deleted_after: PositiveInt | None = counted("days", "When unused files are deleted")
    command: str | None = Field(None, description="Shows how much of it is used, as typed")
    kept: Prose = Field(description="For how long, in a few words")
    use: Prose = Field(description="What it is for, in a few words")
    more: Prose | None = Field(None, description="Where to ask for more, and up to how much, as sentences")


class Cluster(Strict):
    """Everything the guide knows of one system."""

    key: str = Field(exclude=True, description="The folder's name; not written in the file")
    name: str = Field(description="As readers know it; spelled so in every tab")
    centre: str | None = Field(pattern=r"^[a-z][a-z0-9-]*$", description="Who runs it: docs/clusters/<centre>.md")
    operator: Prose = Field(description="Who runs it, in full")
    docs: str | None = Field(pattern=r"^https://", description="Address of the operator's documentation")
    status: Status = Field(description="Whether it runs")
    login: list[Login] = Field(default_factory=list, description="Login nodes")
    portals: list[Portal] = Field(default_factory=list, description="Web portals")
    access: Access = Field(Access(), description="Who may use it, and how")
    billing: Billing = Field(Billing(), description="What a job costs")
    interactive: Interactive = Field(Interactive(), description="Interactive work")
    scheduler: Scheduler = Field(description="What accepts and starts jobs")
    node_types: dict[str, NodeType] = Field(description="Key of a kind of node: what it has")
    network: Literal["InfiniBand", "Slingshot"] | None = Field(None, description="Between the nodes")
    gpus: dict[str, Gpu] = Field(description="Key of a GPU or slice: what it is")
    partitions: dict[str, Partition] = Field(min_length=1, description="Name of a partition or queue: its limits")
    qos: dict[str, Qos] = Field(default_factory=dict, description="What `--qos` can name")
    policy: Policy = Field(description="What every job must name, and what holds for all partitions")
    software: Software = Field(Software(), description="Modules and containers")
    monitoring: list[Tool] = Field(default_factory=list, description="How to watch a job")
    storage: list[Place] = Field(default_factory=list, description="Where files can be kept")
    unconfirmed: dict[str, Prose] = Field(default_factory=dict, description="Dotted key: why it is not certain")
    unknown: dict[str, Prose] = Field(
        default_factory=dict,
        description="Dotted key: the question that nobody has answered yet. `guide adopt` writes what a capture does "
        "not show; delete the line when you write the key",
    )
    sources: dict[str, Annotated[list[Source], Field(min_length=1)]] = Field(
        description="For each group above: where it was read"
    )

    @model_validator(mode="before")
    @classmethod
    def _not_known_yet(cls, data: Any) -> Any:
        return filled(data)

    @property
    def running(self) -> bool:
        return self.status.state in (State.ACTIVE, State.RETIRING)

    @property
    def gpu_total(self) -> int:
        """Whole GPUs in the system (slices not counted)."""
        return sum(self.gpu_count(key) for key, gpu in self.gpus.items() if not gpu.is_slice)

    def gpu_count(self, key: str) -> int:
        """How many of a GPU or slice there are in nodes whose number is known."""
        return sum((node.count or 0) * node.gpus.get(key, 0) for node in self.node_types.values())


# What has sources: every part of the file but its name and address.
GROUPS = tuple(
    name
    for name in Cluster.model_fields
    if name not in ("key", "name", "centre", "operator", "docs", "unconfirmed", "unknown", "sources")
)
