"""`agents/<system>/INSTRUCTIONS.md`: what an assistant must know before it writes a job, and which system to choose."""

import re

from scripts.agents.lines import Line, Section, fitted, plain, points, rows
from scripts.facts.model import Cluster
from scripts.migration.line import script
from scripts.tables import cluster as of_one
from scripts.tables import overview
from scripts.tables.cluster import Clusters

BUDGET = 5_999  # characters, since assistants accept fewer than 6,000; about 1,500 tokens
# What goes first where there is no room; a line without a rank stays.
OTHER, GPU_NODE, CHARGE, POLICY_NOTE, WAY_IN, CPU, SOFTWARE_NOTE, MORE = range(1, 9)
LESS = {
    "Account format (`#` stands for a digit, `*` for any text)",  # the check finds it
    of_one.APPLICATIONS,
    "Activate a conda environment with",  # the check finds it
    "Directories to bind",
    "GPU compilers",
    "GPU profilers are supported",
    "Option that binds these directories",
    "Documented variables",
    "Other documented modules",
    "Images",
    "Instead of conda environments",
    "MPI-IO",
    "Modules for CPU nodes only",
    "Avoid",
    "Modules for GPU nodes only",
    "Module to load instead of `module use`",
    "Modules that need another module first",
    "Placeholder account in this guide's scripts",  # the check finds it
    "Modules with profilers",
    "rclone remotes",
    "Slurm sends email",
    "Renamed or replaced modules",
    "Documented versions of modules",
    "Suffix added to the account name by Slurm",
    "Site-specific modules",
    "`mpirun` works",  # the check finds it
    "You can ssh to your job's nodes",  # this, too
    "You may use tunnels through third-party servers, such as VS Code's",
}
NOT_HERE = re.compile(
    r"</?span[^>]*>|; the cores closest to its GPUs are [\d, -]+, in GPU order"
    r"|; possibly the same directory for all your jobs on a node"
    r"|[;,] the number of cores determines the memory|the number of cores determines the memory[;,] "
    r"|; also called (?:`[^`]+`(?:, )?)+|\. (?:Check usage|Error message(?: without the option)?): `[^`]+`"
    r"| of memory(?= per node)|time limit of (?=at least)"
)
ALWAYS = """- Check each script before you show it: `./guide check {key} job.sh` in the guide's repository, or
  `node skills/{skill}/scripts/judge.cjs {key} job.sh` in its folder. Both work offline.
  Correct what is *refused*, *fails* or is *ignored*. Tell the user what is *doubtful*.
- Do not poll the scheduler with `watch` or a loop around `squeue`, `sacct` or `sinfo`.
- Submit, cancel and delete only what the user asks for. Do not compute on a login node.
- Do not guess a partition, GPU, module, path or account. Look at the page, then ask the user.
"""


def skill(cluster: Cluster) -> str:
    """The skill of its center."""
    return f"gpu-jobs-{cluster.centre or cluster.key}"


def of_cluster(
    cluster: Cluster, clusters: Clusters, root: str, beside: str = "../{}/INSTRUCTIONS.md", at: str = ""
) -> str:
    """The instructions for one system.

    root: what stands before an address of the site, `../../` or its own address. beside: another system's file.
    at: the site's folder in which the text stands; a relative root starts there.
    """
    where = from_folder(root, at or f"agents/{cluster.key}/")
    page = f"[{cluster.name}'s page]({root}clusters/{cluster.key}.md)"
    if not cluster.running:
        return _retired(cluster, clusters, f"{page}.{where}", beside)
    facts = f"[all facts as JSON]({root}api/v1/{cluster.key}.json)"
    head = (
        f"# {cluster.name}: instructions for assistants\n\nOperated by {cluster.operator}. The guide's key: "
        f"`{cluster.key}`. Reasons for (unconfirmed) are at the end. Complete: {page}, {facts}.{where}\n"
    )
    return fitted(cluster, head, sections(cluster, clusters), BUDGET)


def from_folder(root: str, folder: str) -> str:
    """Where relative links start: who pastes the text elsewhere cannot know."""
    return f" Links start at `{folder}` of the site." if root.startswith(".") else ""


