"""Which numbers of the facts change no verdict when they are broken by one, because other numbers hide them, and why.

A rule tells it from the facts alone, for whatever system. What a rule says is broken all the same: a case that notices
one of these shows that the rule is wrong.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from scripts.jobscript.facts import NO_DISK


def hidden_by(system: dict, path: Sequence[str], way: int) -> str | None:
    """Why the number at `path`, one less (`way` -1) or one more (1), changes no verdict here; None: it may."""
    other = copy.deepcopy(system)
    parent = _at(other, path[:-1])
    key = int(path[-1]) if isinstance(parent, list) else path[-1]
    parent[key] += way
    return next((rule.__doc__ for rule in RULES if rule(system, other, list(path))), None)


def _at(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def where_the_next_kind_begins(system: dict, other: dict, path: list[str]) -> bool:
    """The number of all nodes of a kind only says where the next kind begins; no partition has all, and the next."""
    match path:
        case ["nodes", kind, "count"]:
            least = min(each["nodes"][kind]["count"] for each in (system, other))
            later = set(list(system["nodes"])[list(system["nodes"]).index(kind) + 1 :])
            parts = [part["nodes"] for part in system["partitions"].values()]
            return all(part.get(kind, 0) < least or not later & part.keys() for part in parts)
    return False


def as_many_cpus_have_memory(system: dict, other: dict, path: list[str]) -> bool:
    """As many CPUs of each node have the memory that a job gets for each without asking."""
    match path:
        case ["partitions", _, "memory_per_cpu"]:
            return _same(system, other, path, lambda node, size: min(node["cpus"], node["memory"] // size))
    return False


def as_many_gpus_have_memory(system: dict, other: dict, path: list[str]) -> bool:
    """As many GPUs of each node would have the memory that a job gets for each without asking."""
    match path:
        case ["partitions", _, "memory_per_gpu"]:
            return _same(system, other, path, lambda node, size: _gpus(node) and node["memory"] // size)
    return False


def the_same_nodes_have_memory(system: dict, other: dict, path: list[str]) -> bool:
    """The same nodes have the memory that a job gets on each without asking."""
    match path:
        case ["partitions", _, "memory_per_node"]:
            return _same(system, other, path, lambda node, size: node["memory"] >= size)
    return False


def _same(system: dict, other: dict, path: list[str], of: Callable[[dict, int], object]) -> bool:
    """Of any node: where a job names several partitions, the default of the first holds for all."""
    was, now = (_at(each, path) for each in (system, other))
    return now > 0 and all(of(node, was) == of(node, now) for node in system["nodes"].values())


def another_kind_has_all_of_it(system: dict, other: dict, path: list[str]) -> bool:
    """In each partition of these nodes, as many others as a job may have are like them and have no less."""
    match path:
        case ["nodes", kind, "memory" | "tmp" | "gres", *_]:
            parts = [part for part in system["partitions"].values() if kind in part["nodes"]]
            return all(_replaced(system, other, part, kind) for part in parts)
    return False


def _replaced(system: dict, other: dict, part: dict, kind: str) -> bool:
    both = [each["nodes"][kind] for each in (system, other)]
    return not _whole_memory_differs(system, part, kind, both) and any(
        name != kind and number >= _most_nodes(part) and all(_has_all(system["nodes"][name], node) for node in both)
        for name, number in part["nodes"].items()
    )


def _has_all(node: dict, of: dict) -> bool:
    """Alike in what a job of whole nodes gets, and no less of what it asks for by number."""
    there = {(name, kind): number for name, kind, number in node["gres"]}
    return (
        node["cpus"] == of["cpus"]
        and node.get("threads", 1) == of.get("threads", 1)
        and node["memory"] >= of["memory"]
        and node.get("tmp", NO_DISK) >= of.get("tmp", NO_DISK)
        and set(node.get("features", [])) >= set(of.get("features", []))
        and _gpus(node) == _gpus(of)
        and all(there.get((name, kind), 0) >= number for name, kind, number in of["gres"])
    )


def _gpus(node: dict) -> list:
    return [item for item in node["gres"] if item[0] == "gpu"]


def _most_nodes(part: dict) -> float:
    """That a job may have in this partition: by slurm.conf, and by the rules if these let more pass beside others."""
    rules = part.get("rules", {})
    said = [each["max_nodes"] for each in (part, rules, rules.get("with_allocation", {})) if "max_nodes" in each]
    return max(said) if "max_nodes" in part else float("inf")


def _whole_memory_differs(system: dict, part: dict, kind: str, both: list[dict]) -> bool:
    """`--mem=0` is all of the partition's first kind of node, which may be more than the partition allows."""
    first = next(name for name in system["nodes"] if part["nodes"].get(name))
    most = part.get("max_memory")
    return first == kind and most is not None and len({node["memory"] <= most for node in both}) > 1


