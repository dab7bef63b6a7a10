"""The typed model of a facts file, `snippets/<cluster>/cluster.yml`: everything the guide can know of one system."""

import re
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from scripts.facts.limits import with_limits
from scripts.facts.schedulers import WORDS, Words
from scripts.facts.units import Count, Date, Day, Memory, Name
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

    title: str = Field(description="Name of the page or file that we read")
    url: str = Field(
        pattern=r"^(https://|captures/[0-9-]+\.txt$)",
        description="Public address, or the capture that `guide compare --write` saved in the cluster's folder",
    )
    dated: Day | None = Field(None, description="Date on the page, if it has one")
    read: Date = Field(description="Day on which we read the source")
    revision: str | None = Field(
        None,
        pattern=REVISION,
        description="The revision that we read: git:commit, or sha256:hash of the text. `guide sources` compares "
        "it with the current revision, and updates it with --write",
    )


class Status(Strict):
    """Whether the system is in service, since when, and what replaces it."""

    state: State = Field(description="State of the system")
    since: Day | None = Field(None, description="Date of the first user jobs")
    ended: Day | None = Field(None, description="Date of the last user jobs")
    planned_end: Day | None = Field(None, description="Date on which the operator plans to retire the system")
    successor: str | None = Field(None, description="Key (folder) or name of the replacement")
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

    host: str = Field(pattern=r"^[\w-]+(\.[\w-]+)+$", description="Full host name, as in `ssh user@HOST`")
    use: Prose = Field(description="Purpose, in a few words")

    @property
    def purpose(self) -> str:
        """`for GPU jobs`, or from where it is reached."""
        return self.use if self.use.startswith("from ") else f"for {self.use}"


class Portal(Strict):
    """Access through a browser, such as JupyterHub, Open OnDemand or a remote desktop."""

    url: str = Field(pattern=r"^https://", description="Address of the portal")
    use: Prose = Field(description="Purpose, in a few words")


class Access(Strict):
    """Who can use the system, how to get access, and where to get help."""

    who: Prose | None = Field(None, description="Who can use the system")
    apply: Prose | None = Field(None, description="How to get an account or an allocation")
    support: Prose | None = Field(None, description="Address of user support")


class Part(Strict):
    """The resources that a price is for. If there are several, the largest share counts."""

    nodes: Count | None = counted("nodes", "Number of nodes")
    gpus: Count | None = counted("GPUs", "Number of GPUs or slices")
    cores: Count | None = counted("cores", "Number of cores")
    memory: Memory | None = Field(None, description="Amount of a node's memory")

    @model_validator(mode="after")
    def _is_something(self):
        if not self.model_fields_set:
            raise ValueError("a price needs `per:` with nodes, gpus, cores or memory")
        return self


class Price(Strict):
    """The cost per hour by the operator's formula, which `rules:` explains in words."""

    price: float = counted("that of `unit`", "Price per hour of the resources in `per`", ..., ge=0)
    unit: str = Field(description="Unit of the price, in the plural, as the operator writes it, e.g. GPU-hours")
    per: Part = Field(description="The resources that this price covers")
    gpus: list[str] = Field(default_factory=list, description="Keys of the GPUs with this price, or none for all jobs")
    partitions: list[str] = Field(default_factory=list, description="Partitions with this price, or none for the rest")
    whole_parts: bool = Field(False, description="Cores and memory are rounded up to whole parts")
    core: float | None = counted("that of `unit`", "Price of each core per hour, in addition", ge=0)
    gib: float | None = counted("that of `unit`", "Price of each GiB of memory per hour, in addition", ge=0)
    disk_gib: float | None = counted("that of `unit`", "Price of each GiB of reserved local disk per hour", ge=0)


class Billing(Strict):
    """The cost of a job, and the command that prints the balance."""

    gpu_hour: Prose | None = Field(None, description="Cost of one GPU with its share per hour, in a few words")
    rules: list[Prose] = Field(default_factory=list, description="One rule per line, with its unit")
    prices: list[Price] = Field(default_factory=list, description="The same rules as numbers. The first match counts")
    command: str | None = Field(None, description="Command that prints the usage or balance of an allocation")


class Interactive(Strict):
    """Interactive use: lists of steps or rules, in Markdown, because a step may contain commands."""

    jupyter: list[str] = Field(default_factory=list, description="Jupyter, with the user's own environment")
    editor: list[str] = Field(default_factory=list, description="Editors over ssh: rules, and how to connect")


