"""The home page's list of all systems, by centre: those that run stand out, those that are off name their successor."""

from scripts.agents.instructions import skill
from scripts.facts.centres import load_centres
from scripts.facts.model import Cluster
from scripts.markdown import table
from scripts.site.config import mkdocs_yml
from scripts.tables.cluster import Clusters, link


def picker(clusters: Clusters) -> str:
    """A heading and two lists for each centre: what runs, and what is off."""
    parts = []
    for key, centre in load_centres().items():
        there = [cluster for cluster in clusters.values() if cluster.centre == key]
        there.sort(key=lambda cluster: (-cluster.gpu_total, cluster.name))
        parts += ['<div class="centre" markdown>', "", f"### [{centre.name}](/clusters/{key}.md)", "", centre.where, ""]
        for state, chosen in (("on", [c for c in there if c.running]), ("off", [c for c in there if not c.running])):
            if chosen:
                parts += [f'<div class="systems {state}" markdown>', ""]
                parts += [
                    f"- {_system(cluster, clusters)}"
                    for cluster in sorted(chosen, key=lambda each: (-each.gpu_total, each.name))
                ]
                parts += ["", "</div>", ""]
        parts += ["</div>", ""]
    return "\n".join(parts)


def _system(cluster: Cluster, clusters: Clusters) -> str:
    """`[**Roihu**](…) 528 × GH200, 96 GB`, or where to go instead."""
    name = link(cluster)
    if not cluster.running:
        key = cluster.status.successor or ""
        after = clusters[key].name if key in clusters else key
        return f"{name} retired{f', replaced by {after}' if after else ''}"
    numbers = {key: cluster.gpu_count(key) for key, gpu in cluster.gpus.items() if not gpu.is_slice}
    most = max(numbers, key=numbers.get)
    gpu, number = cluster.gpus[most], numbers[most]
    maker, _, model = gpu.model.partition(" ")
    return f"{name} {number:,} × {model.partition(',')[0]}, {gpu.size}" + (" and others" if len(numbers) > 2 else "")


def repository(clusters: Clusters) -> str:
    """How to get the repository with its history, by the address in mkdocs.yml."""
    if url := mkdocs_yml().data.get("repo_url"):
        return f"```console\ngit clone {url}\n```\n"
    return "This copy of the guide does not name a public repository. Ask the person who gave it to you.\n"


def agents(clusters: Clusters) -> str:
    """The files for assistants: the instructions of each running system, and the skill of its center."""
    rows = []
    for key, centre in load_centres().items():
        there = [each for each in clusters.values() if each.centre == key and each.running]
        if not there:  # its systems are retired, or not written yet
            continue
        files = [f'<a href="../agents/{each.key}/INSTRUCTIONS.md"><code>{each.key}</code></a>' for each in there]
        rows.append(
            (centre.name, ", ".join(files), f'<a href="../skills/{skill(there[0])}/SKILL.md">{skill(there[0])}</a>')
        )
    return table(("Center", "Instructions", "Skill"), rows)


TABLES = {"agents.md": agents, "systems.md": picker, "repository.md": repository}
