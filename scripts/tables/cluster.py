"""The tables of one cluster, each a function of its facts. A value that is not confirmed is marked where it stands."""

import re
from collections.abc import Callable
from textwrap import indent

from pydantic import BaseModel

from scripts.facts.applications import with_gpu_build
from scripts.facts.limits import limits
from scripts.facts.model import (
    Cluster,
    Gpu,
    NodeType,
    Part,
    Partition,
    Place,
    Qos,
    Renamed,
    Requirement,
    Rule,
    Software,
    Source,
    State,
)
from scripts.facts.places import other_sizes
from scripts.facts.units import Date, day
from scripts.facts.unknown import NOT_KNOWN
from scripts.markdown import table

UNCONFIRMED = " *(unconfirmed)*"
NO_LIMITS = ("none published", "none known")  # the second while questions are open
APPLICATIONS = "GPU applications with a script in this guide"
Clusters = dict[str, Cluster]
Tables = dict[str, Callable[[Cluster, Clusters], str]]  # a file's name -> what writes it

ITEMS = {"partitions": "Partition", "gpus": "GPU", "node_types": "Node type", "qos": "QOS"}
GROUPS = {
    "gpus": "GPUs",
    "interactive": "Interactive use",
    "node_types": "Node types",
    "policy": "Job options",
    "qos": "QOS",
}
TOPICS = {"gpus": "GPUs", "qos": "QOS", "policy": "job options", "interactive": "interactive use"}
# How the names of several things begin, by how the name of one does, and what joins them.
SEVERAL = {
    "Partition ": ("Partitions ", ", "),
    "GPU ": ("GPUs ", ", "),
    "Nodes with ": ("Nodes with ", ", nodes with "),
}
# Keys of the facts whose words for readers are others.
FIELDS = {
    "kept": "retention",
    "rules": "rates",
    "jupyter": "Jupyter",
    "fair_share": "cores and memory per GPU",
    "fair_share.cores": "cores per GPU",
    "fair_share.memory": "memory per GPU",
    "max_time_several_gpus": "maximum time with multiple GPUs",
    "count": "number of nodes",
    "counts": "number of GPUs per job",
    "synonyms": "other names",
    "tmp": "limit of `--tmp`",
    "gres": "limit of `--gres`",
    "editor": "VS Code and other editors",
    "submit_from": "where to submit from",
    "sample_account": "placeholder account",
    "gpu_jobs_in": "partition for GPU jobs",
    "ended": "end of service",
}
STORAGE_FIELDS = tuple(f".{field}" for field in Place.model_fields)
MAIL = re.compile(r"(?<![<`\w.:/])[\w.-]+@[\w-]+(?:\.[\w-]+)+(?![\w>])")
LIMITS = "what-a-job-must-say-and-its-limits"
FEW = 3  # partitions at the head of a page
OPTIONS = {
    "account": "`--account`",
    "time": "`--time`",
    "partition": "`--partition`",
    "gpu_model": "the GPU model",
    "memory": "`--mem`",
}
KINDS = {
    "one-gpu": "Single GPU",
    "several-gpus": "Multi-GPU",
    "a-whole-node": "Full node",
    "more-than-one-node": "Multi-node",
    "a-slice": "MIG slice",
    "many-jobs": "Job array",
    "without-a-gpu": "CPU only",
    "by-hand": "Interactive",
}
# What else a partition's cell says beside its limits: the field, and the words for one and for several.
SETTINGS = {
    "node_count": ("the partition has {:,} node", "the partition has {:,} nodes"),
    "default_memory_per_core": ("default memory {} per core",),
    "default_memory_per_gpu": ("default memory {} per GPU",),
    "default_memory_per_node": ("default memory {} per node",),
    "exclusive": ("full nodes only",),
    "memory_by_cores": ("the number of cores determines the memory",),
    "gpu_jobs_in": ("also for GPU jobs, which go to `{}`",),
    "longer_jobs_in": ("longer jobs go to `{}`",),
    "default": ("default partition",),
    "routed": ("Slurm may choose this partition if you name none",),
    "only_for": ("for {} only",),
    "max_running_jobs": ("{:,} running job per user", "up to {:,} running jobs per user"),
}


def mark(cluster: Cluster, text: str, *path: str) -> str:
    """The text with a mark if the value that it shows, a part of that, or its whole group is in doubt."""
    return mark_part(cluster, text, *path) if path[0] not in cluster.unconfirmed else unsure(text)


def mark_name(cluster: Cluster, text: str, group: str, key: str) -> str:
    """The name of a row, marked if the row as a whole or its group is in doubt; its values have marks of their own."""
    return unsure(text) if cluster.unconfirmed.keys() & {group, f"{group}.{key}"} else text


def mark_part(cluster: Cluster, text: str, *path: str) -> str:
    """One value of a row: marked if it or a part of it is in doubt."""
    doubtful = any(f"{key}.".startswith(f"{'.'.join(path)}.") for key in cluster.unconfirmed)
    return unsure(text) if doubtful else text


def unsure(text: str) -> str:
    """The text with the mark: inside the sentence, or after several, since then it is about all of them. What nobody
    knows is in no doubt.
    """
    if text == NOT_KNOWN:
        return text
    inside = text.endswith(".") and ". " not in text
    return f"{text[:-1]}{UNCONFIRMED}." if inside else f"{text}{UNCONFIRMED}"


