"""Read facts files: typed, each part held against the others, every fault of a file told at once."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts.errors import BadInput, did_you_mean, refuse
from scripts.facts.centres import NAME, load_centres
from scripts.facts.model import GROUPS, Cluster, Requirement, State
from scripts.facts.unknown import is_blank, unlisted
from scripts.models import line_of, load_model
from scripts.paths import FACTS, shown
from scripts.yaml_lines import Lines

Place = tuple[str | int, ...]  # a key's path in a file: its parts' names, and the numbers of list items
Fault = tuple[Place, str, str]  # the key's path, what, cure


def load_cluster(path: Path) -> Cluster:
    """One facts file. Raises BadInput with file, line, key and cure for every fault in it."""
    return read_file(path)[0]


def read_file(path: Path) -> tuple[Cluster, Lines]:
    """One facts file, and the line of each key. Raises BadInput for every fault in it."""
    if not re.fullmatch(r"[a-z][a-z0-9]*", path.parent.name):
        what = f"the folder `{path.parent.name}` is not a cluster key."
        raise BadInput(shown(path), None, what, "Use small letters and digits only.")
    cluster, lines = load_model(path, Cluster, "", key=path.parent.name)
    faults = [*_between_parts(cluster, path.parent.parent / NAME), *_older_sources(cluster)]
    refuse([BadInput(shown(path), line_of(lines, at), what, cure) for at, what, cure in faults])
    return cluster, lines


def files(facts: Path = FACTS) -> list[Path]:
    """The facts files of a collection, in alphabetical order. Raises BadInput if there is none."""
    if found := sorted(facts.glob("*/cluster.yml")):
        return found
    cure = "Name a folder that has them: --facts DIR, or the variable GPU_GUIDE_FACTS."
    raise BadInput(shown(facts), None, "there is no <cluster>/cluster.yml here.", cure)


def load_named(key: str) -> Cluster:
    """The cluster of one folder, without reading the others. Raises BadInput also where there is no such cluster."""
    keys = [path.parent.name for path in files(FACTS)]
    if key not in keys:
        raise BadInput("guide", None, f"there is no cluster `{key}`.", did_you_mean(key, keys))
    return load_cluster(FACTS / key / "cluster.yml")


def successor_name(cluster: Cluster) -> str | None:
    """The system that replaced this one, as readers know it: `successor:` is a folder's name, or already a system's."""
    after = successor(cluster)
    return after.name if after else cluster.status.successor


def login_of_successor(cluster: Cluster) -> str | None:
    """The first login node of the system that replaced this one."""
    after = successor(cluster)
    return after.login[0].host if after and after.login else None


def successor(cluster: Cluster) -> Cluster | None:
    """The system that replaced this one, if the facts have it."""
    key = cluster.status.successor
    file = FACTS / (key or "") / "cluster.yml"
    return load_cluster(file) if key and file.is_file() else None


def load_all(facts: Path = FACTS) -> dict[str, Cluster]:
    """Every cluster by key, in alphabetical order. Raises BadInput for all faults, also for two files with one name."""
    clusters: dict[str, Cluster] = {}
    faults: list[BadInput] = []
    names: dict[str, Path] = {}
    for path in files(facts):
        try:
            cluster = load_cluster(path)
        except BadInput as fault:
            faults.append(fault)
            continue
        if other := names.get(cluster.name.casefold()):
            what = f"the name {cluster.name} is already that of {shown(other)}."
            faults.append(BadInput(shown(path), 1, what, "Give each cluster one file."))
        names[cluster.name.casefold()] = path
        clusters[cluster.key] = cluster
    refuse(faults)
    return clusters


def load_readable() -> dict[str, Cluster]:
    """Those without a fault: whoever asks about another system is not stopped by a broken file."""
    found = {}
    for path in files():
        with suppress(BadInput):
            found[path.parent.name] = load_cluster(path)
    return found


def place(data: Any, dotted: str) -> Place | None:
    """The path of a key, None if it names nothing. Keys may themselves hold dots, as `a100_1g.5gb` does.

    One storage place of the list of them is named by its path.
    """
    if isinstance(data, list):
        names = {each["path"]: index for index, each in enumerate(data) if isinstance(each, dict) and "path" in each}
    else:
        names = {key: key for key in data} if isinstance(data, dict) else {}
    for name, key in names.items():
        if dotted == name:
            return (key,)
        if dotted.startswith(f"{name}.") and (below := place(data[key], dotted[len(name) + 1 :])):
            return (key, *below)
    return None


def _between_parts(cluster: Cluster, known: Path) -> Iterator[Fault]:
    """Faults between one part of a file and another; `known` lists the centers of its collection."""
    yield from _unknown_names(cluster)
    if cluster.centre and (centres := load_centres(known)) and cluster.centre not in centres:
        yield ("centre",), f"{shown(known)} has no `{cluster.centre}`.", did_you_mean(cluster.centre, list(centres))
    dumped = cluster.model_dump(mode="json", exclude_none=True)
    for group in GROUPS:
        if group in cluster.model_fields_set and dumped.get(group) and group not in cluster.sources:
            cure = f"Add `{group}:` with title, url and read under `sources:`."
            yield ("sources",), f"`{group}` has no source.", cure
    for group in cluster.sources.keys() - set(GROUPS):
        cure = did_you_mean(group, list(GROUPS)) if group not in Cluster.model_fields else "It needs none: delete it."
        yield ("sources", group), f"`{group}` is not a group of this file.", cure
    yield from _not_known(cluster, cluster.model_dump(mode="json", exclude_unset=True))
    for dotted in cluster.unconfirmed:
        if not place(dumped, dotted):
            cure = "Write a key's path, such as partitions.gpu.max_time."
            yield ("unconfirmed", dotted), f"`{dotted}` names nothing in this file.", cure


def _not_known(cluster: Cluster, said: dict) -> Iterator[Fault]:
    """What says nothing stands under `unknown:`, and what stands there says nothing."""
    for dotted in unlisted(cluster):
        yield place(said, dotted) or (dotted,), f"`{dotted}` is missing.", "Add it."
    for dotted in cluster.unknown:
        group = dotted.partition(".")[0]
        if not is_blank(dotted) and group not in GROUPS:
            yield ("unknown", dotted), f"`{dotted}` is not a key of a facts file.", did_you_mean(group, list(GROUPS))
        elif not is_blank(dotted) and place(said, dotted):
            yield ("unknown", dotted), f"`{dotted}` is answered.", "Delete its line under `unknown:`."


def _known(at: tuple[str | int, ...], name: str, names: dict, what: str) -> Iterator[Fault]:
    if name not in names:
        yield at, f"`{name}` is not a {what} of this file.", did_you_mean(name, list(names))


def _unknown_in_prices(cluster: Cluster) -> Iterator[Fault]:
    for index, price in enumerate(cluster.billing.prices):
        at = ("billing", "prices", index)
        for gpu in price.gpus:
            yield from _known((*at, "gpus"), gpu, cluster.gpus, "GPU (see `gpus:`)")
        for name in price.partitions:
            yield from _known((*at, "partitions"), name, cluster.partitions, "partition")


def _unknown_names(cluster: Cluster) -> Iterator[Fault]:
    """Node types, GPUs and partitions that one part names and no other describes."""
    yield from _unknown_in_prices(cluster)
    for key, node in cluster.node_types.items():
        for gpu in node.gpus:
            yield from _known(("node_types", key, "gpus", gpu), gpu, cluster.gpus, "GPU (see `gpus:`)")
    for key, gpu in cluster.gpus.items():
        if cluster.scheduler.kind == "slurm" and gpu.gres.split(":")[0] != "gpu":
            what = f"`{gpu.gres}` is not the name of a GPU in Slurm."
            yield ("gpus", key, "gres"), what, f"Write `gpu`, or with a type `gpu:{key}`."
        if gpu.slice_of:
            yield from _known(("gpus", key, "slice_of"), gpu.slice_of, cluster.gpus, "GPU")
            if not any({key, gpu.slice_of} & node.gpus.keys() for node in cluster.node_types.values()):
                what = f"no node type has a `{gpu.slice_of}`, so there is no place for its slice `{key}`."
                yield ("gpus", key, "slice_of"), what, "State under `node_types:` which nodes have either."
    for key, partition in cluster.partitions.items():
        for index, name in enumerate(partition.node_types):
            yield from _known(("partitions", key, "node_types", index), name, cluster.node_types, "node type")
        for field in ("gpu_jobs_in", "longer_jobs_in"):
            if name := getattr(partition, field):
                yield from _known(("partitions", key, field), name, cluster.partitions, "partition")
        if partition.longer_jobs_in and not partition.max_time:
            yield ("partitions", key, "longer_jobs_in"), "no job is too long here.", "Say `max_time:` too."


def _older_sources(cluster: Cluster) -> Iterator[Fault]:
    """What is said to have happened on a day needs a source of that day or later, or a doubt that says why not."""
    status = cluster.status
    happened: dict[tuple[str | int, ...], str | None] = {("status", "ended"): status.ended}
    if status.state is not State.ANNOUNCED:
        happened["status", "since"] = status.since
    for name, rule in cluster.policy:
        if isinstance(rule, Requirement):
            happened["policy", name, "since"] = rule.since
    for at, day in happened.items():
        doubts = {".".join(map(str, at[:length])) for length in (1, 2, 3)}
        dates = [source.dated or source.read for source in cluster.sources.get(str(at[0]), [])]
        if day and dates and max(dates) < day[: len(max(dates))] and not doubts & cluster.unconfirmed.keys():
            what = f"this happened on {day}, and the newest source of `{at[0]}` is of {max(dates)}."
            cure = f"Cite one of {day} or later, or say under `unconfirmed:` why `{'.'.join(map(str, at))}` holds."
            yield at, what, cure
