"""Partitions by kind, time and size; and the longest job."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.facts.limits import strictest
from scripts.facts.model import Cluster, Rule
from scripts.facts.units import Walltime
from scripts.migration.gpus import successor
from scripts.migration.line import Line, doubtful, of_kind

NOUN = {True: "GPU", False: "core"}


@dataclass(frozen=True)
class _Room:
    """What a partition takes: GPUs, or cores of those without GPUs; minutes, where they are published."""

    key: str
    least: float
    most: float
    time: Walltime | None
    default: bool

    @property
    def minutes(self) -> float:
        return self.time.minutes if self.time else math.inf


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    for with_gpu in (True, False):
        rooms = [_room(new, key, with_gpu) for key in of_kind(new, with_gpu) if _serves(old, new, key, with_gpu)]
        for key in of_kind(old, with_gpu):
            yield from _partition(old, new, _room(old, key, with_gpu), rooms, with_gpu)
        yield from _longest(old, new, with_gpu)
    yield from _features(old, new)


def _serves(old: Cluster, new: Cluster, key: str, with_gpu: bool) -> bool:
    """Of partitions with GPUs those that have one that takes an old one's place."""
    places = {successor(old, new, gpu, number) for gpu in old.gpus for number in (1, 2)} - {None}
    whole = {new.gpus[place].slice_of or place for place in places}
    return not with_gpu or any(whole & new.node_types[n].gpus.keys() for n in new.partitions[key].node_types)


def _room(cluster: Cluster, key: str, with_gpu: bool) -> _Room:
    partition = cluster.partitions[key]
    nodes = [cluster.node_types[n] for n in partition.node_types if bool(cluster.node_types[n].gpus) is with_gpu]
    sizes = [sum(node.gpus.values()) if with_gpu else node.cores for node in nodes]
    known = [size for size in sizes if size]
    wanted = "gpus" if with_gpu else "cores"
    least, most = (strictest(partition, wanted, test) for test in ("at_least", "at_most"))
    if most is None:
        size = strictest(partition, f"{wanted}_per_node", "at_most") or (max(known) if known else None)
        most = partition.max_nodes * size if partition.max_nodes and size else math.inf
    if least is None:
        least = (partition.min_nodes or 0) * (min(known) if known else 1)
    return _Room(key, max(least, 1), most, partition.max_time, partition.default)


def _places(room: _Room, rooms: list[_Room]) -> list[_Room]:
    """The new partitions for it: one for its smallest jobs, then such as take larger ones."""
    found: list[_Room] = []
    fits = [each for each in rooms if each.least <= max(room.least, 1)]
    if same := [each for each in rooms if each.key == room.key and each.least <= room.most]:
        found = same
    elif fits:
        found = [min(fits, key=lambda each: _distance(room, each))]
    while found and found[-1].most < room.most:
        larger = [each for each in rooms if each.most > found[-1].most and each.least <= room.most]
        if not larger:
            break
        found.append(min(larger, key=lambda each: _distance(room, each)))
    return found


def _distance(room: _Room, other: _Room) -> tuple[float, ...]:
    """Too short is worse than too long; then that which is used when none is named; then the larger."""
    short, long = max(room.minutes - other.minutes, 0), max(other.minutes - room.minutes, 0)
    return short, long, not other.default, -other.most


def _partition(old: Cluster, new: Cluster, room: _Room, rooms: list[_Room], with_gpu: bool) -> Iterator[Line]:
    before = _asked(old, room.key)
    unsure = _unsure(old, room.key)
    if new.policy.partition.rule is Rule.LEAVE_OUT:
        yield _left_out(new, before, room, rooms, with_gpu)
        return
    found = _places(room, rooms)
    if not found:
        yield Line("partition", before, "", f"{new.name} has none for such jobs.", True, unsure)
    below = 0.0
    for place in found:
        said, lost = _differs(room, place, below, place is found[-1], NOUN[with_gpu])
        access = new.partitions[place.key].access
        why = said + (f" Open {access}." if access else "")
        yield Line(
            "partition",
            before,
            _asked(new, place.key),
            why,
            lost,
            unsure or _unsure(new, place.key),
        )
        below = place.most