def teller(cluster: Cluster, part: BaseModel, *path: str) -> Callable[[str, str], str]:
    """told(field, words): the words about a field of this part of the facts, marked; empty where it has none."""

    def told(field: str, words: str) -> str:
        return mark_part(cluster, words, *path, field) if getattr(part, field) else ""

    return told


def missing(cluster: Cluster) -> str:
    """What stands where the facts have nothing: while questions are open, nobody claims to have read everything."""
    return NOT_KNOWN if cluster.unknown else "not published"


def gpu_partitions(cluster: Cluster) -> dict[str, Partition]:
    """The partitions with a GPU in one of their kinds of nodes."""
    nodes = cluster.node_types
    return {key: p for key, p in cluster.partitions.items() if any(nodes[name].gpus for name in p.node_types)}


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def page(cluster: Cluster) -> str:
    return f"/clusters/{cluster.key}.md"


def link(cluster: Cluster, anchor: str = "") -> str:
    return f"[{cluster.name}]({page(cluster)}{anchor and '#' + anchor})"


def successor(cluster: Cluster, clusters: Clusters) -> str:
    """The successor's name, linked to its page where the guide has one."""
    key = cluster.status.successor or ""
    return link(clusters[key]) if key in clusters else key


def chip(cluster: Cluster) -> str:
    """The state in a word or two."""
    status = cluster.status
    if status.state is State.RETIRED:
        return mark(cluster, f"retired {status.ended}" if status.ended else "retired", "status", "ended")
    return {State.ACTIVE: "in service", State.RETIRING: "being retired", State.ANNOUNCED: "announced"}[status.state]


def status(cluster: Cluster, clusters: Clusters) -> str:
    """The banner at the head of a cluster's part of a page."""
    name, status = cluster.name, cluster.status
    note = f" {mark(cluster, status.note, 'status', 'note')}" if status.note else ""
    if status.state is State.RETIRED:
        when = "(date not published)"
        if status.ended:
            ended = mark(cluster, day(status.ended), "status", "ended")
            when = f"{'on' if len(status.ended) == 10 else 'in'} {ended}"
        instead = f" Its replacement is {successor(cluster, clusters)}."
        where = mark(cluster, instead, "status", "successor") if status.successor else ""
        move = ""
        if status.successor in clusters:
            move = f"\n\n    [Move a script to the new system](/jobscript.md#cluster={cluster.key})\n"
        return (
            f'!!! danger "{name} is retired"\n\n    {name} stopped running jobs {when}.{where}{note} '
            f"This page helps you understand old scripts and results. {checked(cluster)}\n{move}"
        )
    since = mark(cluster, f"**In service** since {day(status.since or '')}.", "status", "since")
    parts = [since if status.since else "**In service.**"]
    if status.planned_end:
        parts.append(mark(cluster, f"Planned end of service: {day(status.planned_end)}.", "status", "planned_end"))
        if status.successor:
            note += " " + mark(cluster, f"The successor is {successor(cluster, clusters)}.", "status", "successor")
    own = f"[Write or check a script](/jobscript.md#cluster={cluster.key})"
    return f"{' '.join(parts)}{note} {checked(cluster)} {own}\n{{: .runs }}\n"


def checked(cluster: Cluster) -> str:
    """When its facts were read: the oldest of its sources counts."""
    read = sorted(source.read for sources in cluster.sources.values() for source in sources)
    after = "or after " * (read[0] != read[-1])
    doubts = " Those in doubt are marked *unconfirmed*." * bool(cluster.unconfirmed)
    return f"[All facts were checked](#sources) on {after}{Date(read[0]).words}.{doubts}"


def glance(cluster: Cluster, clusters: Clusters) -> str:
    """One row of what is asked for first: GPU, its share, the longest job, its price, the way in, what a job needs."""
    whole = [key for key, gpu in cluster.gpus.items() if not gpu.is_slice]
    first = cluster.gpus[whole[0]]
    gpu = mark_part(cluster, f"{first.model}, {sizes_of(cluster, first)}", "gpus", whole[0], "memory")
    if more := len(whole) - 1:
        gpu += f", plus {plural(more, 'other model')}"
    share = mark_part(cluster, share_of(cluster, first), "gpus", whole[0], "fair_share")
    times = {key: partition.max_time for key, partition in gpu_partitions(cluster).items() if partition.max_time}
    longest = missing(cluster)
    if times:
        key = max(times, key=lambda key: times[key].minutes)
        longest = mark_part(cluster, times[key].words, "partitions", key, "max_time")
    price = mark(cluster, cluster.billing.gpu_hour or missing(cluster), "billing", "gpu_hour")
    host = mark(cluster, f"`ssh <user>@{cluster.login[0].host}`", "login") if cluster.login else missing(cluster)
    heads = ("Main GPU", "Cores and memory per GPU", "Maximum GPU job time", "Cost of one GPU per hour", "Log in")
    more = ("Account", "Required options", "GPU partitions")
    row = (gpu, share, longest, price, host, "[How to get access](#access)", _required(cluster), _places(cluster))
    return f'<div class="glance" markdown>\n\n{table(heads + more, [row])}\n</div>\n\n{_kinds(cluster)}'


