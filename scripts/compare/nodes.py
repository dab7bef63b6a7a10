"""Kinds of nodes of a capture, held against the facts' node types.

A kind has no name that both know, so those are taken as the same that agree in most. What differs in one size alone is
the same kind with another size.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scripts.compare import known
from scripts.compare.capture import Capture, Record, gres, number
from scripts.compare.known import Kind
from scripts.compare.partitions import key_of
from scripts.compare.rows import AGREES, CLUSTER_ONLY, DIFFERS, FACTS_ONLY, KIND, Row, held, written
from scripts.facts import Cluster

SIZES = ("cores", "threads_per_core", "sockets", "memory", "tmp")


@dataclass
class Seen:
    """Nodes that look alike. `partitions` are the facts' keys."""

    sizes: dict[str, int]
    gres: dict[str, int] | None
    features: frozenset[str] | None
    count: int
    partitions: set[str] = field(default_factory=set)
    kind: Kind | None = None

    def differences(self, kind: Kind) -> list[str]:
        """Names of what differs. What one of the two does not know does not differ."""
        found = [name for name, size in self.sizes.items() if name in kind.sizes and kind.sizes[name] != size]
        if self.gres is not None and kind.gres is not None:
            same = self.gres.keys() == kind.gres.keys()
            if not same:
                found += ["gres", "names of gres"]  # another GPU: two things differ
            elif not all(kind.gres[name] in (0, count) for name, count in self.gres.items()):
                found.append("gres")
        if self.features is not None and self.features != kind.features:
            found.append("features")
        return found


def rows(cluster: Cluster, capture: Capture) -> Iterator[Row]:
    """A row for each size of a kind of node that one of the two has."""
    kinds = known.kinds(cluster)
    if not capture.nodes:
        return
    where, seen = capture.nodes[0].where, _matched(cluster, kinds, capture.nodes)
    for each in seen:
        yield from _sizes(cluster, each, where)
    if capture.asked or not capture.selected:
        yield from _numbers(kinds, seen, capture, where)
        yield from _composition(cluster, kinds, seen, where)


def sizes_of(record: Record) -> dict[str, int]:
    """Cores that jobs can have, threads per core, sockets, memory and local disk in MiB, as far as it shows them."""
    of = {key: number(value) for key, value in record.values.items()}
    threads = of.get("ThreadsPerCore")
    sizes = {"threads_per_core": threads, "sockets": of.get("Sockets"), "memory": of.get("RealMemory")}
    sizes["tmp"] = of.get("TmpDisk")
    if of.get("CPUEfctv") and threads:
        sizes["cores"] = of["CPUEfctv"] // threads
    elif of.get("Sockets") and of.get("CoresPerSocket"):
        sizes["cores"] = of["Sockets"] * of["CoresPerSocket"] - (of.get("CoreSpecCount") or 0)
    elif of.get("CPUTot"):
        sizes["cores"] = of["CPUTot"] // (threads or 1)
    return {key: value for key, value in sizes.items() if value is not None}


def _seen(cluster: Cluster, record: Record) -> Seen:
    names = [name for name in (record.get("Partitions") or "").split(",") if name]
    gpus = "gpu" in record.values.get("Gres", "")
    features = None
    if "AvailableFeatures" in record.values:
        ours = {name for node in cluster.node_types.values() for name in node.features}
        features = frozenset((record.get("AvailableFeatures") or "").split(",")) & ours
    return Seen(
        sizes_of(record),
        gres(record.values["Gres"]) if "Gres" in record.values else None,
        frozenset(features) if features is not None else None,
        number(record.values.get("Count")) or 1,
        {key for name in names if (key := key_of(cluster, name, gpus))},
    )


def _matched(cluster: Cluster, kinds: list[Kind], records: list[Record]) -> list[Seen]:
    """What is seen, each with the kind of the facts that it is, if it is one: one that agrees in all; or else in all
    but two things, or one where such nodes are seen elsewhere. Of several it is the nearest.
    """
    seen = [_seen(cluster, record) for record in records]
    exact = [[kind for kind in kinds if not each.differences(kind)] for each in seen]
    met = {kind.types for found in exact for kind in found}
    for each, same in zip(seen, exact, strict=True):
        near = same or [kind for kind in kinds if _is_near(each, kind, 1 if kind.types in met else 2)]
        each.kind = min(near, key=lambda kind: _distance(cluster, each, kind, kind.types in met), default=None)
    return seen


def _distance(cluster: Cluster, each: Seen, kind: Kind, met: bool) -> tuple[int, bool, int, int]:
    """How far from this kind it is; met: such nodes are seen elsewhere."""
    own = kind.sizes.get("memory", 0)
    memory = abs(each.sizes.get("memory", own) - own)
    return len(each.differences(kind)), met, -_shares(cluster, each, kind), memory


def _is_near(each: Seen, kind: Kind, most: int) -> bool:
    """Do they differ in so many things at the most, and in fewer than both know?"""
    compared = len(each.sizes.keys() & kind.sizes.keys()) + (each.gres is not None) + bool(each.features)
    return len(each.differences(kind)) <= min(most, compared - 1)


