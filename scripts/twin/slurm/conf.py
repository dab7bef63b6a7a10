"""slurm.conf and gres.conf of a cluster's twin, at its real size, written from the facts.

Nodes are CLOUD: they count as schedulable though they do not exist, so no slurmd is needed for a verdict. A job that is
really submitted gets the first nodes of their type, which have addresses here: Slurm calls the program `resume` of the
twin's folder, and that has them started. What slurm.conf cannot say is in policy.lua. Plugins that do nothing go
unnamed: newer versions have none of that name.
"""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from scripts.facts import Cluster, NodeType, Partition
from scripts.facts.limits import limits
from scripts.twin.home import user

LONGEST_SLICE = 16  # letters of a name
SLICES = 7  # into which an NVIDIA GPU can be cut
LIVING_NODES = 4  # of each type: those that come to life when a job is given them
# What is not published refuses nothing.
UNKNOWN_COUNT = 1000  # nodes of a type
UNKNOWN_CORES, UNKNOWN_MEMORY_MIB, UNKNOWN_TMP_MIB = 256, 4_000_000, 100_000_000

# A job that names several partitions is judged by the one that takes it: no operator says that all must.
HEAD = """ClusterName={name}
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmdUser={user}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/spool/%n
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
JobSubmitPlugins=lua
EnforcePartLimits=ANY
GresTypes={gres}
MaxArraySize=1000000
MaxJobCount=1000000
PrivateData=cloud
ReturnToService=2
SuspendProgram=/bin/true
ResumeProgram={folder}/resume
SuspendTime=1000000
ResumeTimeout=600
TreeWidth=65000
"""


def node_types(cluster: Cluster) -> dict[str, NodeType]:
    """The facts' node types; slices that no node type lists get nodes of their own, cut from their whole GPU's. A node
    has as many as a job may have: a job that names no model gets no more slices than one that names them.
    """
    types = dict(cluster.node_types)
    placed = {gpu for node in types.values() for gpu in node.gpus}
    for key, gpu in cluster.gpus.items():
        if gpu.slice_of and key not in placed:
            name, whole = next((name, node) for name, node in cluster.node_types.items() if gpu.slice_of in node.gpus)
            number = cluster.policy.slices_per_job or SLICES
            types[f"{name} {key}"] = whole.model_copy(update={"gpus": {key: number}, "count": 2})
    return types


def hosts(key: str, node: NodeType, first: int = 1, last: int | None = None) -> str:
    """Names of a type's nodes, all of them or from the first to the last, as Slurm's host lists are written."""
    return f"{_prefix(key)}[{first:05}-{last or number_of(node):05}]"


def host_name(key: str, number: int) -> str:
    return f"{_prefix(key)}{number:05}"


def _prefix(key: str) -> str:
    words = "".join(letter if letter.isalnum() else "-" for letter in key)
    if " " in key and len(words) > LONGEST_SLICE:  # twice in the path of slurmd's socket
        words = f"{words[:4]}{crc32(key.encode()) & 0xFFFF:04x}-{words[-7:]}"
    return f"{words}-"


def number_of(node: NodeType) -> int:
    return node.count or UNKNOWN_COUNT


def living_nodes(cluster: Cluster) -> int:
    return LIVING_NODES * len(node_types(cluster))


def first_nodes(cluster: Cluster, with_gpus: int) -> list[str]:
    """The first nodes of each type: so many of one with GPUs, and one of the others; of those that can live."""
    most = {key: min(with_gpus if t.gpus else 1, LIVING_NODES, number_of(t)) for key, t in node_types(cluster).items()}
    return [host_name(key, number) for key in most for number in range(1, most[key] + 1)]


def gres_type(gres: str) -> str:
    """`gpu:v100` -> `v100`; `gpu` -> ``."""
    return gres.partition(":")[2]


def gres_names(cluster: Cluster) -> list[str]:
    """`gpu` and what else `--gres` can name."""
    return ["gpu", *dict.fromkeys(name for node in cluster.node_types.values() for name in node.gres)]


def gres_of(cluster: Cluster, node: NodeType) -> list[tuple[str, int]]:
    """What `--gres` finds on one node of this type: name, with the type of a GPU, and number."""
    return [(cluster.gpus[gpu].gres, number) for gpu, number in node.gpus.items()] + [*node.gres.items()]


def partition_types(cluster: Cluster, partition: Partition) -> list[str]:
    """The twin's node types behind a partition: the facts' and the slices cut from them."""
    return [key for key in node_types(cluster) if key.split(" ")[0] in partition.node_types]


def partition_hosts(cluster: Cluster, partition: Partition) -> dict[str, int]:
    """How many nodes of each type a partition has, the first ones. Where it has fewer than there are, the rarest types
    are there in full, if that leaves one of each: which nodes are left out is seldom published.
    """
    types = node_types(cluster)
    there = {key: number_of(types[key]) for key in partition_types(cluster, partition)}
    return spread(there, partition.node_count or sum(there.values()))


def spread(nodes: dict[str, int], left: int) -> dict[str, int]:
    """So many of these nodes, by type: the rarest in full, if that leaves one of each."""
    there = dict(nodes)
    others = len(there)
    for key in sorted(there, key=there.get):
        others -= 1
        there[key] = max(1, min(there[key], left - others))
        left -= there[key]
    return there