class Scheduler(Strict):
    """The program that accepts and starts jobs."""

    kind: Literal["slurm", "grid_engine"] = Field(description="Slurm, or Grid Engine")
    version: str | None = Field(None, description="Version, if the operator publishes it")
    note: Prose | None = Field(None, description="A sentence for readers")

    @property
    def words(self) -> Words:
        return WORDS[self.kind]


class NodeType(Strict):
    """A kind of node. The values are for one node, as the scheduler counts them."""

    description: Prose | None = Field(None, description="What distinguishes this kind, in a few words")
    count: Count | None = counted("nodes", "Number of nodes, if it is published")
    sockets: Count | None = counted("sockets", "Processors in one node")
    cores: Count | None = counted("cores", "Cores that a job can use on one node")
    threads_per_core: Count = counted("hardware threads", "Hardware threads per core", 1)
    counts_threads: bool = Field(False, description="Whether these cores are hardware threads, two per core")
    cpu: str | None = Field(None, description="Processor model")
    architecture: Literal["x86_64", "aarch64"] = Field("x86_64", description="Architecture of the processor")
    memory: Memory | None = Field(None, description="Memory that jobs can use on one node")
    gpus: dict[Name, Count] = counted("GPUs", "For each GPU key (see `gpus`), the number in one node", {})
    gpu_cores: list[str] = Field(
        default_factory=list, description="Cores closest to each GPU, e.g. 1-7, in GPU order. Jobs get no other cores"
    )
    local_disk: Memory | None = Field(None, description="Local disk of one node, for its jobs")
    tmp: Memory | None = Field(None, description="Maximum local disk per node that `--tmp` can request")
    gres: dict[Name, Count] = counted(
        "as `--gres` counts it", "Other resources for `--gres`, and how much one node has, e.g. nvme in GB", {}
    )
    features: list[Name] = Field(
        default_factory=list, description="Names for --constraint (Slurm) or -l node_type= (Grid Engine)"
    )
    default: bool = Field(False, description="Whether Grid Engine uses it for jobs that name no feature and no GPU")


class FairShare(Strict):
    """One GPU's share of its node. If a job requests more, other GPUs may stay idle."""

    cores: Count = counted("cores", "Cores per GPU", ...)
    memory: Memory | None = Field(None, description="Host memory per GPU")


CudaVersion = Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$")]


@with_limits("gpus")
class Gpu(Strict):
    """A GPU or slice, as a job requests it."""

    model: str = Field(description="Vendor and model, e.g. NVIDIA A100 SXM4")
    memory: Memory | None = Field(description="Memory on the device")
    request: str = Field(description="The option that requests one, e.g. --gres=gpu:v100:1")
    gres: Name = Field(description="The scheduler's name for the GPU, e.g. gpu:v100, gpu or coproc_v100")
    synonyms: list[Name] = Field(default_factory=list, description="Other GRES names of the same GPU")
    compute_capability: str | None = Field(None, pattern=r"^[0-9]+\.[0-9]$", description="NVIDIA's compute capability")
    fair_share: FairShare | None = Field(None, description="The GPU's share of its node")
    counts: list[Count] = counted(
        "GPUs",
        "The numbers that a job can request, if not every number is allowed. The last one is a full node, and a larger "
        "job gets full nodes",
        [],
    )
    slice_of: str | None = Field(None, description="For a MIG slice: the key of the whole GPU")
    slice: bool = Field(False, description="Whether it is a MIG slice of a GPU that cannot be requested whole")
    device: str | None = Field(
        None, description="Key in snippets/measured/limits.yml, if the form (SXM or PCIe) is known"
    )
    offload_arch: str | None = Field(None, pattern=r"^gfx[0-9a-f]+$", description="The compilers' name for an AMD GPU")
    oldest_cuda: CudaVersion | None = Field(None, description="Oldest CUDA version that can build programs for it")
    oldest_pytorch: str | None = Field(
        None, pattern=r"^[0-9]+(\.[0-9]+)+$", description="Oldest PyTorch version that the operator allows on it"
    )
    no_pytorch_from: CudaVersion | None = Field(None, description="First PyTorch version that no longer supports it")
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

    name: Name | None = Field(
        None,
        description="Name that jobs use, if the GPU login nodes and the other login nodes each have a partition of "
        "this name",
    )
    node_types: list[str] = Field(min_length=1, description="Keys of the kinds of node in this partition")
    node_count: Count | None = counted(
        "nodes", "Number of nodes, if the partition does not have all nodes of these kinds"
    )
    purpose: Prose | None = Field(None, description="Purpose, in a few words")
    default_memory_per_core: Memory | None = Field(None, description="Memory per core of a job that requests none")
    default_memory_per_gpu: Memory | None = Field(None, description="Memory per GPU of a job that requests none")
    default_memory_per_node: Memory | None = Field(None, description="Memory per node of a job that requests none")
    memory_by_cores: bool = Field(False, description="Whether a job's cores determine its memory")
    exclusive: bool = Field(False, description="Whether a job gets full nodes, and is charged for them")
    gpu_jobs_in: str | None = Field(None, description="Partition to which the scheduler moves GPU jobs")
    longer_jobs_in: str | None = Field(None, description="Partition to which the scheduler moves longer jobs")
    routed: bool = Field(False, description="Whether a job that names no partition may run here")
    default: bool = Field(False, description="Whether it is the default for jobs that name no partition")
    only_for: Literal["visualization", "tests"] | None = Field(
        None, description="The only use that the operator allows, which `purpose:` explains"
    )
    access: Prose | None = Field(None, description="Who can use the partition, if access is restricted")
    max_running_jobs: Count | None = counted("jobs", "Maximum number of running jobs per user")
    note: Prose | None = Field(None, description="A sentence for readers")


