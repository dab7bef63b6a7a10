"""Places for files, by what they are for."""

import re
from collections.abc import Iterator

from scripts.facts.model import Cluster, Place

OWN_DISK = "The node's own disk"
# What a path is for, by how it begins; in the order in which they are tried.
KINDS = {
    "Your home": r"/home|/users|\$HOME",
    "A project's programs": r"/projappl|/projects",
    "A project's data": r"/project|/standard|\$PROJECT",
    "Shared data sets": r"/datashare",
    "Data for running jobs": r"/scratch|/nobackup|\$SCRATCH",
    OWN_DISK: r"\$TMPDIR|\$SLURM_TMPDIR|\$LOCAL_SCRATCH|\$TMP_LOCAL",
}


def kind(path: str) -> str | None:
    """What a path is for; None where its name does not say."""
    return next((kind for kind, pattern in KINDS.items() if re.match(pattern, path)), None)


def paths(cluster: Cluster) -> Iterator[tuple[str, Place]]:
    """Each path; facts may hold several with one fate in one place."""
    for place in cluster.storage:
        for path in place.path.split(", "):
            yield path, place


def other_sizes(cluster: Cluster, place: Place) -> Iterator[str]:
    """Sizes on nodes of some kinds, e.g. `20 GiB on M and L nodes (600 GiB for full-node jobs)`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for key, size in place.sizes.items():
        kind = cluster.node_types[key].description or f"`{key}`"
        groups.setdefault((size, place.full_node_sizes.get(key, "")), []).append(kind)
    for (size, full), kinds in groups.items():
        on = " and ".join(kinds).replace(" nodes and ", " and ")
        yield f"{size} on {on}" + (f" ({full} for full-node jobs)" if full else "")
