"""What a centre's page says of its systems: which there are, how to get in, whom to ask."""

import re

from scripts.facts.model import Cluster, Login
from scripts.markdown import table
from scripts.tables.cluster import Clusters, chip, documentation, link, mark, successor
from scripts.tables.overview import gpus_of

ANY = "\0"  # stands for a system's name while those with the same words are brought together


def systems(key: str, clusters: Clusters) -> str:
    """A table of the centre's systems, running ones first; one that is off names its successor."""
    rows = []
    for cluster in _of(key, clusters):
        after = "" if cluster.running else successor(cluster, clusters)
        state = chip(cluster) + (f", replaced by {after}" if after else "")
        rows.append((link(cluster), state, "<br>".join(gpus_of(cluster)) or "not published"))
    return table(("System", "Status", "GPUs"), rows)


def access(key: str, clusters: Clusters) -> str:
    """Who may use the running systems, how they come to it, and where they log in; what several share is said once."""
    shared: dict[str, list[Cluster]] = {}
    for cluster in _of(key, clusters):
        if cluster.running:
            shared.setdefault(_way_in(cluster), []).append(cluster)
    lines = []
    for words, those in shared.items():
        names = ", ".join(link(cluster) for cluster in those)
        if len(those) == 1:
            words = words.replace(ANY, those[0].name)
        hosts = ", ".join(mark(cluster, _host(cluster, login), "login") for cluster in those for login in cluster.login)
        lines.append(f"- **{names}**: {words.replace(ANY, 'the system')}. Login nodes: {hosts or 'not published'}.\n")
    return "".join(lines)


def _host(cluster: Cluster, login: Login) -> str:
    """Its address, and what it is for where there are several."""
    told = re.sub(r" \([^)]*\)|[,;].*", "", login.purpose)
    return f"`{login.host}`" + (f" {told}" if len(cluster.login) > 1 else "")


def _way_in(cluster: Cluster) -> str:
    """Two sentences, with ANY in place of the system's name."""
    said = [(field, text) for field in ("who", "apply") if (text := getattr(cluster.access, field))]
    said = [(field, f"Open to {text}" if field == "who" else text[0].upper() + text[1:]) for field, text in said]
    sentences = [mark(cluster, text.removesuffix("."), "access", field) for field, text in said]
    return ". ".join(sentences or ["Not published"]).replace(cluster.name, ANY)


def support(key: str, clusters: Clusters) -> str:
    """For each running system: whom to ask, and its operator's documentation."""
    rows = [
        (
            link(cluster),
            mark(cluster, cluster.access.support or "not published", "access", "support"),
            documentation(cluster),
        )
        for cluster in _of(key, clusters)
        if cluster.running
    ]
    return table(("System", "Help", "Documentation"), rows)


def _of(key: str, clusters: Clusters) -> list[Cluster]:
    there = [cluster for cluster in clusters.values() if cluster.centre == key]
    return sorted(there, key=lambda cluster: (not cluster.running, -cluster.gpu_total, cluster.name))


TABLES = {"systems.md": systems, "access.md": access, "support.md": support}