@with_limits("qos")
class Qos(Strict):
    """A quality of service that `--qos` can name."""

    cost: Prose | None = Field(None, description="Cost of a job, compared with one without this QOS")
    partition_suffix: str | None = Field(None, description="Suffix of the partition to which the scheduler moves a job")
    purpose: Prose | None = Field(None, description="Purpose, in a few words")


class Requirement(Strict):
    """Whether a job must name something."""

    rule: Rule = Field(description="The rule for jobs")
    unless: Prose | None = Field(None, description="Exception to the rule, which only the user can check")
    gpu_jobs: Rule | None = Field(None, description="The rule for GPU jobs, if it differs")
    since: Day | None = Field(None, description="Date on which the rule began")
    refusal: str | None = Field(None, description="The operator's message when it rejects a job")
    note: Prose | None = Field(None, description="A sentence for readers")


@with_limits("policy")
class Policy(Strict):
    """Options that every job needs, and rules for all partitions."""

    account: Requirement = Field(description="Whether a job must name its account")
    time: Requirement = Field(description="Whether a job must set its time limit")
    partition: Requirement = Field(description="Whether a job must name its partition")
    gpu_model: Requirement = Field(description="Whether a job must name the GPU model")
    memory: Requirement = Field(Requirement(rule=Rule.OPTIONAL), description="Whether a job must set its memory")
    threads_per_core: Requirement = Field(
        Requirement(rule=Rule.OPTIONAL), description="Whether a job must set its number of hardware threads per core"
    )
    sample_account: str | None = Field(None, description="Placeholder account that the scripts use")
    allocation_accounts: list[str] = Field(default_factory=list, description="Prefixes of accounts with an allocation")
    account_forms: list[str] = Field(default_factory=list, description="Forms of accounts: # is a digit, * any text")
    account_endings: list[str] = Field(default_factory=list, description="Suffixes that Slurm adds to an account")
    no_partition: str | None = Field(None, description="Name that is equivalent to naming no partition")
    default_memory_per_core: Memory | None = Field(None, description="Memory per core of a job that requests none")
    resources: dict[str, Prose] = Field(default_factory=dict, description="Other resources for Grid Engine's -l")
    internet_on_compute_nodes: bool | None = Field(None, description="Whether jobs can reach the internet")
    submit_in_jobs: bool | None = Field(None, description="Whether jobs can submit jobs")
    ssh_to_nodes: bool | None = Field(None, description="Whether users can connect to their jobs' nodes with ssh")
    remote_tunnels: bool | None = Field(None, description="Whether tunnels such as VS Code's are allowed")
    mail: bool | None = Field(None, description="Whether Slurm sends the email that --mail-type requests")
    profilers: bool | None = Field(None, description="Whether programs can read the GPU's counters")
    mpirun: bool | None = Field(None, description="Whether jobs can start programs with mpirun")
    conda: bool | None = Field(None, description="Whether users may install Anaconda or Miniconda")
    login_shell_without_export: bool = Field(
        False, description="Whether jobs that use --export without ALL must start a login shell"
    )
    submit_from: Prose | None = Field(None, description="Where users must submit jobs, if it matters")
    jobs_from_home: bool | None = Field(None, description="Whether jobs can start in the home directory")
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
    """A module that was renamed or replaced."""

    old: str = Field(description="Old name, or name/version")
    new: str = Field(description="Module to load instead")
    since: Day | None = Field(None, description="Date of the change")
    only: Prose | None = Field(None, description="Where the change applies, if not everywhere")