def _unsure(cluster: Cluster, key: str) -> bool:
    """Is its name in doubt, or a limit of it?"""
    return "partitions" in cluster.unconfirmed or doubtful(cluster, f"partitions.{key}")


def _left_out(new: Cluster, before: str, room: _Room, rooms: list[_Room], with_gpu: bool) -> Line:
    longest = max((each.minutes for each in rooms), default=math.inf)
    why = f"{NOUN[with_gpu] if with_gpu else 'Other'} jobs: name none, Slurm picks one."
    if room.time and room.minutes > longest:
        most = max(rooms, key=lambda each: each.minutes).time
        why = f"Jobs of {room.time.words} are gone; the longest here is {most.words if most else 'not published'}."
        return Line("partition", before, "", why, True)
    return Line("partition", before, "", why, False, doubtful(new, "policy.partition"))


def _differs(room: _Room, place: _Room, below: float, largest: bool, noun: str) -> tuple[str, bool]:
    """What is different there, in sentences; and is anything less?"""
    said, lost = [], False
    if below:
        said.append(f"For more than {_count(below, noun)}.")
    elif place.most < room.most and not largest:
        said.append(f"For up to {_count(place.most, noun)}.")
    if largest and place.most < room.most:
        was = f"it was {_count(room.most, noun)}" if room.most < math.inf else "it had no such limit"
        said.append(f"{_count(place.most, noun)} at most; {was}.")
        lost = True
    if place.least > max(room.least, below + 1):
        said.append(f"{_count(place.least, noun)} at least.")
    if room.time and place.time and place.time != room.time:
        said.append(f"Up to {place.time.words}; it was {room.time.words}.")
        lost = lost or place.minutes < room.minutes
    elif place.time:
        said.append(f"Up to {place.time.words}, as before." if room.time else f"Up to {place.time.words}.")
    return " ".join(said) or "No limit of time is published.", lost


def _count(number: float, noun: str) -> str:
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


def _asked(cluster: Cluster, key: str) -> str:
    name = cluster.partitions[key].name or key
    return f"{cluster.scheduler.words.partition}{name}"


def _longest(old: Cluster, new: Cluster, with_gpu: bool) -> Iterator[Line]:
    """The longest job of all, and how many after each other make up the old one."""
    before, after = (
        max(
            (time for key in of_kind(cluster, with_gpu) if (time := cluster.partitions[key].max_time)),
            key=lambda time: time.minutes,
            default=None,
        )
        for cluster in (old, new)
    )
    if not (before and after):
        return
    which = "GPU jobs" if with_gpu else "Jobs without a GPU"
    why = f"{which}: up to {after.words}" + (", as before." if after == before else f"; it was {before.words}.")
    shorter = after.minutes < before.minutes
    if shorter:
        chain = math.ceil(before.minutes / after.minutes)
        why += (
            f" Longer work is a chain of {chain} jobs: each saves its state, and the next waits for it with "
            "`--dependency=afterany:<job>`."
        )
    written = f"--time={before}"
    if old.scheduler.kind == "grid_engine":
        written = f"-l h_rt={before.minutes // 60:.0f}:{before.minutes % 60:02.0f}:00"
    keys = of_kind(new, with_gpu)
    unsure = doubtful(new, *(f"partitions.{k}.max_time" for k in keys if new.partitions[k].max_time == after))
    yield Line("time", written, f"--time={after}", why, shorter, unsure)


def _features(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Kinds of node that Grid Engine names, to the partition that has a node with as much memory."""
    if old.scheduler.kind != "grid_engine":
        return
    for node in old.node_types.values():
        for feature in node.features:
            rooms = [
                (new.node_types[name].memory.mib, not new.partitions[key].default, key)
                for key in of_kind(new, False)
                for name in new.partitions[key].node_types
                if new.node_types[name].memory
            ]
            enough = [room for room in rooms if node.memory and room[0] >= node.memory.mib]
            key = min(enough or [max(rooms)])[2]
            sizes = sorted({str(new.node_types[name].memory) for name in new.partitions[key].node_types})
            why = f"Nodes of {', '.join(sizes)}; it was {node.memory}."
            yield Line("partition", f"-l node_type={feature}", _asked(new, key), why, False, _unsure(new, key))