def _required(cluster: Cluster) -> str:
    found = []
    for field, option in OPTIONS.items():
        asked = getattr(cluster.policy, field)
        if (asked.gpu_jobs or asked.rule) is Rule.REQUIRED:
            found.append(mark(cluster, option, "policy", field))
    unknown = any(f"policy.{field}" in cluster.unknown for field in OPTIONS)
    return ", ".join(found) or (NOT_KNOWN if unknown else "none")


def _places(cluster: Cluster) -> str:
    """The partitions for GPU jobs, each with its longest time; the first few of those that the operator names."""
    if cluster.policy.partition.rule is Rule.LEAVE_OUT:
        said = "Do not set one"
    else:
        there = gpu_partitions(cluster)
        names = [
            f"`{each.name or key}`" + (f" ({each.max_time.words})" if each.max_time else "")
            for key, each in there.items()
            if f"partitions.{key}" not in cluster.unconfirmed
        ]
        more = f", plus {plural(len(names) - FEW, 'more partition')}" if len(names) > FEW else ""
        said = ", ".join(names[:FEW]) + more
    return f"{said}. [All limits](#{LIMITS})"


def _kinds(cluster: Cluster) -> str:
    """Links to the parts with a script each, which share a place where assets/kinds.js runs."""
    slices = any(gpu.is_slice for gpu in cluster.gpus.values())
    links = [f"- [{name}](#{part})" for part, name in KINDS.items() if slices or part != "a-slice"]
    listed = "\n".join(links)
    return f"""<div class="kinds" markdown data-search-exclude>

{listed}

</div>
<script src="../assets/kinds.js" defer></script>
"""


def at_a_glance(cluster: Cluster, clusters: Clusters) -> str:
    version = f"{cluster.scheduler.words.name} {cluster.scheduler.version or ''}".strip()
    scheduler = mark(cluster, version, "scheduler", "version")
    if cluster.scheduler.note:
        scheduler += "; " + mark(cluster, cluster.scheduler.note, "scheduler", "note")
    since = (
        f"{' since' if cluster.running else '; in service from'} {cluster.status.since}" if cluster.status.since else ""
    )
    rows = [("Operator", cluster.operator), ("Status", chip(cluster) + since), ("Scheduler", scheduler)]
    for label, field in (("Who can use it", "who"), ("How to get access", "apply"), ("Help", "support")):
        if text := getattr(cluster.access, field):
            rows.append((label, mark(cluster, MAIL.sub(r"<\g<0>>", text), "access", field)))
        elif f"access.{field}" in cluster.unknown:
            rows.append((label, NOT_KNOWN))
    if "login" in cluster.unknown:
        rows.append(("Log in", NOT_KNOWN))
    if cluster.login:
        hosts = "<br>".join(f"`{login.host}` {login.purpose}" for login in cluster.login).removesuffix(" for all jobs")
        rows.append(("Log in", mark(cluster, hosts, "login")))
    if cluster.portals:
        portals = "<br>".join(f"<{portal.url}>: {portal.use}" for portal in cluster.portals)
        rows.append(("Web portal", mark(cluster, portals, "portals")))
    for label, wanted in (("GPU nodes", True), ("CPU nodes", False)):
        lines = [
            mark_name(cluster, _node(cluster, key, node), "node_types", key)
            for key, node in cluster.node_types.items()
            if bool(node.gpus) is wanted
        ]
        if lines:
            rows.append((label, "<br>".join(lines)))
    if cluster.network:
        rows.append(("Network", cluster.network))
    if cluster.gpu_total:
        divided = any(cluster.gpus[key].is_slice for node in cluster.node_types.values() for key in node.gpus)
        but = ", not counting GPUs that are divided into slices" if divided else ""
        rows.append(("Total GPUs", f"{cluster.gpu_total:,}{but}"))
    rows.append(("Documentation", documentation(cluster)))
    lines = [f"```console\nssh <user>@{login.host}\n```\n\n" for login in cluster.login[:1] if cluster.running]
    return "".join(lines) + table(("Property", cluster.name), rows)


def documentation(cluster: Cluster) -> str:
    """A link to the operator's own pages."""
    return f"[{cluster.docs.removeprefix('https://').strip('/')}]({cluster.docs})" if cluster.docs else NOT_KNOWN


