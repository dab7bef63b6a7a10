"""Nodes of a capture as node types: those with the same hardware, GRES and features are one.

The facts say how many nodes a partition has, not which. Where that is not enough to know how many of each type it has,
a type is split into the nodes that the partition has and the others.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from scripts.compare.capture import Record, gres
from scripts.compare.nodes import sizes_of
from scripts.compare.tables import UNCOUNTED
from scripts.twin.slurm.conf import spread

FEATURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]*")
TOTALS = "totals"  # nodes that a partition's totals give
UNSURE = {
    "sinfo": "sinfo lists each partition separately, so there may be more of these nodes",
    TOTALS: "calculated from the totals of a partition, as if its nodes were all alike",
    UNCOUNTED: "the table does not show how many of these nodes there are",
}


@dataclass(frozen=True)
class Hardware:
    """What nodes have in common. Sizes are sorted pairs, see `sizes_of`."""

    sizes: tuple[tuple[str, int], ...]
    architecture: str
    gpus: tuple[tuple[str, int], ...]  # of GRES names: `gpu:a100`, or `gpu`
    gres: tuple[tuple[str, int], ...]
    features: tuple[str, ...]

    def size(self, name: str) -> int | None:
        return dict(self.sizes).get(name)


@dataclass
class Kind:
    """A node type: how many of its nodes are in which partitions. unsure: why that is not certain."""

    hardware: Hardware
    places: Counter[frozenset[str]] = field(default_factory=Counter)
    unsure: str = ""
    key: str = ""

    @property
    def count(self) -> int:
        return self.places.total()

    def within(self, partition: str) -> int:
        return sum(number for there, number in self.places.items() if partition in there)


def kinds(records: list[Record], order: Iterable[str]) -> tuple[list[Kind], dict[str, int]]:
    """The node types, and how many nodes a partition has where that is fewer than all of its types.

    order: of the partitions. Nodes in no partition are left out.
    """
    found: dict[Hardware, Kind] = {}
    for record in records:
        there = frozenset(name for name in (record.get("Partitions") or "").split(",") if name)
        if there and (number := int(record.values.get("Count") or 1)):
            hardware = _hardware(record)
            found.setdefault(hardware, Kind(hardware)).places[there] += number
    where = next((record.where for record in records if record.where in UNSURE), "")
    for kind in found.values():
        kind.unsure = UNSURE.get(where, "") if where in (TOTALS, UNCOUNTED) or len(kind.places) > 1 else ""
        if where in UNSURE and len(kind.places) > 1:
            _nested(kind)
    types = sorted(found.values(), key=lambda kind: (not kind.hardware.gpus, -kind.count))
    numbers: dict[str, int] = {}
    again = True
    while again:
        again = False
        for name in order:
            there = {at: kind for at, kind in enumerate(types) if kind.within(name)}
            real = {at: kind.within(name) for at, kind in there.items()}
            whole = {at: kind.count for at, kind in there.items()}
            numbers.pop(name, None)
            if real == whole:
                continue
            if spread(whole, sum(real.values())) == real:
                numbers[name] = sum(real.values())
                continue
            types = [each for kind in types for each in _split(kind, name)]
            again = True
            break
    _name(types)
    return types, numbers


def _hardware(record: Record) -> Hardware:
    gpus: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for name, number in gres(record.get("Gres")).items():
        kind, *more = name.split(":")
        if "no_consume" in more or not number:  # it tells something, and nobody can ask for it
            continue
        if kind == "gpu":
            gpus[":".join([kind, *more[:1]])] += number
        else:
            others[kind] += number
    features = {name for name in (record.get("AvailableFeatures") or "").split(",") if FEATURE.fullmatch(name)}
    return Hardware(
        tuple(sorted(sizes_of(record).items())),
        "aarch64" if record.get("Arch") == "aarch64" else "x86_64",
        tuple(sorted(gpus.items())),
        tuple(sorted(others.items())),
        tuple(sorted(features)),
    )


def _nested(kind: Kind) -> None:
    """Each partition is listed for itself. Nodes that look alike are taken as the same."""
    sizes = sorted(((kind.within(name), name) for name in frozenset().union(*kind.places)), reverse=True)
    kind.places = Counter()
    for at, (more, less) in enumerate(pairwise([*(number for number, _ in sizes), 0]), start=1):
        if more > less:
            kind.places[frozenset(name for _, name in sizes[:at])] = more - less


def _split(kind: Kind, partition: str) -> list[Kind]:
    inside = Counter({there: number for there, number in kind.places.items() if partition in there})
    outside = kind.places - inside
    return [Kind(kind.hardware, part, kind.unsure) for part in (inside, outside) if part]


def _name(types: list[Kind]) -> None:
    """A key for each: what GPUs it has, and what else tells it from others."""
    for kind in types:
        gpus = [re.sub(r"[^a-z0-9]+", "_", name.removeprefix("gpu:").lower()) for name, _ in kind.hardware.gpus]
        kind.key = "_".join(gpus) or "cpu"
    for what, unit, sign in (("memory", 1024, "g"), ("cores", 1, "c")):
        same = Counter(kind.key for kind in types)
        for kind in types:
            if same[kind.key] > 1 and (size := kind.hardware.size(what)):
                kind.key += f"_{round(size / unit)}{sign}"
    taken: Counter[str] = Counter()
    for kind in types:
        taken[kind.key] += 1
        kind.key += f"_{taken[kind.key]}" if taken[kind.key] > 1 else ""
