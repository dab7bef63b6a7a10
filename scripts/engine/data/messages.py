"""The guide's messages for the engine, and a system's own numbers that belong to them."""

import re
from collections.abc import Iterable
from operator import le

from scripts.engine.data.form import gone
from scripts.engine.data.guide_scripts import lines_of
from scripts.facts import load_readable
from scripts.facts.limits import strictest
from scripts.facts.load import login_of_successor
from scripts.facts.model import Cluster, Partition, Rule, State
from scripts.facts.modules import load_modules
from scripts.facts.places import OWN_DISK, kind
from scripts.markdown import in_larger_units
from scripts.messages import load_messages
from scripts.messages.model import Systems
from scripts.paths import SNIPPETS

LISTINGS = ("seff", "jobstats", "sacct")
# What a message is about: a system's numbers for that are told with it.
ABOUT = {
    "time": "time-limit time-rejected time-required time-minutes time-qos time-least time-min invalid-time "
    "qos-max-wall partition-time-limit due-to-time-limit ge-queue-time",
    "access": "invalid-account invalid-account-waits",
    "certificate": "publickey-certificate",
    "keys": "publickey publickey-none",
    "queue": "ge-no-queue",
    "processors": "exec-format image-architecture",
    "account": "account-variable accounts-to-choose violates-policy account-required",
    "workflow": "workflow-partition",
    "accounts": "snakemake-account",
    "partition": "invalid-partition partition-required no-default-partition user-not-allowed",
    "gpu": "invalid-gres gres-two-ways gpu-model gpu-model-twin one-slice gpus-on-node numbers-of-gpus gpus-least "
    "gpus-most option-gpu gpu-jobs-only gpu-options-together tres qos-max-job ge-gpus gpu-uuid",
    "memory": "memory-task mem-per-limit invalid-mem oom-kill out-of-memory srun-oom cannot-allocate "
    "worker-killed shm cpu-allocator gaussian-memory "
    "r-vector memory-exceeded nextflow-killed workflow-memory java-heap java-heap-gatk java-heap-trinity "
    "samtools-memory ray-memory",
    "quota": "disk-quota disk-quota-cache disk-quota-project disk-quota-scratch jupyter-history "
    "jupyter-signatures vscode-server checkpoint-write julia-full pip-hash",
    "mpi": "mpi-pmi mpi4py-own-mpi",
    "files": "disk-quota-files disk-quota-conda disk-quota-projappl",
    "container": "container-path",
    "r": "config-program r-config",
    "conda": "conda-command conda-solve conda-killed conda-not-writable conda-terms conda-env-name conda-damaged "
    "conda-init conda-exists conda-packages conda-pytorch-cuda glibcxx-conda r-conda-compiler",
    "rocm": "torch-no-nccl tf-dlopen container-no-gpu",
    "cores": "cores-of-gpu mpi-bind cores-least cores-most too-many-processors step-processors cpu-count "
    "ge-share ge-slots",
    "node": "node-configuration node-specification workflow-node ge-host-offers ge-resources bad-constraints",
    "nodes": "node-count nodes-most partition-node-limit",
    "jobs": "too-many-jobs qos-max-submit assoc-max ge-user-limit",
    "running": "qos-max-user association-limits",
    "group": "qos-grp assoc-grp assoc-grp-run-minutes max-per-account",
    "left": "allocation-used qos-grp-minutes assoc-grp-minutes usage-threshold-waits",
    "qos": "invalid-qos invalid-qos-waits",
    "network": "network julia-artifact sra-download name-resolution pip-network wandb-network hf-offline download "
    "r-network snakemake-conda nextflow-plugin nextflow-image-network wandb-sweep",
    "read_only": "read-only",
    "kernel": "notebook-other-python jupyter-kernel",
    "pytorch": "no-kernel-image capability",
}
TOPIC = {key: topic for topic, keys in ABOUT.items() for key in keys.split()}


