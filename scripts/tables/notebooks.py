"""The cells of notebooks that are written from the facts: a reader downloads the notebook, so the facts must be in it.

Such a cell has its table's name as `made` in its metadata; all others are as people wrote them.
"""

from __future__ import annotations

from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.families.shared import script
from scripts.paths import DOCS, shown
from scripts.tables.cluster import Clusters, jupyter


def systems(clusters: Clusters) -> str:
    """For each system that runs: its way into Jupyter, a session by hand, its modules, and where packages are from."""
    return "\n\n".join(_system(cluster, clusters) for cluster in clusters.values() if cluster.running) + "\n"


def _system(cluster: Cluster, clusters: Clusters) -> str:
    parts = [f"<details><summary>{cluster.name}</summary>", jupyter(cluster, clusters).strip()]
    session = script(cluster.key, "interactive.sh").read_text(encoding="utf-8").strip()
    parts += ["An interactive session with a GPU, in a terminal:", f"```bash\n{session}\n```"]
    software = cluster.software
    use = [f"module use {path}" for path in software.module_paths]
    load = [f"module load {' '.join(software.modules)}"] if software.modules else []
    if use or load:
        parts += ["The modules that this guide's scripts load:", "```bash\n" + "\n".join(use + load) + "\n```"]
    if any("--no-index" in note for note in software.notes):
        parts.append("In the cell below, set `WHEELHOUSE = True`.")
    return "\n\n".join([*parts, "</details>"])


CELLS = {"systems": systems}


def notebooks(clusters: Clusters) -> dict[Path, str]:
    """Each notebook that has such cells -> its text with these as the facts have them. Raises BadInput."""
    import nbformat

    found = {}
    for path in sorted(DOCS.rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts or '"made"' not in path.read_text(encoding="utf-8"):
            continue
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if name := cell.metadata.get("made"):
                if name not in CELLS:
                    cure = f"Known: {', '.join(CELLS)}."
                    raise BadInput(shown(path), None, f"nothing is made under the name `{name}`.", cure)
                cell.source = CELLS[name](clusters).strip()
        found[path] = nbformat.writes(notebook) + "\n"
    return found