class Language(Strict):
    """How to install and load a language."""

    once: list[str] = Field(default_factory=list, description="Commands to run once, on a login node")
    load: list[str] = Field(min_length=1, description="Lines that load the language in each job")
    note: Prose | None = Field(None, description="Other information for users of the language")


class Software(Strict):
    """Modules and containers."""

    modules: list[str] = Field(
        default_factory=list, description="Modules that the guide's scripts may load. Its tests reject all others"
    )
    compilers: list[str] = Field(default_factory=list, description="GPU compilers, in the order of loading")
    profilers: list[str] = Field(default_factory=list, description="Modules with profilers")
    r: Language | None = Field(None, description="How to load R, if the operator documents it")
    module_paths: list[str] = Field(default_factory=list, description="Directories for `module use`")
    load_first: list[str] = Field(default_factory=list, description="Modules to load before the others")
    collections: dict[str, list[str]] = Field(
        default_factory=dict, description="Modules that make other modules visible, with the names of those modules"
    )
    renamed: list[Renamed] = Field(default_factory=list, description="Renamed modules, with the new names")
    documented: list[str] = Field(default_factory=list, description="Other modules that the operator's pages load")
    every_module: list[str] = Field(
        default_factory=list,
        description="All module names, as `module -t spider` prints them. The check reports all others",
    )
    own_modules: list[str] = Field(default_factory=list, description="Module names of this operator only")
    gpu_modules: list[str] = Field(default_factory=list, description="Module names that exist only on GPU nodes")
    cpu_modules: list[str] = Field(default_factory=list, description="Module names that exist only on CPU nodes")
    versions: dict[str, list[str]] = Field(
        default_factory=dict, description="Versions of a module, if the operator lists them"
    )
    source_activate: bool = Field(
        False, description="Whether the operator activates conda environments with `source activate` alone"
    )
    purge_breaks: bool = Field(
        False, description="Whether `module purge` also unloads modules that compilers and MPI need to load"
    )
    with_cuda: list[str] = Field(
        default_factory=list, description="Names of modules that include CUDA and cuDNN, so jobs load neither with them"
    )
    containers: Prose | None = Field(None, description="The container tool")
    container_option: Literal["--nv", "--rocm", "none"] | None = Field(
        None, description="Option that gives a container access to the GPU, or none if no option is needed"
    )
    container_hides: list[str] = Field(
        default_factory=list, description="Directories that a container cannot access unless its options bind them"
    )
    container_bind: str | None = Field(None, description="Option that binds them all, if the operator has one")
    conda_instead: Prose | None = Field(
        None, description="What the operator offers in place of conda environments, as a sentence"
    )
    settings: dict[str, str] = Field(
        default_factory=dict,
        description="Variables for the network and caches, with the values on the operator's pages",
    )
    remotes: dict[str, list[str]] = Field(
        default_factory=dict,
        description="For each rclone remote, its name here, the command that creates it, and how it differs",
    )
    mpi_io: Prose | None = Field(None, description="What programs that write one file with MPI-IO need, as sentences")
    images: list[str] = Field(default_factory=list, description="Container images that the scripts start")
    image_packages: list[str] = Field(
        default_factory=list, description="Python packages in these images that are built for certain GPUs"
    )
    notes: list[Prose] = Field(default_factory=list, description="More sentences for readers")

    @property
    def loadable(self) -> list[str]:
        """What the guide's scripts may load."""
        return [*self.modules, *self.compilers, *self.profilers]

    @property
    def container_command(self) -> str:
        """`singularity` for SingularityCE; empty where no container tool is known."""
        return self.containers.split()[0].lower().rstrip(",;").removesuffix("ce") if self.containers else ""

    @property
    def container_module(self) -> str | None:
        """The module that brings the container tool, where the operator's pages load one."""
        tool = self.container_command
        return (
            tool
            if tool in [*self.documented, *self.modules] or any(f"module load {tool}" in note for note in self.notes)
            else None
        )