def messages() -> list[dict]:
    """All messages in their order. `systems`: keys, or what they have (a scheduler's kind, GPUs of a maker)."""
    clusters = load_readable()
    return [
        {
            "key": entry.key,
            "page": entry.page,
            "when": entry.group.when,
            "texts": entry.message.texts,
            "beside": entry.message.beside,
            **({"in_words": entry.message.in_words} if entry.message.in_words else {}),
            "fact": entry.message.fact,
            "means": plain(written.means),
            "cure": plain(written.do),
            "was": written.was,
            "now": written.now,
            "systems": None if entry.on is Systems.ALL else [entry.on] if entry.on else list(entry.systems),
            "about": TOPIC.get(entry.key),
            "rank": entry.message.rank or entry.group.rank,
        }
        for entry in load_messages(clusters)
        for written in [entry.group.messages[entry.key]]
    ]


def listings() -> dict[str, str]:
    """The listings of finished jobs that pages show, which a link fills into *Explain*."""
    return {name: (SNIPPETS / f"listings/{name}.txt").read_text(encoding="utf-8") for name in LISTINGS}


def plain(text: str) -> str:
    """Markdown without its links, and with quotes for emphasis."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(`[^`]*`)|\*([^*`]+)\*", lambda found: found[1] or f"“{found[2]}”", text)


def here(cluster: Cluster) -> dict[str, str]:
    """Topic -> what this system's numbers are, in a sentence or two; without those that nobody publishes."""
    policy = cluster.policy
    queued = policy.max_queued_jobs
    rooms = [(each.name or key, each) for key, each in cluster.partitions.items() if _open(key, each)]
    if policy.partition.rule is Rule.LEAVE_OUT and len(rooms) > 1:  # they differ in their time limits: the longest
        rooms = sorted(rooms, key=lambda room: room[1].max_time.minutes if room[1].max_time else 0)
        rooms = list({_kind_of_jobs(cluster, each): each for _, each in rooms}.items())
    notes = [(text, name) for name, each in rooms for text in (each.note or "").split(". ") if " together" in text]
    named = {
        "time": (
            time := _grouped("Maximum time", ((each.max_time and each.max_time.words, name) for name, each in rooms))
        ),
        "access": " ".join(filter(None, [_account(cluster), _access(cluster)])),
        "certificate": (signed := " ".join(note for note in policy.notes if "SSH certificate" in note)),
        "keys": f"{signed} {_access(cluster)}",
        "processors": _processors(cluster),
        "account": _account(cluster),
        "accounts": (accounts := _accounts(cluster)),
        "partition": (partitions := _partitions(cluster, dict(rooms))),
        "workflow": f"{accounts} {partitions}",
        "gpu": _grouped(
            "Request one GPU", ((f"{gpu.model}, {gpu.size}", gpu.request) for gpu in cluster.gpus.values())
        ),
        "memory": _memory(cluster, rooms),
        "cores": (cores := _grouped("Cores per node", ((_cores(cluster, each), name) for name, each in rooms))),
        "queue": f"{time} {cores}",
        "node": _grouped("A node has at most", ((_node(cluster, each), name) for name, each in rooms)),
        "nodes": _grouped(
            "Maximum number of nodes per job", ((strictest(each, "nodes", "at_most"), name) for name, each in rooms)
        ),
        "jobs": _grouped("Maximum number of jobs per user", ((each.max_jobs, name) for name, each in rooms))
        or (f"Maximum number of pending and running jobs per user: {queued:,}." if queued else ""),
        "running": _grouped(
            "Maximum number of running jobs per user", ((each.max_running_jobs, name) for name, each in rooms)
        )
        + _grouped(" Limits on all your jobs", notes),
        "left": f"To see what is left, run `{cluster.billing.command}`." if cluster.billing.command else "",
        "quota": _quota(cluster),
        "files": f"{_quota(cluster)} {cluster.software.conda_instead or ''}".strip(),
        "mpi": " ".join(note for note in cluster.software.notes if "MPI" in note),
        "container": _hidden(cluster),
        "proot": " ".join(note for note in cluster.software.notes if "proot" in note),
        "r": _r(cluster),
        "conda": _conda(cluster),
        "rocm": _rocm(cluster),
        "help": cluster.access.support,
        "pytorch": _grouped(
            "Oldest PyTorch that is allowed here", ((gpu.oldest_pytorch, gpu.model) for gpu in cluster.gpus.values())
        ),
        "network": _network(cluster),
        "read_only": _read_only(cluster),
        "retired": gone(cluster) if cluster.status.state is State.RETIRED else "",
        "kernel": _kernel(cluster),
        "qos": f"Values of `--qos`: {', '.join(cluster.qos)}." if cluster.qos else "",
    }
    return {topic: in_larger_units(plain(sentence.strip())) for topic, sentence in named.items() if sentence}


