"""The tables that compare clusters: running systems first, then by name."""

from scripts.facts.model import Cluster, Rule
from scripts.facts.unknown import NOT_KNOWN
from scripts.families.shared import script
from scripts.markdown import table
from scripts.measure.tables import DASH
from scripts.tables import cluster as of_one
from scripts.tables.cluster import UNCONFIRMED, Clusters, link, mark, mark_name, mark_part, page, plural


def fair_shares(clusters: Clusters) -> str:
    """One GPU's part of its node, on every running system that says so."""
    rows = []
    for cluster in running(clusters):
        for key, gpu in cluster.gpus.items():
            if gpu.fair_share and not gpu.is_slice:
                cores = mark_part(cluster, plural(gpu.fair_share.cores, "core"), "gpus", key, "fair_share")
                memory = gpu.fair_share.memory or "not published"
                rows.append((link(cluster, of_one.LIMITS), f"{gpu.model}, {gpu.size}", cores, memory))
    return table(("Cluster", "GPU", "CPU cores per GPU", "Host memory per GPU"), rows)


def gpu_partitions(clusters: Clusters) -> str:
    """Where a GPU job goes on every running system, and how long it may run."""
    rows = []
    for cluster in running(clusters):
        names = [
            mark_name(cluster, f"`{partition.name or key}`", "partitions", key)
            + (f": {partition.max_time.words}" if partition.max_time else "")
            for key, partition in of_one.gpu_partitions(cluster).items()
        ]
        chosen = "<br>".join(names) or "not published"
        if cluster.policy.partition.rule is Rule.LEAVE_OUT:
            chosen = "Do not set a partition, because Slurm chooses it."
        rows.append((link(cluster, of_one.LIMITS), chosen))
    return table(("Cluster", "GPU partitions, with the maximum time in each"), rows)


def cores_and_gpus(clusters: Clusters) -> str:
    """On every running system: cores of its nodes without a GPU, its GPUs, and the one divided by the other."""
    rows = []
    for cluster in running(clusters):
        without = {key: node for key, node in cluster.node_types.items() if not node.gpus}
        cores, ratio = "not published", 0.0
        if without and all(node.count and node.cores for node in without.values()):
            number = sum(node.count * node.cores for node in without.values())
            read = {f"node_types.{key}{part}" for key in without for part in ("", ".count", ".cores")}
            doubt = UNCONFIRMED if cluster.unconfirmed.keys() & {"node_types", *read} else ""
            cores, ratio = f"{number:,}{doubt}", number / cluster.gpu_total
        each = f"{ratio:,.0f}" if ratio else DASH
        rows.append((ratio, (link(cluster), cores, f"{cluster.gpu_total:,}", each)))
    rows.sort(key=lambda row: -row[0])
    head = ("Cluster", "CPU cores in CPU-only nodes", "GPUs", "Cores per GPU")
    return table(head, (row for _, row in rows))


def first_jobs(clusters: Clusters) -> str:
    """Where a first job begins on every running system: its script, the address, account, software, folder."""
    account = {
        Rule.REQUIRED: "required",
        Rule.OPTIONAL: "optional",
        Rule.LEAVE_OUT: "do not set it",
        Rule.IGNORED: "ignored",
    }
    rows = []
    for cluster in running(clusters):
        host = mark(cluster, "<br>".join(addresses(cluster)), "login") if cluster.login else "not published"
        rule = NOT_KNOWN if "policy.account" in cluster.unknown else account[cluster.policy.account.rule]
        rule = mark_part(cluster, rule, "policy", "account")
        first = f"an [environment]({page(cluster)}#software)" if needs_environment(cluster) else "nothing"
        folder = cluster.policy.submit_from
        place = mark_part(cluster, folder, "policy", "submit_from") if folder else "no rule published"
        rows.append((f"[{cluster.name}: single-GPU job]({page(cluster)}#one-gpu)", host, rule, first, place))
    head = ("Script, line by line", "Log in to", "`--account`", "Create first", "Submit from")
    return table(head, rows)


def addresses(cluster: Cluster) -> list[str]:
    """The address for GPU jobs, which is the first, and how it is reached from outside, where the facts say so."""
    found = [f"`{cluster.login[0].host}`"]
    for login in cluster.login:
        _, outside, way = login.use.partition("from outside")
        if outside:
            other = f"`{login.host}`, " if login is not cluster.login[0] else ""
            found.append(other + outside + way)
    return found


def needs_environment(cluster: Cluster) -> bool:
    """Whether its script for one GPU looks for software in a folder that its reader has to make."""
    text = script(cluster.key, "one_gpu.sh").read_text(encoding="utf-8")
    return any(line.startswith("export PATH=") for line in text.splitlines())


def lifecycle(clusters: Clusters) -> str:
    """What is gone and what replaced it, latest first; then what has a planned end."""
    gone = [cluster for cluster in clusters.values() if not cluster.running]
    gone.sort(key=lambda cluster: cluster.status.ended or "", reverse=True)
    rows = [(link(cluster), of_one.chip(cluster), of_one.successor(cluster, clusters) or "none") for cluster in gone]
    for cluster in clusters.values():
        if cluster.running and cluster.status.planned_end:
            planned = f"in service until {cluster.status.planned_end} (planned)"
            rows.append((link(cluster), planned, of_one.successor(cluster, clusters) or "not announced"))
    return table(("System", "Status", "Replaced by"), rows)


def running(clusters: Clusters) -> list[Cluster]:
    return sorted((each for each in clusters.values() if each.running), key=lambda each: each.name.casefold())


def gpus_of(cluster: Cluster) -> list[str]:
    """`320 × NVIDIA V100, 32 GB` for each whole GPU of which there is a known number."""
    found = []
    for key, gpu in cluster.gpus.items():
        number = cluster.gpu_count(key)
        if number and not gpu.is_slice:
            found.append(mark_name(cluster, f"{number:,} × {gpu.model}, {gpu.size}", "gpus", key))
    return found


TABLES = {
    "cores-and-gpus.md": cores_and_gpus,
    "fair-shares.md": fair_shares,
    "first-jobs.md": first_jobs,
    "gpu-partitions.md": gpu_partitions,
    "lifecycle.md": lifecycle,
}