def _node(cluster: Cluster, key: str, node: NodeType) -> str:
    """`28 nodes, each with 24 cores (2 sockets, AMD EPYC 9254), 256 GB memory, 3 × NVIDIA L40S`."""
    said = teller(cluster, node, "node_types", key)
    inside = [
        said("sockets", plural(node.sockets or 0, "socket")),
        said("cpu", node.cpu or ""),
        f"{node.threads_per_core} threads per core" if node.threads_per_core > 1 else "",
        "counted as hardware threads, two per core" if node.counts_threads else "",
        said("architecture", node.architecture) if node.architecture != "x86_64" else "",
    ]
    cores = said("cores", plural(node.cores or 0, "core"))
    if any(inside):
        cores = f"{cores or f'cores {missing(cluster)}'} ({', '.join(filter(None, inside))})"
    others = " and ".join(f"`--gres={name}:{most}`" for name, most in node.gres.items())
    size = [
        cores,
        said("memory", f"{node.memory} memory"),
        said("local_disk", f"{node.local_disk} local disk"),
        said("tmp", f"`--tmp` up to {node.tmp}"),
        said("gres", f"up to {others}"),
    ]
    if node.gpus:
        gpus = [gpus_of_a_node(cluster, name, number) + _gpu_size(cluster, name) for name, number in node.gpus.items()]
        marked = mark_part(cluster, " + ".join(gpus), "node_types", key, "gpus")
        if any(gpu.is_slice for gpu in cluster.gpus.values()):  # the model is certain, but not what is divided
            marked = marked.replace(UNCONFIRMED, " *(number of undivided GPUs: unconfirmed)*")
        size.append(marked)
    count = said("count", plural(node.count or 0, "node")) if node.count else f"number of nodes {missing(cluster)}"
    each = ", each with" if (node.count or 0) > 1 else " with" if node.count else "; with"
    text = count + (f"{each} {', '.join(filter(None, size))}" if any(size) else f", size {missing(cluster)}")
    if not node.count and not any(size):
        text = missing(cluster)
    if node.features:
        option = cluster.scheduler.words.feature.removesuffix("=")
        names = ", ".join(f"`{name}`" for name in node.features)
        names = f"values of `{option}`: {names}" if len(node.features) > 1 else f"`{option}={node.features[0]}`"
        text += f"; {mark_part(cluster, names, 'node_types', key, 'features')}"
    text += f"; the cores closest to its GPUs are {', '.join(node.gpu_cores)}, in GPU order" if node.gpu_cores else ""
    text += "; default node type" if node.default else ""
    return text + (f" – {node.description}" if node.description else "")


def _gpu_size(cluster: Cluster, key: str) -> str:
    """The memory of a GPU, where the system has the same model with less or more."""
    gpu = cluster.gpus[key]
    sizes = {each.memory for each in cluster.gpus.values() if each.model == gpu.model and not each.is_slice}
    return f", {gpu.memory}" if len(sizes) > 1 and not gpu.is_slice else ""


def gpus_of_a_node(cluster: Cluster, key: str, number: int) -> str:
    return f"{number} × {cluster.gpus[key].model}" + (
        f" slice{'s' * (number > 1)}" if cluster.gpus[key].is_slice else ""
    )


def gpus(cluster: Cluster, clusters: Clusters) -> str:
    rows = []
    for key, gpu in cluster.gpus.items():
        request = mark_part(cluster, f"`{gpu.request}`", "gpus", key, "request")
        share = mark_part(cluster, share_of(cluster, gpu), "gpus", key, "fair_share")
        rows.append((mark_name(cluster, request, "gpus", key), _gpu(cluster, key, gpu), share))
    return table(("Request", "GPU", "Cores and memory per GPU"), rows)


def _gpu(cluster: Cluster, key: str, gpu: Gpu) -> str:
    """What one is, by which other names it goes, and its note."""
    said = teller(cluster, gpu, "gpus", key)
    what = f"{said('model', gpu.model)}, {mark_part(cluster, gpu.size, 'gpus', key, 'memory')}" + (
        " (MIG slice)" if gpu.is_slice else ""
    )
    names = ", ".join(f"`{name}`" for name in gpu.synonyms)
    more = [
        said("compute_capability", f"compute capability {gpu.compute_capability}"),
        said("offload_arch", f"offload architecture {gpu.offload_arch}"),
        said("oldest_cuda", f"needs programs built with CUDA {gpu.oldest_cuda} or newer"),
        said("oldest_pytorch", f"needs PyTorch {gpu.oldest_pytorch} or newer"),
        said("no_pytorch_from", gpu.pytorch_note),
        said("gres", f"GRES `{gpu.gres}`") if (gpu.gres or "") not in gpu.request else "",
        said("synonyms", f"also called {names}"),
        said("counts", f"{gpu.numbers} GPUs per job"),
        *(said(field, row.in_table(getattr(gpu, field))) for field, row, _ in limits("gpus", gpu)),
    ]
    return ". ".join(filter(None, ["; ".join(filter(None, [what, *more])), said("note", gpu.note or "")]))


def sizes_of(cluster: Cluster, gpu: Gpu) -> str:
    """Its memory, and that of the GPUs that Slurm may choose for the same request: `40 GB or 80 GB`."""
    others = [each.size for each in cluster.gpus.values() if each.request.startswith(f"{gpu.request} ")]
    return " or ".join([gpu.size, *others])


def share_of(cluster: Cluster, gpu: Gpu) -> str:
    if not gpu.fair_share:
        return missing(cluster)
    return plural(gpu.fair_share.cores, "core") + (f", {gpu.fair_share.memory}" if gpu.fair_share.memory else "")


def partitions(cluster: Cluster, clusters: Clusters) -> str:
    if not cluster.partitions:
        return "The operator does not publish partition names.\n"
    with_gpu = gpu_partitions(cluster)
    without = {key: partition for key, partition in cluster.partitions.items() if key not in with_gpu}
    parts = []
    for title, chosen in (("GPU partitions", with_gpu), ("CPU partitions", without)):
        if chosen:
            rows = [_partition(cluster, key, partition) for key, partition in chosen.items()]
            parts.append(table((title, "Maximum time", "Limits per job"), rows))
    if cluster.qos:
        rows = [_qos(cluster, key, qos) for key, qos in cluster.qos.items()]
        parts.append(table(("Quality of service", "Maximum time", "Description"), rows))
    return "\n".join(parts)