def taught(cluster: Cluster) -> dict:
    """How this system's page writes the lines that cures propose: those of its script for one GPU."""
    lines = lines_of(cluster, "one_gpu")
    gpu = re.search(r"^(#SBATCH --(?:gres=gpu|gpus).*|#\$ -l coproc.*)1$", "\n".join(lines), re.MULTILINE)
    seen = {kind(place.path): place.path for place in cluster.storage if not place.one_node}
    scratch = seen.get("Data for running jobs", seen.get("A project's programs"))
    software, r = cluster.software, cluster.software.r
    interface = load_modules().interfaces.get(cluster.network)
    cuda = {version.split(".")[0]: version for version in software.versions.get("cuda", [])}
    own = {
        "account": any(line.startswith("#SBATCH --account=") for line in lines),
        "amd": _rocm(cluster),
        "arm": any(node.gpus and node.architecture == "aarch64" for node in cluster.node_types.values()),
        "bind": software.container_bind,
        "capabilities": ";".join(
            sorted({each for gpu in cluster.gpus.values() if (each := gpu.compute_capability)}, key=float)
        ),
        "conda_r": r and "conda" in " ".join(r.once),
        "container": software.container_option,
        "first_module": next((each for each in software.load_first if each.startswith("StdEnv")), None),
        "gpu": gpu and gpu[1],
        "grid_engine": cluster.scheduler.kind == "grid_engine",
        "image": next(iter(software.images), None),
        "image_modules": software.module_paths
        and f"module use {software.module_paths[0]}; module load {software.modules[0]}",
        "interface": interface,
        "interfaces": interface and interface.rstrip("0123456789"),
        "memory": any(line.startswith("#SBATCH --mem=") for line in lines),
        "no_conda": bool(_conda(cluster)),
        "no_partition": cluster.policy.partition.rule is Rule.LEAVE_OUT,
        "no_nv": software.container_option == "none",
        "opencv": next((name for name in software.modules if name.startswith("opencv")), None),
        "partition": next((line for line in lines if line.startswith("#SBATCH --partition=")), None),
        "scratch": scratch and re.sub("<[a-z]+>", "YOUR_PROJECT", scratch),
        "singularity": software.container_command == "singularity",
        "successor": login_of_successor(cluster),
        "wheelhouse": any("--no-index" in note for note in software.notes),
        **{f"cuda {major}": version for major, version in cuda.items()},
        **_usual(cluster),
    }
    return {name: value for name, value in own.items() if value}