class Tool(Strict):
    """A tool for monitoring jobs."""

    tool: str = Field(description="Name of the tool")
    command: str = Field(description="Command as typed, with 123456 as the job ID")
    shows: Prose = Field(description="What the tool shows")


class Place(Strict):
    """A place to store files."""

    path: str = Field(description="Path. Replace a name in `<>`")
    size: Memory | None = Field(None, description="Quota, or the space that a job can use")
    files: Count | None = counted("files", "Maximum number of files")
    backup: bool | None = Field(None, description="Whether the files are backed up")
    read_only_in_jobs: bool = Field(False, description="Whether jobs can only read the files")
    no_results: bool = Field(False, description="Whether jobs must not write their results there")
    in_memory: bool = Field(False, description="Whether files count toward the job's memory")
    one_node: bool = Field(False, description="Whether files are visible only on their node")
    memory_without_disk: bool = Field(False, description="Whether files are in memory on nodes without a local disk")
    shared_directory: bool = Field(False, description="Whether a user's jobs on one node may have the same directory")
    sizes: dict[str, Memory] = Field(default_factory=dict, description="Size by kind of node, where it differs")
    full_node_sizes: dict[str, Memory] = Field(default_factory=dict, description="The same for a job with a full node")
    deleted_after: Count | None = counted("days", "Number of days after which unused files are deleted")
    command: str | None = Field(None, description="Command that prints the usage")
    file_system: str | None = Field(None, description="File system, if not Lustre")
    also: list[str] = Field(default_factory=list, description="Other paths of the same files, which scripts may use")
    link: str | None = Field(None, description="Link in the home directory, if not the center's usual one")
    kept: Prose = Field(description="How long files are kept, in a few words")
    use: Prose = Field(description="Purpose, in a few words")
    more: Prose | None = Field(None, description="Where to request more space, and the maximum, as sentences")

    @property
    def retention(self) -> str:
        """How long files are kept, with the number of days without use."""
        first, *rest = self.kept.split("; ")
        unused = f"deleted after {self.deleted_after} days without use" if self.deleted_after else ""
        return "; ".join(filter(None, [first, unused, *rest]))


class Cluster(Strict):
    """Everything the guide knows of one system."""

    key: str = Field(exclude=True, description="Name of the folder, which is not in the file")
    name: Prose = Field(min_length=1, description="Name for readers")
    centre: str | None = Field(pattern=r"^[a-z][a-z0-9-]*$", description="Key of the center's page")
    operator: Prose = Field(description="Full name of the operator")
    docs: str | None = Field(pattern=r"^https://", description="Address of the operator's documentation")
    status: Status = Field(description="Whether the system is in service")
    login: list[Login] = Field(default_factory=list, description="Login nodes")
    portals: list[Portal] = Field(default_factory=list, description="Web portals")
    access: Access = Field(Access(), description="Who can use the system, and how")
    billing: Billing = Field(Billing(), description="Cost of a job")
    interactive: Interactive = Field(Interactive(), description="Interactive use")
    scheduler: Scheduler = Field(description="Slurm or Grid Engine")
    node_types: dict[Name, NodeType] = Field(description="Node types, by key")
    network: Literal["InfiniBand", "Slingshot", "Omni-Path", "Ethernet"] | None = Field(
        None, description="Interconnect"
    )
    gpus: dict[Name, Gpu] = Field(description="GPUs and slices, by key")
    partitions: dict[Name, Partition] = Field(min_length=1, description="Partitions or queues, by name")
    qos: dict[Name, Qos] = Field(default_factory=dict, description="Qualities of service, by name")
    policy: Policy = Field(description="Options that every job needs, and rules for all partitions")
    software: Software = Field(Software(), description="Modules and containers")
    monitoring: list[Tool] = Field(default_factory=list, description="Tools for monitoring jobs")
    storage: list[Place] = Field(default_factory=list, description="Places to store files")
    unconfirmed: dict[str, Prose] = Field(default_factory=dict, description="Reason for the doubt, by dotted key")
    unknown: dict[str, Prose] = Field(
        default_factory=dict,
        description="Unanswered questions, by dotted key. `guide adopt` writes one for each fact that a capture "
        "does not show. Delete the line when you write the key",
    )
    sources: dict[str, Annotated[list[Source], Field(min_length=1)]] = Field(description="Sources of each group")

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