def sections(cluster: Cluster, clusters: Clusters) -> list[Section]:
    """All that there is to say of a running system, what matters most first."""
    glance = dict(rows(of_one.at_a_glance(cluster, clusters)))
    found = [
        Section("A single-GPU job that the scheduler accepts", [Line(_example(cluster))]),
        Section("GPUs and how to ask for them", _gpus(cluster, clusters), ("gpus",)),
        Section("Partitions and limits", _partitions(cluster, clusters), ("partitions", "qos")),
        Section("Job options", _of_list(of_one.rules(cluster, clusters), "policy", POLICY_NOTE), ("policy",)),
        Section("GPUs, cores and memory of a node", _nodes(cluster, clusters), ("node_types",)),
        Section("Software", _of_list(of_one.software(cluster, clusters), "software", SOFTWARE_NOTE), ("software",)),
        Section("Storage", _storage(cluster, clusters), ("storage",)),
        Section("Charges", _charges(cluster, clusters), ("billing",)),
        Section("Guardrails", [Line(ALWAYS.rstrip().format(key=cluster.key, skill=skill(cluster)))]),
        Section("Log in, and whom to ask", _people(glance), ("login", "access", "scheduler")),
    ]
    return [section for section in found if section.lines]


def _example(cluster: Cluster) -> str:
    """Without comments and blank lines."""
    kept = [line for line in script(cluster, "one_gpu.sh") if line.strip() and not line.startswith("# ")]
    return "\n".join(["```bash", *kept, "```"])


def _gpus(cluster: Cluster, clusters: Clusters) -> list[Line]:
    told = zip(cluster.gpus, rows(of_one.gpus(cluster, clusters)), strict=True)
    return [
        Line(
            NOT_HERE.sub("", f"- {request}{_only_in(cluster, key)}: {what}. Per GPU: {share}"),
            OTHER if number >= of_one.FEW else 0,
            f"gpus.{key}",
            request,
        )
        for number, (key, (request, what, share)) in enumerate(told)
    ]


def _only_in(cluster: Cluster, gpu: str) -> str:
    """The partitions of a GPU, where they are few and not those of every GPU: an assistant takes it for any."""
    every = of_one.gpu_partitions(cluster)

    def places(of: str) -> list[str]:
        return [
            part.name or key
            for key, part in every.items()
            if any(of in cluster.node_types[node].gpus for node in part.node_types)
        ]

    own = places(gpu)
    some = 1 <= len(own) <= 2 and any(places(other) not in ([], own) for other in cluster.gpus)
    return f" in {' or '.join(f'`{name}`' for name in own)}" if some else ""


def _partitions(cluster: Cluster, clusters: Clusters) -> list[Line]:
    """A name that nobody may set matters less."""
    told = rows(of_one.partitions(cluster, clusters))
    with_gpu = of_one.gpu_partitions(cluster)
    keys = [*with_gpu, *(key for key in cluster.partitions if key not in with_gpu)]
    about = [*(f"partitions.{key}" for key in keys), *(f"qos.{key}" for key in cluster.qos)]
    lines = []
    for number, (dotted, (name, longest, limits)) in enumerate(zip(about, told, strict=True)):
        gpus = dotted.removeprefix("partitions.") in with_gpu
        text = f"- {name}{'' if gpus or dotted[:4] == 'qos.' else ' (no GPU)'}: {longest}"
        text += "" if limits in of_one.NO_LIMITS else NOT_HERE.sub("", f"; {limits}")
        rank = CPU if not gpus else OTHER if number >= of_one.FEW else 0
        lines.append(Line(text, rank, dotted, name.replace(" (which nodes: unconfirmed)", "")))
    return lines


def _of_list(text: str, group: str, rank: int) -> list[Line]:
    """A table of two columns, each row a line, and below it a list, which may go."""
    lines = [
        Line(NOT_HERE.sub("", f"- {label}: {said}"), rank if label in LESS else 0, group) for label, said in rows(text)
    ]
    return lines + [Line(f"- {said}", rank, group) for said in points(text)]


def _charges(cluster: Cluster, clusters: Clusters) -> list[Line]:
    hour = of_one.mark(cluster, cluster.billing.gpu_hour or "not published", "billing", "gpu_hour")
    text = of_one.costs(cluster, clusters).partition("\n???")[0]
    command = of_one.mark(cluster, f"`{cluster.billing.command}`", "billing", "command")
    return [
        Line(f"- One GPU per hour: {plain(hour)}", 0, "billing.gpu_hour"),
        *(Line(f"- {said}", CHARGE, "billing.rules") for said in points(text)),
        *[Line(f"- Usage or balance: {plain(command)}", 0, "billing.command")] * bool(cluster.billing.command),
    ]