def _usual(cluster: Cluster) -> dict:
    """The size of the node that most CPU-only jobs get, and the least host memory of a node for each GPU, in GiB."""
    names = {name for key, each in cluster.partitions.items() if _open(key, each) for name in each.node_types}
    nodes = [node for name in names if not (node := cluster.node_types[name]).gpus and node.cores and node.memory]
    node = max(nodes, key=lambda node: (node.count or 0, -node.memory.mib), default=None)
    usual = {"usual cores": str(node.cores), "usual memory": str(int(node.memory.mib // 1024))} if node else {}
    of_gpus = [(node.memory.mib, sum(node.gpus.values())) for node in cluster.node_types.values() if node.memory]
    return {**usual, "gpu_share": min((int(mib / 1024 / gpus) for mib, gpus in of_gpus if gpus), default=None)}


def _kind_of_jobs(cluster: Cluster, each: Partition) -> str:
    return "GPU jobs" if any(cluster.node_types[name].gpus for name in each.node_types) else "CPU-only jobs"


def _open(key: str, each: Partition) -> bool:
    return not each.access and not re.search(r"-st(an)?dby$", key)


def _grouped(what: str, values: Iterable[tuple[object, str]]) -> str:
    """`Maximum time: 2 days: `gpu`, `standard`; 7 days: `long`.`"""
    names: dict[object, list[str]] = {}
    for value, name in dict.fromkeys(values):
        if value:
            names.setdefault(f"{value:,}" if isinstance(value, int) else value, []).append(
                name if name.endswith(" jobs") else f"`{name}`"
            )
    return (
        f"{what}: " + "; ".join(f"{value}: {', '.join(each)}" for value, each in names.items()) + "." if names else ""
    )


def _account(cluster: Cluster) -> str:
    policy = cluster.policy
    if not policy.sample_account:
        return "This system requires no account."
    words = cluster.scheduler.words
    line = f"{words.prefix} {words.account}{policy.sample_account}"
    return f"Write `{line}`, with your own account. {_accounts(cluster)}"


def _accounts(cluster: Cluster) -> str:
    """What accounts look like, and the command that lists them."""
    policy = cluster.policy
    if not policy.sample_account:
        return "This system requires no account."
    forms = f"Accounts look like {', '.join(f'`{form}`' for form in policy.account_forms)}."
    note = policy.account.note
    command = cluster.billing.command if " -A " not in (cluster.billing.command or "") else None
    said = [policy.account_forms and forms, note and f"{note[0].upper()}{note[1:]}."]
    return " ".join(filter(None, [*said, command and f"`{command}` shows yours."]))


def _partitions(cluster: Cluster, rooms: dict[str, Partition]) -> str:
    if cluster.policy.partition.rule is Rule.LEAVE_OUT:
        return "Do not set a partition. The scheduler chooses it."
    return f"Partitions: {', '.join(f'`{name}`' for name in rooms)}."


def _access(cluster: Cluster) -> str:
    """What a project or a person needs first, without the addresses' Markdown."""
    apply = cluster.access.apply
    return f"Access to {cluster.name}: {apply.removesuffix('.')}." if apply else ""


def _memory(cluster: Cluster, rooms: list[tuple[str, Partition]]) -> str:
    sizes = _grouped("Memory per node", ((_range(cluster, each), name) for name, each in rooms))
    least = {each.default_memory_per_core or cluster.policy.default_memory_per_core for _, each in rooms}
    if len(least) == 1 and (least := least.pop()):
        sizes = f"A job that requests no memory has {least} per core. {sizes}"
    own = cluster.policy.memory
    if (own.gpu_jobs or own.rule) not in (Rule.LEAVE_OUT, Rule.IGNORED):
        return sizes
    why = f": {own.note}" if own.note else ""
    return f"{sizes} Do not set memory in GPU jobs here{why}. To get more memory, request more GPUs.".strip()


def _processors(cluster: Cluster) -> str:
    """Where to log in, on a system whose nodes have processors of two kinds."""
    if len({node.architecture for node in cluster.node_types.values()}) < 2:
        return ""
    hosts = " and ".join(f"{each.host} for {each.use}" for each in cluster.login)
    return f"{cluster.name}'s nodes have two kinds of processors. Install programs, and submit, on {hosts}."


def _network(cluster: Cluster) -> str:
    return {
        True: f"{cluster.name}'s compute nodes have internet access, so check the address and try again.",
        False: f"{cluster.name}'s compute nodes have no internet access.",
        None: "",
    }[cluster.policy.internet_on_compute_nodes]


def _read_only(cluster: Cluster) -> str:
    paths = [f"`{place.path}`" for place in cluster.storage if place.read_only_in_jobs]
    return f"In jobs on {cluster.name}, {' and '.join(paths)} are read-only." if paths else ""


def _quota(cluster: Cluster) -> str:
    """How much each place holds, and the commands that show what is used of it; nothing of a retired system."""
    if cluster.status.state is State.RETIRED:
        return ""
    places = [place for place in cluster.storage if kind(place.path) != OWN_DISK]
    parts = [(str(place.size or ""), f"{place.files:,} files" if place.files else "") for place in places]
    holds = ((" and ".join(filter(None, part)), place.path) for part, place in zip(parts, places, strict=True))
    commands = ", ".join(f"`{command}`" for command in dict.fromkeys(place.command for place in places) if command)
    run = f"To see your usage, run {commands}." if commands else ""
    return f"{_grouped('Quotas', holds)} {run}".strip()


def _hidden(cluster: Cluster) -> str:
    paths = ", ".join(f"`{path}`" for path in cluster.software.container_hides)
    return f"Unless an option binds them, containers on {cluster.name} do not have {paths}." if paths else ""


def _r(cluster: Cluster) -> str:
    once = cluster.software.r.once if cluster.software.r else []
    return f"On {cluster.name}, R and its packages are from conda." if "conda" in " ".join(once) else ""


def _conda(cluster: Cluster) -> str:
    never = "Users may not install Anaconda or Miniconda here. Create a virtual environment with `virtualenv`."
    return cluster.software.conda_instead or (never if cluster.policy.conda is False else "")


def _rocm(cluster: Cluster) -> str:
    ours = [gpu.model for gpu in cluster.gpus.values()][:1]  # its usual one
    return (
        f"{cluster.name}'s GPUs are from AMD. Use builds for ROCm, or the system's containers."
        if "AMD" in "".join(ours)
        else ""
    )


def _kernel(cluster: Cluster) -> str:
    """The commands with which its page creates a notebook's kernel."""
    blocks = (re.findall(r"```console\n(.*?)\n```", step, re.DOTALL) for step in cluster.interactive.jupyter)
    found = next((text for each in blocks for text in each if "ipykernel" in text), "")
    return f"Here, these commands create a kernel: `{'; '.join(found.splitlines())}`." if found else ""


def _cores(cluster: Cluster, each: Partition) -> object:
    return each.max_cores_per_node or _largest(cluster, each, "cores")


def _largest(cluster: Cluster, each: Partition, field: str) -> object:
    """The largest of its nodes' `memory` or `cores`, as published."""
    values = [value for name in each.node_types if (value := getattr(cluster.node_types[name], field))]
    return max(values, key=lambda value: getattr(value, "mib", value), default=None)


def _range(cluster: Cluster, each: Partition) -> str:
    """The memory of its nodes, from the least to the most."""
    sizes = [memory for name in each.node_types if (memory := cluster.node_types[name].memory)]
    ends = sorted(sizes, key=lambda memory: memory.mib)[:: max(1, len(sizes) - 1)]
    return " to ".join(dict.fromkeys(map(str, ends)))


def _node(cluster: Cluster, each: Partition) -> str:
    """Its nodes, without those of which another has at least as much of everything."""
    types = [cluster.node_types[name] for name in each.node_types]
    sizes = {(node.cores or 0, node.memory.mib if node.memory else 0, sum(node.gpus.values())): node for node in types}
    most = [size for size in sizes if not any(other != size and all(map(le, size, other)) for other in sizes)]
    parts = (
        (
            cores and f"{cores} cores",
            str(sizes[cores, mib, gpus].memory or ""),
            gpus and f"{gpus} GPU{'s' * (gpus > 1)}",
        )
        for cores, mib, gpus in sorted(most, reverse=True)
    )
    return " or ".join(", ".join(filter(None, part)) for part in parts)
