"""Write what assistants read: `agents/INSTRUCTIONS.md`, one below it for each system, `skills/`, and their lists."""

from pathlib import Path

from scripts.agents import instructions, skills
from scripts.facts import Cluster, load_all
from scripts.site.config import mkdocs_yml


def files(clusters: dict[str, Cluster], root: str = "") -> dict[Path, bytes]:
    """Path below the site -> content. root: the site's address, or empty."""
    made = {Path("agents/INSTRUCTIONS.md"): instructions.of_all(clusters, root or "../").encode()}
    beside = f"{root}agents/{{}}/INSTRUCTIONS.md" if root else "../{}/INSTRUCTIONS.md"
    for key, cluster in clusters.items():
        text = instructions.of_cluster(cluster, clusters, root or "../../", beside)
        made[Path("agents", key, "INSTRUCTIONS.md")] = text.encode()
    return made | skills.files(clusters, root)


def write(site: Path) -> None:
    for path, data in files(load_all(), mkdocs_yml().site_url).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(data)