def _qos(cluster: Cluster, key: str, qos: Qos) -> tuple[str, str, str]:
    said = teller(cluster, qos, "qos", key)
    longest = said("max_time", qos.max_time.words) if qos.max_time else "the partition's limit"
    what = [
        said("purpose", qos.purpose or ""),
        said("cost", f"costs {qos.cost}"),
        said("partition_suffix", f"runs in the matching partition whose name ends in `{qos.partition_suffix}`"),
    ]
    return mark_name(cluster, f"`--qos={key}`", "qos", key), longest, "; ".join(filter(None, what)) or "not published"


def _partition(cluster: Cluster, key: str, partition: Partition) -> tuple[str, str, str]:
    longest = missing(cluster)
    if partition.max_time:
        longest = mark_part(cluster, partition.max_time.words, "partitions", key, "max_time")
    name = mark_name(cluster, f"`{partition.name or key}`", "partitions", key)
    if f"partitions.{key}.node_types" in cluster.unconfirmed:
        name += " *(which nodes: unconfirmed)*"
    return name, longest, _limits(cluster, key, partition)


def _limits(cluster: Cluster, key: str, partition: Partition) -> str:
    """All limits but the time, in one sentence, and the note."""
    cells = {row_key: row for row_key, row, _ in limits("partitions", partition) if row.cell}
    words = {field: row.in_table(getattr(partition, field)) for field, row in cells.items()}
    of_a_user = {field: words.pop(field) for field, row in cells.items() if row.quantity == "jobs"}
    for field, forms in SETTINGS.items():
        if (value := getattr(partition, field)) not in (None, False):
            words[field] = (forms[0] if value == 1 else forms[-1]).format(value)
    words |= of_a_user | ({"access": partition.access} if partition.access else {})
    said = [mark_part(cluster, text, "partitions", key, field) for field, text in words.items()]
    notes = [
        mark_part(cluster, text, "partitions", key, field)
        for field in ("purpose", "note")
        if (text := getattr(partition, field))
    ]
    return ". ".join(filter(None, ["; ".join(said), *notes])) or NO_LIMITS[bool(cluster.unknown)]


def rules(cluster: Cluster, clusters: Clusters) -> str:
    policy = cluster.policy
    required = {
        "account": "Account",
        "time": "Time limit",
        "partition": "Partition or queue",
        "gpu_model": "GPU model",
        "memory": "Memory",
        "threads_per_core": "`--threads-per-core`",
    }
    rows = [
        (label, mark(cluster, _requirement(cluster, field), "policy", field))
        for field, label in required.items()
        if field != "threads_per_core" or policy.threads_per_core.note
    ]
    words = {}
    if memory := policy.default_memory_per_core:
        words["default_memory_per_core"] = ("Default memory", f"{memory} per core")
    words |= {field: (row.label, row.in_table(getattr(policy, field))) for field, row, _ in limits("policy", policy)}
    if policy.no_partition:
        words["no_partition"] = ("Equivalent to omitting `--partition`", f"`--partition={policy.no_partition}`")
    if policy.submit_from:
        words["submit_from"] = ("Submit from", policy.submit_from)
    yes_or_no = {
        "internet_on_compute_nodes": "Internet on compute nodes",
        "submit_in_jobs": "Jobs can submit jobs",
        "jobs_from_home": "Jobs can start in your home directory",
        "ssh_to_nodes": "You can ssh to your job's nodes",
        "mail": "Slurm sends email",
        "remote_tunnels": "You may use tunnels through third-party servers, such as VS Code's",
        "profilers": "GPU profilers are supported",
        "mpirun": "`mpirun` works",
        "conda": "You may install Anaconda or Miniconda",
    }
    for field, label in yes_or_no.items():
        if (value := getattr(policy, field)) is not None:
            words[field] = (label, "yes" if value else "no")
    if policy.conda is False:
        words["conda"] = (words["conda"][0], "no. [Install wheels](/learn/install-software.md#wheelhouse)")
    if policy.login_shell_without_export:
        says = "required if you submit with `--export` but without `ALL`"
        words["login_shell_without_export"] = ("Login shell, `#!/bin/bash -l`", says)
    lists = {
        "allocation_accounts": ("Accounts with an allocation begin with", ", "),
        "account_forms": ("Account format (`#` stands for a digit, `*` for any text)", ", "),
        "account_endings": ("Suffix added to the account name by Slurm", " or "),
    }
    for field, (label, joint) in lists.items():
        if names := getattr(policy, field):
            words[field] = (label, joint.join(f"`{name}`" for name in names))
    if policy.resources:
        named = "<br>".join(f"`{name}=`: {what}" for name, what in policy.resources.items())
        words["resources"] = ("Other resources for `-l`", named)
    if policy.sample_account:
        words["sample_account"] = ("Placeholder account in this guide's scripts", f"`{policy.sample_account}`")
    rows += [(label, mark(cluster, text, "policy", field)) for field, (label, text) in words.items()]
    return table(("Option or rule", cluster.name), rows) + _notes(cluster, "policy", policy.notes)