def _has(cluster: Cluster, key: str, kind: Kind) -> bool:
    """Do the facts have such nodes, or slices cut from them, in this partition?"""
    return any(name.split(" ")[0] in cluster.partitions[key].node_types for name in kind.types)


def _shares(cluster: Cluster, each: Seen, kind: Kind) -> int:
    """In how many of its partitions the facts have this kind, less those of the facts that it is not in."""
    theirs = {key for key in cluster.partitions if _has(cluster, key, kind)}
    return 2 * len(theirs & each.partitions) - len(theirs ^ each.partitions)


def _sizes(cluster: Cluster, each: Seen, where: str) -> Iterator[Row]:
    """Of nodes whose kind is known each size; of others the whole."""
    if not each.kind:
        told = [f"{size} {name}" if name == "cores" else f"{name} {written(name, size)}" for name, size in
                each.sizes.items() if name != "tmp"]  # fmt: skip
        told += [f"{name}:{count}" for name, count in (each.gres or {}).items()]
        place = f" in {', '.join(sorted(each.partitions))}" if each.partitions else ""
        number = f"{each.count} node{'s' * (each.count != 1)}"
        yield Row("node_types", CLUSTER_ONLY, "", f"{number}{place}: {', '.join(told)}", where)
        return
    kind = each.kind
    name = kind.types[0].split(" ")[0]
    alone = kind.types == (name,)  # one type of the facts, and whole nodes
    for size in SIZES:
        ours, theirs = kind.sizes.get(size), each.sizes.get(size)
        if theirs is None or (ours is None and size in ("threads_per_core", "tmp")):
            continue
        path, text = ("node_types", name, size), written(size, theirs)
        row = held(path, None if ours is None else written(size, ours), text, where, alone)
        row.ours = "" if ours is None else str(getattr(cluster.node_types[name], size))  # as they write it
        yield row
    if each.gres is not None and kind.gres is not None:
        yield from _gres(cluster, each, name, where)
    if each.features is not None and (kind.features or each.features):
        verdict = AGREES if kind.features == each.features else DIFFERS
        ours, theirs = (", ".join(sorted(names)) for names in (kind.features, each.features))
        yield Row(f"node_types.{name}.features", verdict, ours, theirs or "none of these", where)


def _gres(cluster: Cluster, each: Seen, name: str, where: str) -> Iterator[Row]:
    kind, node = each.kind, cluster.node_types[name]
    by_gres = {cluster.gpus[gpu].gres or "gpu": gpu for gpu in node.gpus}
    for gres_name in sorted(kind.gres.keys() | each.gres.keys()):
        ours, theirs = kind.gres.get(gres_name), each.gres.get(gres_name)
        gpu = by_gres.get(gres_name)
        path = ("node_types", name, "gpus", gpu) if gpu else ("node_types", name, "gres", gres_name)
        if ours == 0 and theirs:  # slices: how many is not published
            yield Row(f"node_types.{name}.gpus", AGREES, gres_name, gres_name, where)
        elif ours is None and gres_name.partition(":")[0] != "gpu":
            yield held(path, None, f"{gres_name}:{theirs}", where, editable=False)
        elif ours is None or theirs is None:
            texts = [f"{gres_name}:{number}" if number is not None else "none" for number in (ours, theirs)]
            yield Row(".".join(path), DIFFERS, *texts, where)
        else:
            yield held(path, ours, theirs, where)


def _numbers(kinds: list[Kind], seen: list[Seen], capture: Capture, where: str) -> Iterator[Row]:
    """How many nodes of each kind there are; only a whole listing tells."""
    whole = capture.asked or sum(each.count for each in seen) * 2 > sum(kind.count or 0 for kind in kinds)
    for kind in kinds:
        if " " in kind.types[0]:
            continue
        theirs = sum(each.count for each in seen if each.kind is kind)
        if not theirs and whole:
            yield Row(f"node_types.{kind.types[0]}", FACTS_ONLY, KIND, "", where)
        elif theirs and (whole or kind.count is None):
            path = ("node_types", "+".join(kind.types), "count")
            yield held(path, kind.count, theirs, where, editable=len(kind.types) == 1)


def _composition(cluster: Cluster, kinds: list[Kind], seen: list[Seen], where: str) -> Iterator[Row]:
    for key in sorted({key for each in seen for key in each.partitions}):
        here = [each for each in seen if key in each.partitions]
        ours = {kind.types for kind in kinds if _has(cluster, key, kind)}
        theirs = {each.kind.types for each in here if each.kind}
        cut = {types for types in ours if " " in types[0]}
        differ = (ours - cut) ^ (theirs - cut)
        texts = [", ".join(sorted("+".join(types) for types in names - cut)) for names in (ours, theirs)]
        verdict = DIFFERS if differ else AGREES
        if theirs:
            yield Row(f"partitions.{key}.node_types", verdict, *texts, where)
