"""What was read from captures: records with the keys of `scontrol show`, whichever command has printed them."""

import re
from dataclasses import dataclass, field

NAME = re.compile(r"[A-Za-z0-9_.+-]{1,100}")
VALUE = re.compile(r"[A-Za-z0-9_.:,+*()=/ -]{0,5000}")
# Of a list of groups or accounts only whether there is one: `ALL`, or `(some)`.
LISTS = ("AllowGroups", "AllowAccounts", "AllowQos", "DenyAccounts")
TOTALS = re.compile(r"(cpu|mem|node|gres/gpu(:[A-Za-z0-9_.-]+)?)=[0-9.]+[KMGTP]?")  # of TRES: the rest is licenses
# Nothing else of a record is kept. `Nodes` is left out: it names hosts.
PARTITION_KEYS = {
    *("PartitionName", "Default", "DefaultTime", "MaxTime", "MinNodes", "MaxNodes", "MaxCPUsPerNode", "MaxMemPerNode"),
    *("MaxMemPerCPU", "DefMemPerNode", "DefMemPerCPU", "JobDefaults", "OverSubscribe", "QoS", "State", "TotalCPUs"),
    *("TotalNodes", "Hidden", "TRESBillingWeights", "TRES"),
    *LISTS,
}
NODE_KEYS = {
    "Arch",
    *("Count", "CPUTot", "CPUEfctv", "CoreSpecCount", "Sockets", "CoresPerSocket", "ThreadsPerCore", "RealMemory"),
    *("MemSpecLimit", "TmpDisk", "Gres", "AvailableFeatures", "Partitions"),
}
CONFIG_KEYS = {
    *("ClusterName", "SLURM_VERSION", "NodeVersion", "EnforcePartLimits", "GresTypes", "JobDefaults", "MaxArraySize"),
    *("DefMemPerCPU", "DefMemPerNode", "DefMemPerGPU", "MaxMemPerCPU", "MaxMemPerNode", "AccountingStorageEnforce"),
}
QOS_KEYS = ("Name", "MaxWall", "MaxTRES", "MaxTRESPU", "MaxJobsPU", "MaxSubmitPU", "MinTRES")


@dataclass(frozen=True)
class Record:
    """One partition, or one kind of node; `where` is the command that showed it, `line` its first line."""

    values: dict[str, str]
    where: str
    line: int

    def get(self, key: str) -> str | None:
        """The value, None where it is not there or says that there is none."""
        value = self.values.get(key)
        return None if value in (None, "", "(null)", "N/A", "NONE", "UNLIMITED") else value


@dataclass(frozen=True)
class Verdict:
    """Of a job script, by the hash of its bytes."""

    accepted: bool
    sha256: str
    name: str
    words: str


@dataclass
class Capture:
    """One file. A listing that is `whole` shows all there is, so what it lacks is not there."""

    file: str
    date: str | None = None
    asked: bool = False  # by ask_cluster.sh
    twin: bool = False
    partitions: list[Record] = field(default_factory=list)
    nodes: list[Record] = field(default_factory=list)
    config: dict[str, str] = field(default_factory=dict)
    qos: list[Record] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    not_asked: list[str] = field(default_factory=list)
    kind: str = "slurm"
    listed: list[Record] = field(default_factory=list)  # of sinfo: partitions and nodes in one line
    selected: bool = False  # a command line in it names some partitions or nodes only, or has a pipe

    @property
    def empty(self) -> bool:
        return not (self.partitions or self.nodes or self.config or self.qos or self.verdicts)


def number(text: str | None) -> int | None:
    """`128`, `1K` as a number; None for what is none."""
    found = re.fullmatch(r"([0-9]{1,12})([KMGT]?)", (text or "").strip())
    return int(found[1]) * 1024 ** " KMGT".index(found[2] or " ") if found else None


def minutes(text: str | None) -> float | None:
    """A time as Slurm prints it, in minutes: `2-00:00:00`, `4:00:00`, `30:00`."""
    found = re.fullmatch(r"(?:(?:([0-9]{1,5})-)?([0-9]{1,5}):)?([0-9]{1,2}):([0-9]{2})", text or "")
    if not found:
        return None
    days, hours, least, seconds = (int(part or 0) for part in found.groups())
    return days * 1440 + hours * 60 + least + seconds / 60


def gres(text: str | None) -> dict[str, int]:
    """`gpu:mi250:8(S:0-7),nvme:40000` as {"gpu:mi250": 8, "nvme": 40000}."""
    found: dict[str, int] = {}
    for each in re.sub(r"\([^)]*\)", "", text or "").split(","):
        *name, last = each.split(":")
        if name and (count := number(last)) is not None:
            found[":".join(name)] = found.get(":".join(name), 0) + count
        elif each:
            found[each] = found.get(each, 0) + 1
    return found
