"""The tables of the lessons: several GPUs and nodes, where data is staged, rates by precision."""

from scripts.families.shared import script
from scripts.markdown import table
from scripts.measure.limits import Device, Precision
from scripts.measure.tables import DASH, missing
from scripts.tables.cluster import Clusters, gpu_partitions, link, mark, mark_part, page
from scripts.tables.overview import running

PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "tf32", "bfloat16", "float16")


def several_gpus(clusters: Clusters) -> str:
    """The GPUs of one node, and the parts of the system's page that ask for several, or for more nodes."""
    rows = []
    for cluster in running(clusters):
        nodes = {
            f"{cluster.gpus[key].model}: {number}"
            for node in cluster.node_types.values()
            for key, number in node.gpus.items()
            if not cluster.gpus[key].is_slice
        }
        ways = {
            "several_gpus.sh": ("several-gpus", "multiple GPUs"),
            "full_node.sh": ("a-whole-node", "a full node"),
            "more_nodes.sh": ("more-than-one-node", "multiple nodes"),
        }
        there = [
            f"[{words}]({page(cluster)}#{place})"
            for name, (place, words) in ways.items()
            if script(cluster.key, name).exists()
        ]
        rows.append((cluster.name, "<br>".join(sorted(nodes)), ", ".join(there)))
    return table(("System", "GPUs per node", "Scripts for"), rows)


def stage_data(clusters: Clusters) -> str:
    """A sentence with a link to the script of each system that stages data."""
    links = [link(c, "data") for c in running(clusters) if script(c.key, "stage_data.sh").exists()]
    return f"The script `stage_data.sh` is on the pages of these systems: {', '.join(links)}.\n"


def many_runs(clusters: Clusters) -> str:
    """What limits a sweep: the jobs that a user may have in the queue, and the smallest part of a GPU."""
    rows = []
    for cluster in running(clusters):
        limits = {f"`{p.name or key}`: {p.max_jobs:,}" for key, p in gpu_partitions(cluster).items() if p.max_jobs}
        if cluster.policy.max_queued_jobs:
            limits = {mark(cluster, f"{cluster.policy.max_queued_jobs:,}", "policy", "max_queued_jobs")}
        slices: dict[str, list[str]] = {}
        for key, gpu in cluster.gpus.items():
            if gpu.is_slice:
                slices.setdefault(gpu.model, []).append(mark_part(cluster, gpu.size, "gpus", key, "memory"))
        parts = [f"{model}: {', '.join(sizes)}" for model, sizes in slices.items()]
        there = ("<br>".join(sorted(limits)) or "not published", "<br>".join(parts) or "none")
        rows.append((link(cluster, "many-jobs"), *there))
    return table(("System and its array script", "Maximum jobs in the queue per user", "MIG slices"), rows)


def precisions(limits: dict[str, Device]) -> str:
    """TFLOP/s of each GPU in each precision, at most."""
    rows = [
        [
            device.name,
            *(f"{device.tflops[name]:g}" if name in device.tflops else missing(device, name) for name in PRECISIONS),
        ]
        for device in limits.values()
    ]
    return table(("GPU", "FP64, TFLOP/s", "FP32", "TF32", "BF16", "FP16"), rows)


def compile_for(clusters: Clusters) -> str:
    """The GPUs of the running systems by how compilers name them, newest first."""
    found: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for cluster in running(clusters):
        for gpu in cluster.gpus.values():
            number = (gpu.compute_capability or "").replace(".", "")
            if not gpu.is_slice and (number or gpu.offload_arch):
                nvidia = (f"`-gpu=cc{number}`", f"`-arch=sm_{number}`")
                options = nvidia if number else (DASH, f"`--offload-arch={gpu.offload_arch}`")
                models, systems = found.setdefault(options, ({}, {}))
                models[gpu.model], systems[link(cluster, "software")] = None, None
    rows = [(", ".join(models), *options, ", ".join(systems)) for options, (models, systems) in found.items()]
    rows.sort(key=lambda row: (row[1] != DASH, row[2]), reverse=True)
    return table(("GPU", "`nvc++`, `nvfortran`", "`nvcc` or `hipcc`", "Systems"), rows)


def compilers(clusters: Clusters) -> str:
    """The modules that bring compilers for the GPUs, where the facts have them."""
    rows = [
        (link(cluster, "software"), f"`module load {' '.join(cluster.software.compilers)}`")
        for cluster in running(clusters)
        if cluster.software.compilers
    ]
    return table(("System", "Compilers for its GPUs"), rows)


def r(clusters: Clusters) -> str:
    """Where R comes from on each running system, as its operator says."""
    found: dict[str, list[str]] = {}
    for cluster in running(clusters):
        own = cluster.software.r
        parts = [("Once", own.once), ("In each job", own.load)] if own else []
        told = [f"{when}:<br>" + "<br>".join(f"`{line}`" for line in lines) for when, lines in parts if lines]
        words = "<br>".join([*told, *([own.note] if own and own.note else [])]) or "not documented"
        found.setdefault(words, []).append(link(cluster, "software"))
    return table(("System", "How to set up R"), [(", ".join(systems), words) for words, systems in found.items()])


def internet(clusters: Clusters) -> str:
    """Which running systems' compute nodes reach the internet, as far as their operators say."""
    words = {True: "Yes", False: "No", None: "Not documented"}
    rows = [
        (", ".join(link(each) for each in found), answer)
        for key, answer in words.items()
        if (found := [each for each in running(clusters) if each.policy.internet_on_compute_nodes is key])
    ]
    return table(("Systems", "Internet on compute nodes"), rows)


TABLES = {
    "compile-for.md": compile_for,
    "compilers.md": compilers,
    "internet.md": internet,
    "many-runs.md": many_runs,
    "r.md": r,
    "several-gpus.md": several_gpus,
    "stage-data.md": stage_data,
}