def costs(cluster: Cluster, clusters: Clusters) -> str:
    billing = cluster.billing
    if not billing.rules:
        return _nothing(cluster, "billing", "publish prices")
    text = _list([mark(cluster, rule, "billing", "rules") for rule in billing.rules]).lstrip()
    if billing.command:
        text += (
            f"\nTo check your usage or balance, run {mark(cluster, f'`{billing.command}`', 'billing', 'command')}.\n"
        )
    return text + _prices(cluster)


def _prices(cluster: Cluster) -> str:
    """The formula as the form for job scripts reckons with it: the first line that fits a job counts."""
    if not cluster.billing.prices:
        return ""
    rows = [
        (
            ", ".join([*(f"GPU `{key}`" for key in price.gpus), *(f"`{name}`" for name in price.partitions)])
            or "all others",
            f"{price.price:g} {price.unit.removesuffix('s') if price.price == 1 else price.unit}"
            + (f", plus {price.core:g} per core and {price.gib:g} per GiB" if price.core and price.gib else "")
            + (f", plus {price.disk_gib:g} per GiB of reserved local disk" if price.disk_gib else ""),
            re.sub(" or (?=.* or )", ", ", " or ".join(_part_of_price(price.per)))
            + (", rounded up" if price.whole_parts else ""),
        )
        for price in cluster.billing.prices
    ]
    parts = max(len(_part_of_price(price.per)) for price in cluster.billing.prices)
    per = "Charged per" + ("", " (whichever costs more)", " (whichever costs the most)")[min(parts, 3) - 1]
    told = table(("Partition or GPU", "Cost per hour", per), rows)
    return '\n??? note "Rates in detail: the first matching row applies"\n\n' + indent(told, "    ")


def _part_of_price(part: Part) -> list[str]:
    counts = {"GPU": part.gpus, "core": part.cores, "node": part.nodes}
    told = [f"{number:g} {name}{'s' * (number != 1)}" for name, number in counts.items() if number]
    return told + ([str(part.memory)] if part.memory else [])


def jupyter(cluster: Cluster, clusters: Clusters) -> str:
    return _steps(cluster, "jupyter", "document Jupyter")


def editor(cluster: Cluster, clusters: Clusters) -> str:
    return _steps(cluster, "editor", "document editors over ssh")


def _steps(cluster: Cluster, field: str, otherwise: str) -> str:
    doubt = cluster.unconfirmed.get(f"interactive.{field}")
    return (_list(getattr(cluster.interactive, field)).lstrip() or _nothing(cluster, "interactive", otherwise)) + (
        f"\n*Not confirmed for {cluster.name}*: {doubt}.\n" if doubt else ""
    )


def _nothing(cluster: Cluster, group: str, otherwise: str) -> str:
    """What stands where the facts have nothing: nobody has answered yet, or the operator says nothing."""
    if group in cluster.unknown:
        return f"{NOT_KNOWN.capitalize()}.\n"
    return f"The operator {'does' if cluster.running else 'did'} not {otherwise}.\n"


def _requirement(cluster: Cluster, field: str) -> str:
    requirement: Requirement = getattr(cluster.policy, field)
    if f"policy.{field}" in cluster.unknown:
        return NOT_KNOWN
    words = {Rule.REQUIRED: "**required**", Rule.LEAVE_OUT: "do not set it" if cluster.running else "not needed"}
    rule = words.get(requirement.rule, requirement.rule.value)
    rule += f" unless {requirement.unless}" if requirement.unless else ""
    if requirement.gpu_jobs:
        rule += f", but {words.get(requirement.gpu_jobs, requirement.gpu_jobs.value)} in GPU jobs"
    since = f" since {requirement.since}" if requirement.since else ""
    note = f"; {requirement.note}" if requirement.note else ""
    without = " without the option" * (requirement.rule is Rule.REQUIRED)
    refusal = f". Error message{without}: `{requirement.refusal}`" if requirement.refusal else ""
    return rule + since + note + refusal


def _notes(cluster: Cluster, group: str, notes: list[str]) -> str:
    return _list([mark(cluster, note, group, "notes") for note in notes])


def _list(notes: list[str]) -> str:
    """An item for each note. One of several paragraphs ends with an empty line, as Markdown requires."""
    items = (f"- {indent(note, '    ').lstrip()}\n" + "\n" * ("\n\n" in note) for note in notes)
    return "\n" + "".join(items) if notes else ""


