"""A capture held against the facts: rows, and what cannot be compared."""

from collections.abc import Iterator

from scripts.compare import nodes, partitions
from scripts.compare.capture import NAME, Capture
from scripts.compare.rows import AGREES, DIFFERS, OLDER, Row, held, is_older, merged
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import FACTS

LEAST_SAME = 3  # one partition in so many must be known, or it is another system
NOT_COMPARED = "modules, quotas, prices, and rules that a site has written itself: a scheduler does not show them"


def compare(cluster: Cluster, capture: Capture, date: str) -> list[Row]:
    """Every fact that the capture shows, or should show. Raises BadInput for another system's, or if there is none."""
    _is_of(cluster, capture)
    found = merged(every(cluster, capture))
    if not found and not capture.verdicts:
        what = "nothing in the capture can be compared with the facts."
        raise BadInput(capture.file, None, what, "Paste the whole output as it was printed.")
    for row in found:
        if row.verdict == DIFFERS and is_older(date, cluster, row.group):
            row.verdict = OLDER
    return found


def every(cluster: Cluster, capture: Capture) -> Iterator[Row]:
    """A row for each fact that the capture shows, or should show."""
    yield from partitions.rows(cluster, capture)
    yield from nodes.rows(cluster, capture)
    yield from partitions.of_qos(cluster, capture)
    version = capture.config.get("SLURM_VERSION")
    if version and not capture.twin and cluster.scheduler.version:
        yield held(("scheduler", "version"), cluster.scheduler.version, version, "scontrol show config")


def _is_of(cluster: Cluster, capture: Capture) -> None:
    """Raises BadInput if this is another system's: by its name, by its partitions, or by its nodes."""
    cure = "Use a capture of this cluster."
    if cluster.scheduler.kind != "slurm":
        scheduler = cluster.scheduler.words.name
        raise BadInput(capture.file, None, f"{cluster.name} has {scheduler}, but only Slurm can be compared.", cure)
    named = capture.config.get("ClusterName", "")
    if named != cluster.key and NAME.fullmatch(named) and (FACTS / named / "cluster.yml").is_file():
        raise BadInput(capture.file, None, f"the capture is of `{named}`, not of `{cluster.key}`.", cure)
    names = {record.values.get("PartitionName", "") for record in capture.partitions}
    same = [name for name in names if partitions.key_of(cluster, name)]
    if len(names) > LEAST_SAME * len(same):
        of = f"{len(names)} partition{'s' * (len(names) != 1)}"
        what = f"{cluster.name} has {len(same) or 'none'} of the capture's {of}."
        raise BadInput(capture.file, None, what, cure)
    if not names and capture.nodes and not any(row.verdict == AGREES for row in nodes.rows(cluster, capture)):
        raise BadInput(capture.file, None, f"no node in the capture is like one of {cluster.name}.", cure)
