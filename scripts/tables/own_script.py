"""The systems whose scripts a reader can write or check: the page's own list, and without JavaScript the way there."""

from scripts.facts.centres import load_centres
from scripts.facts.model import Cluster
from scripts.facts.unknown import NOT_KNOWN
from scripts.tables.cluster import Clusters, link, successor

# The page's other modes, whose links name these ids.
OTHERWISE = """
[Check a script with a command](/about/how-checked.md){ id="mode=check" }, or
[look up a message](/wrong/index.md){ id="mode=explain" }.
"""


def scripts_of_systems(clusters: Clusters) -> str:
    """A list by centre, running systems first; each entry has the id that a link to the page for it names."""
    centres = load_centres()
    order = [*centres, None]
    ordered = sorted(clusters.values(), key=lambda each: (not each.running, order.index(each.centre)))
    names = {key: centre.name for key, centre in centres.items()} | {None: NOT_KNOWN}
    listed = "".join(f"- {_entry(cluster, names[cluster.centre], clusters)}\n" for cluster in ordered)
    return listed + OTHERWISE


def _entry(cluster: Cluster, centre: str, clusters: Clusters) -> str:
    part = "one-gpu" if cluster.running else "its-old-scripts"
    way = f'{link(cluster, part)}{{ id="cluster={cluster.key}" }} ({centre})'
    if cluster.running:
        return way
    after = successor(cluster, clusters)
    return f"{way}, retired" + (f", replaced by {after}" if after else "")


TABLES = {"scripts-of-systems.md": scripts_of_systems}
