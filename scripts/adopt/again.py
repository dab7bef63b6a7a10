"""Merge a newer capture into a facts file: single values, new partitions and kinds of nodes; all else stays."""

from itertools import chain, count
from pathlib import Path
from typing import Any

from scripts.adopt.facts import facts
from scripts.adopt.text import flow
from scripts.compare.capture import Capture
from scripts.compare.compare import compare
from scripts.compare.rows import CLUSTER_ONLY, DIFFERS, FACTS_ONLY, OLDER, WHOLE, Row
from scripts.compare.write import changed, edits
from scripts.facts.load import load_cluster
from scripts.facts.model import Cluster

DOUBTS = ("unknown", "unconfirmed")


def merged(file: Path, capture: Capture, date: str, source: dict[str, str]) -> tuple[str, list[str]]:
    """The file's new text, empty if it stays as it is, and sentences on what changes.

    Raises BadInput with nothing written.
    """
    cluster = load_cluster(file)
    rows = compare(cluster, capture, date)
    values, by_hand = edits(rows, [row for row in rows if row.verdict == DIFFERS or _is_limit(cluster, row)])
    before = {row.edit[0]: row.ours for row in rows if row.edit}
    said = [
        f"{'.'.join(path)}: {value or 'removed'}" + (f", was {before[path]}" if before[path] else "")
        for path, value in values.items()
    ]
    new = _new(cluster, facts(capture, cluster.key, cluster.name, source).data)
    said += [f"New: {'.'.join(path)}" for path in new if path[0] not in DOUBTS]
    for part in DOUBTS:
        about = {key: why for (group, key), why in new.items() if group == part}
        if about and not getattr(cluster, part):  # the file has no such part yet
            new = {path: value for path, value in new.items() if path[0] != part} | {(part,): about}
    values |= {path: flow(value) for path, value in new.items()}
    gone = [row.key for row in rows if row.verdict == FACTS_ONLY and row.ours in WHOLE]
    said += [f"No longer in the capture: {key}. Delete it if it is retired." for key in gone]
    said += [
        f"Check this value yourself: {row.key}: {row.ours} in the facts, {row.theirs or 'none'} in the capture."
        for row in by_hand
    ]
    if older := [row.key for row in rows if row.verdict == OLDER]:
        said.append(f"Kept, because its source is newer than the capture: {', '.join(older)}.")
    return (changed(file, values, source) if values else ""), said or ["Nothing has changed."]


def _is_limit(cluster: Cluster, row: Row) -> bool:
    """A limit that only the cluster knows, of a partition that the facts have, too."""
    return row.verdict == CLUSTER_ONLY and bool(row.edit) and row.edit[0][0] == "partitions"


def _new(cluster: Cluster, data: dict[str, Any]) -> dict[tuple[str, ...], Any]:
    """New partitions, with the node types and GPUs that they need and that the facts lack."""
    fresh = Cluster.model_validate({**data, "key": cluster.key})
    names: dict[str, str] = {}
    found: dict[tuple[str, ...], Any] = {}
    for name in data["partitions"].keys() - cluster.partitions.keys() - {p.name for p in cluster.partitions.values()}:
        found["partitions", name] = data["partitions"][name]
    wanted = [type for _, p in found.items() for type in p["node_types"]]
    for name in dict.fromkeys(wanted):
        like = [key for key, node in cluster.node_types.items() if _same(cluster, node, fresh, fresh.node_types[name])]
        names[name] = like[0] if like else _free(name, cluster)
        if not like:
            found["node_types", names[name]] = data["node_types"][name]
            for gpu in data["node_types"][name].get("gpus", {}).keys() - cluster.gpus.keys():
                found["gpus", gpu] = data["gpus"][gpu]
                for part in DOUBTS:
                    about = {key: why for key, why in data.get(part, {}).items() if key.startswith(f"gpus.{gpu}.")}
                    found |= {(part, key): why for key, why in about.items()}
    for path, value in found.items():
        if path[0] == "partitions":
            value["node_types"] = list(dict.fromkeys(names[type] for type in value["node_types"]))
    return found


def _same(cluster: Cluster, ours, fresh: Cluster, theirs) -> bool:
    def hardware(of: Cluster, node) -> tuple:
        gres = sorted((of.gpus[gpu].gres, number) for gpu, number in node.gpus.items())
        return node.cores, node.threads_per_core, int(node.memory.mib) if node.memory else None, gres, node.gres

    return hardware(cluster, ours) == hardware(fresh, theirs)


def _free(name: str, cluster: Cluster) -> str:
    names = chain([name], (f"{name}_{number}" for number in count(2)))
    return next(each for each in names if each not in cluster.node_types)