def _node_lines(cluster: Cluster, ports: int) -> Iterator[str]:
    tmp_published = any(node.tmp for node in cluster.node_types.values())
    for place, (key, node) in enumerate(node_types(cluster).items()):
        gres = [f"{name}:{number}" for name, number in gres_of(cluster, node)]
        cores = node.cores or UNKNOWN_CORES
        sockets = node.sockets if node.sockets and cores % node.sockets == 0 else 1
        memory = int(node.memory.mib) if node.memory else UNKNOWN_MEMORY_MIB
        tmp = int(node.tmp.mib) if node.tmp else 0 if tmp_published else UNKNOWN_TMP_MIB
        words = (
            f"CPUs={cores * node.threads_per_core} Sockets={sockets} CoresPerSocket={cores // sockets} "
            f"ThreadsPerCore={node.threads_per_core} RealMemory={memory} TmpDisk={tmp} State=CLOUD"
            + (f" Gres={','.join(gres)}" if gres else "")
            + (f" Feature={','.join(node.features)}" if node.features else "")
        )
        living = min(LIVING_NODES, number_of(node))
        port = ports + place * LIVING_NODES
        # a weight each: of nodes that weigh alike, Slurm puts one that is awake with those that never are
        for number in range(1, living + 1):
            address = f"NodeAddr=127.0.0.1 NodeHostname=localhost Port={port + number - 1}"
            yield f"NodeName={host_name(key, number)} {address} Weight={number} {words}"
        if living < number_of(node):
            yield f"NodeName={hosts(key, node, living + 1)} Weight=100 {words}"


def partition_words(cluster: Cluster, p: Partition) -> dict[str, int | str]:
    """What the facts say of a partition, in slurm.conf's words; times in minutes, memory in MiB."""
    words = {row.slurm_conf: number for _, row, number in limits("partitions", p) if row.slurm_conf}
    if p.exclusive:
        words["OverSubscribe"] = "EXCLUSIVE"
    if p.default and not p.name:
        words["Default"] = "YES"
    return words | dict(_defaults(cluster, p))


def _partition_lines(cluster: Cluster, more: dict[str, dict[str, str]]) -> Iterator[str]:
    types = node_types(cluster)
    for key, p in cluster.partitions.items():
        nodes = ",".join(hosts(name, types[name], 1, n) for name, n in partition_hosts(cluster, p).items())
        words = {"PartitionName": key, "Nodes": nodes, "State": "UP"} | partition_words(cluster, p)
        words |= more.get(key, {})
        yield " ".join(f"{word}={value}" for word, value in words.items())


def _defaults(cluster: Cluster, p: Partition) -> Iterator[tuple[str, int]]:
    """What a job gets that asks for no memory: the partition's own, or else the cluster's."""
    if p.default_memory_per_node:
        yield "DefMemPerNode", int(p.default_memory_per_node.mib)
    elif p.default_memory_per_gpu:
        yield "DefMemPerGPU", int(p.default_memory_per_gpu.mib)
    elif memory := p.default_memory_per_core or cluster.policy.default_memory_per_core:
        yield "DefMemPerCPU", int(memory.mib / threads_per_core(cluster, p))


def threads_per_core(cluster: Cluster, p: Partition) -> int:
    """Slurm's CPU is a thread, of which a job gets all that a core has."""
    return max(cluster.node_types[name].threads_per_core for name in p.node_types)


def slurm_conf(
    cluster: Cluster,
    folder: Path,
    port: int,
    owner: str | None = None,
    more: str = "",
    of_partitions: dict[str, dict[str, str]] | None = None,
) -> str:
    """The daemon listens on `port`; the nodes that can live on as many as `living_nodes` behind it.

    `more` are further lines, and `of_partitions` further words of each partition's.
    """
    gres = ",".join(gres_names(cluster))
    lines = [
        HEAD.format(name=cluster.key, port=port, folder=folder, user=owner or user(), gres=gres) + more,
        *_node_lines(cluster, port + 1),
        *_partition_lines(cluster, of_partitions or {}),
    ]
    return "\n".join(lines) + "\n"


def gres_conf(cluster: Cluster, folder: Path) -> str:
    """What `--gres` finds on each node. The files stand for GPUs; `device_files` names them. All else is counted."""
    lines = ["AutoDetect=off"]
    for key, node in node_types(cluster).items():
        first = 0
        for gpu, number in node.gpus.items():
            kind = gres_type(cluster.gpus[gpu].gres)
            lines.append(
                f"NodeName={hosts(key, node)} Name=gpu"
                + (f" Type={kind}" if kind else "")
                + f" File={folder}/gpu[{first}-{first + number - 1}]"
            )
            first += number
        lines += [
            f"NodeName={hosts(key, node)} Name={name} Count={number} Flags=CountOnly"
            for name, number in node.gres.items()
        ]
    return "\n".join(lines) + "\n"


def device_files(cluster: Cluster) -> int:
    return max((sum(node.gpus.values()) for node in node_types(cluster).values()), default=0)