def software(cluster: Cluster, clusters: Clusters) -> str:
    software = cluster.software
    if "software" in cluster.unknown:
        return _nothing(cluster, "software", "")

    def listed(names: list[str], joint: str = ", ") -> str:
        return joint.join(f"`{name}`" for name in names)

    def unsearched(names: str) -> str:
        return names and f"<span data-search-exclude>{names}</span>"

    option, built = software.container_option or "", with_gpu_build(cluster.key).items()
    load = "Module to load instead of `module use`" if software.module_paths else "Load before other modules"
    told = {
        "module_paths": (
            "Run before loading modules",
            listed([f"module use {path}" for path in software.module_paths], "<br>"),
        ),
        "modules": ("Software modules", listed(software.modules) or "none"),
        "compilers": ("GPU compilers", listed(software.compilers)),
        "profilers": ("Modules with profilers", listed(software.profilers)),
        "applications": (APPLICATIONS, ", ".join(f"[{name}](/learn/applications.md#{key})" for key, name in built)),
        "load_first": (load, listed(software.load_first)),
        "collections": (
            "Modules that need another module first",
            "<br>".join(f"{listed(names)}: load `{opener}` first" for opener, names in software.collections.items()),
        ),
        "gpu_modules": ("Modules for GPU nodes only", listed(software.gpu_modules)),
        "cpu_modules": ("Modules for CPU nodes only", listed(software.cpu_modules)),
        "versions": (
            "Documented versions of modules",
            unsearched(listed([f"{name}/{one}" for name, each in software.versions.items() for one in each])),
        ),
        "source_activate": (
            "Activate a conda environment with",
            "`source activate`" if software.source_activate else "",
        ),
        "purge_breaks": (
            "Avoid",
            software.purge_breaks
            and "`module purge` in scripts that compile or use MPI, because it also unloads modules that these need. "
            "Scripts that run only a container, such as those on this page, do not need these modules.",
        ),
        "with_cuda": ("Do not load with a CUDA or cuDNN module", listed(software.with_cuda)),
        "documented": ("Other documented modules", unsearched(listed(software.documented))),
        "own_modules": ("Site-specific modules", listed(software.own_modules)),
        "renamed": ("Renamed or replaced modules", "<br>".join(map(_renamed, software.renamed))),
        "containers": ("Containers", _containers(software)),
        "container_option": (
            "GPU option for containers",
            "none (no `--nv`, no `--rocm`)" if option == "none" else option and f"`{option}`",
        ),
        "container_hides": ("Directories to bind", listed(software.container_hides)),
        "image_packages": ("Packages in the container", ", ".join(software.image_packages)),
        "container_bind": (
            "Option that binds these directories",
            software.container_bind and f"`{software.container_bind}`",
        ),
        "conda_instead": ("Instead of conda environments", software.conda_instead),
        "settings": ("Documented variables", listed([f"{name}={value}" for name, value in software.settings.items()])),
        "remotes": (
            "rclone remotes",
            " ".join(
                f"`{name}:`, created by `{made}`. {note}".strip() for name, made, note in software.remotes.values()
            ),
        ),
        "mpi_io": ("MPI-IO", software.mpi_io),
        "images": ("Images", listed(software.images, "<br>")),
    }
    rows = [(label, mark(cluster, text, "software", field)) for field, (label, text) in told.items() if text]
    loads = f" with `module load {software.container_module}`."  # the row says it
    notes = [note for note in software.notes if not note.endswith(loads)]
    return table(("Software", cluster.name), rows) + _notes(cluster, "software", notes)


def _containers(software: Software) -> str:
    module = f", after `module load {software.container_module}`" if software.container_module else ""
    return f"{software.containers or 'not documented'}{module}"


def _renamed(module: Renamed) -> str:
    """A module that is gone, or is not there, and what to load instead."""
    same = module.old.partition("/")[0] == module.new.partition("/")[0]  # another version of it
    if same:
        text = f"`{module.old}` was replaced by `{module.new}`" + (f" on {module.since}" if module.since else "")
    elif module.since:
        text = f"`{module.old}` has been `{module.new}` since {module.since}"
    else:
        text = f"Instead of `{module.old}`, load `{module.new}`"
    return text + (f" ({module.only})" if module.only else "")


def monitoring(cluster: Cluster, clusters: Clusters) -> str:
    if not cluster.monitoring:
        return _nothing(cluster, "monitoring", "document monitoring tools")
    rows = [
        (
            mark(cluster, tool.tool, "monitoring"),
            f"<{tool.command}>" if tool.command.startswith("http") else f"`{tool.command}`",
            tool.shows,
        )
        for tool in cluster.monitoring
    ]
    if cluster.running and cluster.scheduler.kind == "slurm":
        rows.append(("scancel", "`scancel 123456`", "cancels the job"))
    return table(("Tool", "Command or address", "What it shows or does"), rows)


def storage(cluster: Cluster, clusters: Clusters) -> str:
    rows = [
        (
            mark(
                cluster,
                f"`{place.path}`" + (f", linked from `{place.link}`" if place.link else ""),
                "storage",
                place.path,
            ),
            _size(cluster, place),
            _kept(place),
            place.use,
        )
        for place in cluster.storage
    ]
    if not rows:
        return _nothing(cluster, "storage", "publish its storage")
    told = {place.path: place.more for place in cluster.storage if place.more}
    more = [
        f"More space in `{path}`: {mark_part(cluster, text, 'storage', path, 'more')}." for path, text in told.items()
    ]
    whom = MAIL.sub(
        r"<\g<0>>", f"Ask {cluster.access.support} for more space, because no page describes how to request it."
    )
    also = [f"`{path}` contains the same files as `{place.path}`." for place in cluster.storage for path in place.also]
    listed = _list((more or [whom] * cluster.running) + also)
    below = f"\n<div markdown data-search-exclude>\n{listed}\n</div>\n" if listed else ""
    return table(("Path", "Size", "Retention and backup", "Use"), rows) + below