def _nodes(cluster: Cluster, clusters: Clusters) -> list[Line]:
    glance = dict(rows(of_one.at_a_glance(cluster, clusters), "\n"))
    """The most numerous node with GPUs comes first and stays."""
    keys = sorted(cluster.node_types, key=lambda key: not cluster.node_types[key].gpus)
    told = [node for label in ("GPU nodes", "CPU nodes") if label in glance for node in glance[label].split("\n")]
    main = max(keys, key=lambda key: (bool(cluster.node_types[key].gpus), cluster.node_types[key].count or 0))
    lines = []
    for key, node in sorted(zip(keys, told, strict=True), key=lambda each: each[0] != main):
        inside = cluster.node_types[key].gpus.items()
        gpus = " + ".join(of_one.gpus_of_a_node(cluster, name, number) for name, number in inside)
        sure = gpus and not any(f"{each}.".startswith(f"node_types.{key}.gpus.") for each in cluster.unconfirmed)
        lines.append(
            Line(
                NOT_HERE.sub("", f"- {node}"),
                0 if key == main else GPU_NODE if gpus else MORE,
                f"node_types.{key}",
                gpus if sure else "",
            )
        )
    return lines


def _storage(cluster: Cluster, clusters: Clusters) -> list[Line]:
    text = of_one.storage(cluster, clusters)
    lines = [
        Line(NOT_HERE.sub("", f"- {path}: {use}; {size}; {kept}"), 0, f"storage.{place.path}")
        for place, (path, size, kept, use) in zip(cluster.storage, rows(text), strict=True)
    ]
    return lines + [Line(f"- {said}", MORE, "storage") for said in points(text)]


def _people(glance: dict[str, str]) -> list[Line]:
    about = {"Log in": "login", "Help": "access.support", "Scheduler": "scheduler", "How to get access": "access.apply"}
    ranks = {"Scheduler": WAY_IN, "How to get access": WAY_IN}
    return [
        Line(f"- {label}: {glance[label]}", ranks.get(label, 0), of) for label, of in about.items() if label in glance
    ]


def of_all(clusters: Clusters, root: str) -> str:
    """The instructions for all systems: which to choose."""
    lines = []
    for cluster in overview.running(clusters):
        ((gpu, share, longest, hour, *_),) = rows(of_one.glance(cluster, clusters))
        there = "; ".join(map(plain, overview.gpus_of(cluster))) or gpu
        who = f" For {cluster.access.who.partition(';')[0]}." if cluster.access.who else ""
        lines.append(
            f"- [{cluster.name}]({root}agents/{cluster.key}/INSTRUCTIONS.md) (`{cluster.key}`): {there}. "
            f"Longest GPU job: {longest}. Main GPU: {share}; one hour: {hour}.{who}{_checked(cluster)}"
        )
    gone = [f"{name}: {after}" for name, state, after in rows(overview.lifecycle(clusters)) if state[:7] == "retired"]
    return f"""# Instructions for assistants: choose a system

These systems accept GPU jobs. First use one on which the user has an account. Then choose the GPU by its memory and
the job's length. Read the system's file before you write a script. Each file has the reasons for (unconfirmed).
{from_folder(root, "agents/").strip()}

{chr(10).join(lines)}

Retired, and replaced by: {"; ".join(gone)}.

More: [GPUs by memory]({root}learn/choose-a-gpu.md), [systems compared]({root}clusters/compare.md),
[facts as JSON]({root}api/v1/index.json).

## Guardrails

{ALWAYS.format(key="SYSTEM", skill="gpu-jobs-CENTER")}"""


def _checked(cluster: Cluster) -> str:
    read = sorted(source.read for sources in cluster.sources.values() for source in sources)
    return f" Read {' to '.join(dict.fromkeys((read[0], read[-1])))}."


def _retired(cluster: Cluster, clusters: Clusters, page: str, beside: str) -> str:
    """Only where to go instead."""
    after = clusters.get(cluster.status.successor or "")
    instead = f"[{after.name}]({beside.format(after.key)})" if after else cluster.status.successor
    text = (
        f"# {cluster.name}: instructions for assistants\n\n{cluster.name} is {plain(of_one.chip(cluster))}: it runs no "
        f"jobs. Write no new script for it. Its successor is {instead or 'not known'}.\n"
    )
    if after:
        text += f"\nTo move an old script: `./guide move {cluster.key} {after.key} job.sh` in the guide's repository.\n"
    sources = sorted(source.read for source in cluster.sources["status"])
    about = {key: why for key, why in cluster.unconfirmed.items() if key.startswith("status")}
    why = "".join(f"- {of_one.fact(cluster, key)}: {said}\n" for key, said in about.items())
    return f"{text}\nRead {sources[-1]}. For old scripts and results: {page}\n" + (
        f"\n## Doubts\n\n{why}" if why else ""
    )