def less_may_be_asked_for(system: dict, other: dict, path: list[str]) -> bool:
    """Less memory may be asked for at once than the node has, and no number of its CPUs gets just all of it."""
    match path:
        case ["nodes", kind, "memory"] if not _gpus(system["nodes"][kind]) and not system["rules"].get("route"):
            both = [each["nodes"][kind] for each in (system, other)]
            size = max(node["memory"] for node in both)
            parts = system["partitions"].values()
            if any(size % cpus == 0 for cpus in range(2, both[0]["cpus"] + 1)):
                return False
            if any(size in (part.get("memory_per_node"), part.get("memory_per_cpu")) for part in parts):
                return False
            # Of several partitions the one that allows most counts; one for GPU jobs does not, these nodes have no GPU.
            if any(part.get("max_memory", size) >= size and not _for_gpus(part) for part in parts):
                return False
            return not any(_whole_memory_differs(system, part, kind, both) for part in parts if kind in part["nodes"])
    return False


def _for_gpus(part: dict) -> bool:
    return bool(part.get("rules", {}).get("gpu_required") or part.get("rules", {}).get("min_gpus"))


def no_job_has_so_many_cpus(system: dict, other: dict, path: list[str]) -> bool:
    """No node has more CPUs than that, but where a job that names this partition as well may have only fewer."""
    match path:
        case ["partitions", name, "max_cpus"]:
            most = min(each["partitions"][name]["max_cpus"] for each in (system, other))
            return all(
                system["nodes"][kind]["cpus"] <= most or (key != name and _only_few(part, most))
                for key, part in system["partitions"].items()
                for kind in part["nodes"]
            )
    return False


def _only_few(part: dict, cpus: int) -> bool:
    """A job with --hint=multithread may have twice the cores; one of a range of nodes has more than it says."""
    rules = part.get("rules", {})
    return _most_nodes(part) == 1 and 2 * rules.get("max_cores", cpus) <= cpus


def memory_is_ignored(system: dict, other: dict, path: list[str]) -> bool:
    """The operator takes away what a job says of memory, and no partition gives or limits any."""
    match path:
        case ["nodes", _, "memory"]:
            limits = {"max_memory", "memory_per_cpu", "memory_per_gpu", "memory_per_node"}
            if any(limits & part.keys() for part in system["partitions"].values()):
                return False
            return bool(system["rules"].get("memory_ignored")) and not system["rules"].get("route")
    return False


def fewer_may_be_queued(system: dict, other: dict, path: list[str]) -> bool:
    """No more jobs may be queued at all, which is asked first."""
    match path:
        case ["partitions", _, "rules", "max_jobs"]:
            queued = system["rules"].get("max_queued_jobs", float("inf"))
            return min(_at(each, path) for each in (system, other)) >= queued
    return False


def a_job_has_a_node_anyway(system: dict, other: dict, path: list[str]) -> bool:
    """No job has less than one node, whatever the partition says."""
    match path:
        case ["partitions", name, "min_nodes"]:
            part = other["partitions"][name]
            return part["min_nodes"] == 0 and len(part["nodes"]) == 1
    return False


RULES = (
    where_the_next_kind_begins,
    as_many_cpus_have_memory,
    as_many_gpus_have_memory,
    the_same_nodes_have_memory,
    another_kind_has_all_of_it,
    less_may_be_asked_for,
    no_job_has_so_many_cpus,
    memory_is_ignored,
    fewer_may_be_queued,
    a_job_has_a_node_anyway,
)