def _size(cluster: Cluster, place: Place) -> str:
    size = (place.size or "not published") + (f", {place.files:,} files" if place.files else "")
    kind = [place.file_system] if place.file_system else []
    others = list(other_sizes(cluster, place))
    usual = [node for key, node in cluster.node_types.items() if key not in place.sizes]
    size += " on GPU nodes" if others and all(node.gpus for node in usual) else ""
    return "; ".join([size, *others, *kind]) + (f". Check usage: `{place.command}`" if place.command else "")


def _kept(place: Place) -> str:
    backup = {True: "; backed up", False: "; no backup", None: ""}[place.backup]
    more = {
        "read_only_in_jobs": "; read-only in jobs",
        "no_results": "; not for results",
        "in_memory": "; in memory",
        "memory_without_disk": "; in memory on nodes without a local disk",
        "one_node": "; visible only on its node",
        "shared_directory": "; possibly the same directory for all your jobs on a node",
    }
    return place.retention + backup + "".join(words for field, words in more.items() if getattr(place, field))


def sources(cluster: Cluster, clusters: Clusters) -> str:
    groups: dict[Source, list[str]] = {}
    for group, sources in cluster.sources.items():
        for source in sources:
            groups.setdefault(source, []).append(TOPICS.get(group, group.replace("_", " ")))
    rows = [
        (", ".join(names), f"[{source.title}]({address(cluster, source)})", source.dated or "undated", source.read)
        for source, names in groups.items()
    ]
    text = table(("Facts", "Source", "Published", "Retrieved"), rows)
    reasons: dict[str, list[str]] = {}
    for key, why in cluster.unconfirmed.items():
        reasons.setdefault(why, []).append(fact(cluster, key))
    if reasons:
        items = [f"{_together(list(dict.fromkeys(names)))}: {why}" for why, names in reasons.items()]
        text += f"\nFacts that we could not confirm:\n{_list(items)}"
    if cluster.unknown:
        text += f"\n{NOT_KNOWN.capitalize()}:\n" + _list(
            [f"`{key}`: {question.partition(' For example:')[0]}" for key, question in cluster.unknown.items()]
        )
    return text


def _together(facts: list[str]) -> str:
    """Facts with one reason: where they are one property of several things, it is named once."""
    things, properties = zip(*(each.rpartition(", ")[::2] for each in facts), strict=True)
    if len(facts) == 1 or len(set(properties)) > 1 or not all(things):
        return "; ".join(facts)
    kind = next((kind for kind in SEVERAL if all(each.startswith(kind) for each in things)), "")
    start, joint = SEVERAL.get(kind, ("", ", "))
    named = start + joint.join(each.removeprefix(kind) for each in things)
    return f"{named} ({properties[0]})"


def fact(cluster: Cluster, key: str) -> str:
    """A key of the facts in a reader's words: `partitions.dev-g.max_time` is "Partition `dev-g`, maximum time"."""
    group, _, rest = key.partition(".")
    item = (
        next((each for each in getattr(cluster, group) if rest == each or rest.startswith(f"{each}.")), "")
        if (group in ITEMS)
        else ""
    )
    field = rest.removeprefix(item).strip(".")
    if group == "storage" and field:
        path, _, part = field.rpartition(".") if field.endswith(STORAGE_FIELDS) else (field, "", "")
        return f"Storage, {f'{FIELDS.get(part, part)} of ' if part else ''}`{path}`"
    words = field.replace(".", ", ").replace("_", " ").replace("max ", "maximum ")
    field = FIELDS.get(field) or re.sub(r"\b(gpu|gres)", lambda word: word[0].upper(), words)
    if not item:
        return f"{GROUPS.get(group, group.capitalize())}{f', {field}' if field else ''}"
    names = {
        "gpus": lambda: f"GPU `{cluster.gpus[item].request}`",
        "node_types": lambda: f"Nodes with {_node_words(cluster, item)}",
    }
    shown = cluster.partitions[item].name or item if group == "partitions" else item
    name = names[group]() if group in names else f"{ITEMS[group]} `{shown}`"
    return f"{name}{f', {field}' if field else ''}"


def _node_words(cluster: Cluster, key: str) -> str:
    node = cluster.node_types[key]
    gpus = [gpus_of_a_node(cluster, name, number) for name, number in node.gpus.items()]
    return " + ".join(gpus) or f"{plural(node.cores, 'core') if node.cores else 'CPUs'} and no GPU"


def address(cluster: Cluster, source: Source) -> str:
    return source.url if source.url.startswith("https://") else f"/snippets/{cluster.key}/{source.url}"


# Of every system.
TABLES: Tables = {
    "status.md": status,
    "at-a-glance.md": at_a_glance,
    "gpus.md": gpus,
    "partitions.md": partitions,
    "rules.md": rules,
    "costs.md": costs,
    "software.md": software,
    "monitoring.md": monitoring,
    "storage.md": storage,
    "sources.md": sources,
}
# A system that runs has these, too.
OF_RUNNING: Tables = {"glance.md": glance, "jupyter.md": jupyter, "editor.md": editor}
