"""What the workshop's first notebook says of each system."""

from scripts.facts import Cluster
from scripts.families.shared import script
from scripts.paths import MADE
from scripts.tables.cluster import Clusters, jupyter

JUPYTER = MADE / "tables/jupyter.txt"  # no page: MkDocs leaves the folder out


def systems(clusters: Clusters) -> str:
    """For each system that runs: its way into Jupyter, a session by hand, its modules, and where packages are from."""
    return "\n\n".join(_system(cluster, clusters) for cluster in clusters.values() if cluster.running) + "\n"


def _system(cluster: Cluster, clusters: Clusters) -> str:
    parts = [f"<details><summary>{cluster.name}</summary>", jupyter(cluster, clusters).strip()]
    session = script(cluster.key, "interactive.sh").read_text(encoding="utf-8").strip()
    parts += ["An interactive session with a GPU, in a terminal:", f"```bash\n{session}\n```"]
    software = cluster.software
    use = [f"module use {path}" for path in software.module_paths]
    first = script(cluster.key, "one_gpu.sh").read_text(encoding="utf-8")
    load = [line for line in first.splitlines() if line.startswith("module load ")]
    if use or load:
        parts += ["Load the modules that this guide's scripts use:", "```bash\n" + "\n".join(use + load) + "\n```"]
    if any("--no-index" in note for note in software.notes):
        parts.append("In the installation cell below, set `WHEELHOUSE = True` to use the system's own packages.")
    return "\n\n".join([*parts, "</details>"])
