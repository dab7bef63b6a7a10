"""Job scripts for every number in the facts of a system: one less, equal, one more.

The random draw of generator.py meets few of them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from scripts.engine.data import facts
from scripts.engine.data.facts import NO_DISK
from scripts.facts import Cluster, Rule

Options = dict[str, object]


def limit_cases(cluster: Cluster) -> list[str]:
    """Each limit of each partition, by itself: nodes, cores, memory, disk, resources, time, arrays."""
    system = facts.system(cluster)
    keys = system["partitions"]
    of_each = (_of_partition, _of_two, _of_several, _of_qualities)
    every = itertools.chain(_arrays(system), *(draws(system, key) for draws in of_each for key in keys))
    return list(dict.fromkeys(script_of(base(cluster) | options) for options in every))


def script_of(options: Options, draw: random.Random | None = None) -> str:
    """The script with these options; None as a value: an option without one; "": none."""
    lines = [
        f"#SBATCH --{name}" + ("" if value is None else f"={value}") for name, value in options.items() if value != ""
    ]
    if draw and draw.random() < 0.05:
        draw.shuffle(lines)
    return "\n".join(["#!/bin/bash", *lines, "srun ./program", ""])


def base(cluster: Cluster) -> Options:
    return {"account": cluster.policy.sample_account} if cluster.policy.account.rule is Rule.REQUIRED else {}


def _around(number: int) -> tuple[int, ...]:
    return tuple(each for each in (number - 1, number, number + 1) if each > 0)


def _arrays(system: dict) -> Iterator[Options]:
    rules = system["rules"]
    own = {key: part.get("max_jobs") for key, part in system["partitions"].items()}
    first = next(iter(system["partitions"]))
    for key, most in [*own.items(), (first, rules["limits"].get("max_queued_jobs"))]:
        for number in _around(most) if most else ():
            yield {"partition": key, "time": 10, "array": f"1-{number}"}
            yield {"partition": key, "time": 10, "array": f"0-{2 * number - 1}:2"}
    for name, quality in rules.get("qos", {}).items():
        for minutes in _around(quality.get("max_time", 10)):
            yield {"partition": first, "qos": name, "time": minutes}


def _of_partition(system: dict, key: str) -> Iterator[Options]:
    """Options that come near what one partition and its kinds of node have."""
    part = system["partitions"][key]
    nodes = {name: system["nodes"][name] for name in part["nodes"]}
    start: Options = {"partition": key, "time": max(part.get("min_time", 1), min(part.get("max_time", 10), 60))}
    public = [name for name, own in system["rules"].get("same_name", {}).items() if own["gpu"] == key]
    if public:  # its own name is not for users
        start["partition"] = public[0]
    if public or part.get("gpu_required") or part.get("min_gpus"):
        start |= {"gres": _gpus(nodes, part.get("min_gpus", 1))}
    rich = [{**start, "account": f"{each}x"} for each in system["rules"].get("allocation_accounts", [])]
    for each in [start, *rich]:
        limits = dict(part)
        if "account" not in each and "max_nodes_without_allocation" in part:
            limits["max_nodes"] = part["max_nodes_without_allocation"]
        yield each
        yield {name: value for name, value in each.items() if name != "time"}
        yield from ({**each, **options} for options in _of_limits(part, limits))
        yield from ({**each, **options} for options in _of_nodes(nodes, part, limits))
        yield from ({**each, **options} for options in _of_gpus(nodes, system["rules"]["gpus"]))
        yield from ({**each, **options} for options in _sent(nodes) if key in system["rules"].get("route", ()))


def _of_limits(part: dict, limits: dict) -> Iterator[Options]:
    def values(*names: str) -> set[int]:
        return {number for each in (part, limits) for name in names if name in each for number in _around(each[name])}

    most = {"nodes": limits["max_nodes"]} if "max_nodes" in limits else {}
    for minutes in values("max_time", "min_time", "max_time_several_gpus"):
        yield {"time": minutes}
        yield {"time": f"{(minutes - 1) // 60}:{(minutes - 1) % 60:02}:31"}  # that is more than half a minute
        if minutes % 1440 == 0:
            yield {"time": f"{minutes // 1440}-"}
        yield {"time": minutes, **most}
    for number in values("max_nodes", "min_nodes"):
        for nodes in (number, f"1-{number}", *([f"{number // 1024}k"] if number % 1024 == 0 else [])):
            yield {"nodes": nodes}
            yield {"nodes": nodes, "gres": "", "gpus-per-node": 1}
    for number in values("max_gpus", "max_gpus_without_allocation", "min_gpus", "max_gpus_per_node"):
        yield {"gres": "", "gpus": number}
        yield {"gres": "", "gpus-per-node": number}
    for number in values("max_cores", "min_cores", "max_cores_per_node"):
        yield {"ntasks": number}
        yield {"cpus-per-task": number}
        yield {"nodes": 1, "ntasks-per-node": number}
        yield from ({"ntasks": tasks, "hint": "multithread"} for tasks in _around(2 * number))


def _gres(item: list, number: int) -> str:
    return ":".join(filter(None, [item[0], item[1], str(number)]))


def _gpus(nodes: dict, number: int) -> str:
    items = [item for node in nodes.values() for item in node["gres"] if item[0] == "gpu"]
    return _gres(next((item for item in items if item[2] >= number), items[0]), number)


def _of_gpus(nodes: dict, rules: dict) -> Iterator[Options]:
    """The most memory that a job may have for a GPU, in each way to ask for it."""
    for kind in {item[1] for node in nodes.values() for item in node["gres"] if item[0] == "gpu"} & rules.keys():
        for size in _around(rules[kind].get("max_memory", 0)):
            for name in ("mem", "mem-per-cpu", "mem-per-gpu"):
                yield {"gres": _gres(["gpu", kind], 1), name: f"{size}M"}
                yield {"gres": "", "gpus": f"{kind}:2", name: f"{size}M"}


def _sent(nodes: dict) -> Iterator[Options]:
    """Jobs that name no partition: what three tasks on two nodes need of one decides where they are sent."""
    for node in nodes.values():
        job = {"partition": "", "time": 1, "nodes": 2, "ntasks": 3, "mem-per-cpu": f"{node['memory'] // 2 + 1}M"}
        yield job | ({"gres": "", "gpus": _gres(node["gres"][0], 2)[4:]} if _with_gpus(node) else {})


def _with_gpus(node: dict) -> bool:
    return any(item[0] == "gpu" for item in node["gres"])


def _of_nodes(nodes: dict, part: dict, limits: dict) -> Iterator[Options]:
    """What its nodes have together, and one of each kind."""
    there = part["nodes"]
    cpus = sum(node["cpus"] * there[name] for name, node in nodes.items())
    cores = sum(cores_of(node) * there[name] for name, node in nodes.items())
    both = [limits[name] * sum(there.values()) for name in ("max_cores_per_node", "max_cores") if name in limits]
    for number in {number for each in (cpus, cores, *both) for number in _around(each)}:
        yield {"ntasks": number}
        yield {"ntasks": number, "hint": "multithread"}
    each = limits.get("min_cores", 1)
    yield from ({**_in_range(number), "cpus-per-task": each} for number in (cpus // each, cpus // each + 1))
    yield from _counts(sum(there.values()), limits, {})
    for node in nodes.values():
        for draws in (_sizes, _shared, _cpus, _defaults):
            yield from draws(node, nodes, there, limits)
        for item in node["gres"]:
            yield from _resources(node, item, nodes, there, limits)


def _in_range(number: int) -> Options:
    """So many tasks in all that the rules do not see: of a range of nodes they count one."""
    least = next(each for each in range(1, number + 1) if number % each == 0 and number // each < 2**16 - 3)
    return {"nodes": f"{least}-{least + 1}", "ntasks-per-node": number // least}


def _of_two(system: dict, key: str) -> Iterator[Options]:
    """What the first of two partitions says of memory and CPUs holds on the nodes of the other."""
    part = system["partitions"][key]
    if not part.keys() & {
        "memory_per_cpu",
        "memory_per_gpu",
        "memory_per_node",
        "max_cores_per_node",
        "max_memory_per_node",
    }:
        return
    others = {tuple(each["nodes"]): name for name, each in system["partitions"].items() if name != key}
    for kinds, name in others.items():
        both = (part, system["partitions"][name])
        least = max(each.get("min_nodes", 1) for each in both)
        cores = max(each.get("min_cores", 1) for each in both)
        start = {"partition": f"{key},{name}", "time": 1, "nodes": least, "ntasks-per-node": -(-cores // least)}
        for kind in {*kinds, *part["nodes"]}:
            node = system["nodes"][kind]
            gres = {"gres": _gres(node["gres"][0], 1)} if node["gres"] else {}
            yield {**start, **gres, "exclusive": None}
            for number in _around(part.get("max_cores_per_node", 0)):
                yield {**start, **gres, "ntasks-per-node": number, "mem": "1M"}
            for size in (node["memory"], node["memory"] + 1):
                for feature in node.get("features", [""]):
                    yield {**start, **gres, "mem": f"{size}M", "constraint": feature}


def _of_several(system: dict, key: str) -> Iterator[Options]:
    """The fewest nodes of two partitions count."""
    part = system["partitions"][key]
    for name, other in system["partitions"].items():
        if part.get("min_nodes", 1) < other.get("min_nodes", 1):
            yield {"partition": f"{key},{name}", "time": 10, "gpus": 1}
            yield {"partition": f"{key},{name}", "time": 10, "nodes": f"1-{other['min_nodes']}", "gpus": 1}


def _of_qualities(system: dict, key: str) -> Iterator[Options]:
    """A quality of service may move a job to another partition, which has other nodes."""
    total = sum(system["partitions"][key]["nodes"].values())
    for name in system["rules"].get("qos", {}):
        yield from ({"partition": key, "qos": name, "time": 1, "nodes": number} for number in (1, *_around(total)))


def cores_of(node: dict) -> int:
    return node["cpus"] // node.get("threads", 1)


def _counts(number: int, limits: dict, options: Options) -> Iterator[Options]:
    """These options on about so many nodes, as far as a job may have them, and on one."""
    most = limits.get("max_nodes", 10**9)
    yield from ({"nodes": each, **options} for each in {*_around(min(number, most)), *_around(number), 1})


def _sizes(node: dict, nodes: dict, there: dict, limits: dict) -> Iterator[Options]:
    """Memory and disk, on as many nodes as have so much."""
    for field, name in (("memory", "mem"), ("tmp", "tmp")):
        if field not in node:
            continue
        right = sum(there[key] for key, each in nodes.items() if each.get(field, NO_DISK) >= node[field])
        for size in {*_around(node[field]), node[field]}:
            yield from _counts(right, limits, {name: f"{size}M"})
            yield from ({name: f"{size}M", "constraint": feature} for feature in node.get("features", []))


def _shared(node: dict, nodes: dict, there: dict, limits: dict) -> Iterator[Options]:
    """All memory in as many equal parts as tasks have it, on as many nodes as a job may have."""
    right = sum(there[key] for key, each in nodes.items() if each["memory"] >= node["memory"])
    for size in (node["memory"], node["memory"] + 1):
        least = max(2, -(-size // limits.get("max_memory_per_node", size)))
        parts = [number for number in range(least, node["cpus"] + 1) if size % number == 0]
        for number in {*parts[:2], *parts[-1:]}:
            tasks = number * min(right, limits.get("max_nodes", right))
            options = {"ntasks": tasks, "mem-per-cpu": f"{size // number}M"}
            yield options
            yield from ({**options, "constraint": feature} for feature in node.get("features", []))


def _cpus(node: dict, nodes: dict, there: dict, limits: dict) -> Iterator[Options]:
    """Cores in tasks, and as one task, and the memory that each can have."""
    right = sum(there[key] for key, each in nodes.items() if cores_of(each) >= cores_of(node))
    counts = {1, *(each for each in _around(right) if each <= limits.get("max_nodes", 10**9))}
    for number in {*_around(cores_of(node)), *_around(node["cpus"])}:
        for count in counts:
            yield {"nodes": count, "ntasks-per-node": 1, "cpus-per-task": number}
            yield {"nodes": count, "ntasks-per-node": number}
            yield {"nodes": count, "ntasks-per-node": 1, "cpus-per-task": number, "hint": "multithread"}
        yield {"cpus-per-task": number}
        yield {"mincpus": number}
        yield {"ntasks": number, "nodes": 1}
        yield {"nodes": 2, "ntasks": number // 2, "cpus-per-task": 4}  # a node may have some left that are not enough
        if most := limits.get("max_nodes"):
            yield {"ntasks": number * most}
            yield {"ntasks": cores_of(node) * most + 1, "gpus-per-node": 1, "gres": ""}
        yield {"cpus-per-task": number, "mem-per-cpu": f"{node['memory'] // number}M"}
        yield {"cpus-per-task": number, "mem-per-cpu": f"{node['memory'] // number + 1}M"}


def _defaults(node: dict, nodes: dict, there: dict, limits: dict) -> Iterator[Options]:
    """As many cores as the memory is enough for that a job gets without asking, and the most that it may ask for."""
    if size := limits.get("memory_per_cpu"):
        for number in _around(node["memory"] // size):
            yield {"cpus-per-task": number}
            yield {"cpus-per-task": number, "nodes": 1, "hint": "multithread"}
            yield {"ntasks": number, "nodes": 1}
            if _with_gpus(node):  # its memory counts, and that of the cores still must be there
                for tasks in (1, 2, number):
                    yield {"ntasks-per-node": number, "ntasks": tasks, "gres": "", "gpus": 1, "mem-per-gpu": "1M"}
    for size in filter(None, map(limits.get, ("max_memory_per_node", "memory_per_node"))):
        yield from ({"mem": f"{each}M"} for each in _around(size))
        for number in {1, cores_of(node)}:
            yield from ({"cpus-per-task": number, "mem-per-cpu": f"{each}M"} for each in _around(size // number))


def _resources(node: dict, item: list, nodes: dict, there: dict, limits: dict) -> Iterator[Options]:
    """One resource of a node, alone and with all else that the node has."""
    right = sum(there[key] for key, each in nodes.items() if item in each["gres"])
    for number in _around(item[2]):
        gres = {"gres": _gres(item, number)}
        yield gres
        yield from _counts(right, limits, gres | {"mem": f"{node['memory']}M"})
        yield gres | {"mem": f"{node['memory'] + 1}M"}
        yield from (gres | {"tmp": f"{size}M"} for size in _around(node.get("tmp", 0)))
        for cores in {*_around(cores_of(node)), *_around(node["cpus"])}:
            yield gres | {"cpus-per-task": cores}
            yield gres | {"cpus-per-task": cores, "hint": "multithread"}
            if right <= limits.get("max_nodes", 10**9):
                yield gres | {"nodes": right, "ntasks-per-node": cores}
    yield {"gres": _gres(item, 1), "exclusive": None, "hint": "multithread"}
    for other in (each for each in node["gres"] if each != item):
        yield from ({"gres": f"{_gres(item, 1)},{_gres(other, number)}"} for number in _around(other[2]))
    if item[0] == "gpu":
        yield from ({"gpus": _gres(item, total)[4:]} for total in _around(right * item[2]))
        yield from _untyped(node, item)
        for number in {1, item[2]}:
            yield from ({"gres": _gres(item, number), **options} for options in _whole(node, item[2]))
    if size := limits.get("memory_per_gpu"):
        yield from ({"gres": _gres(item, number)} for number in _around(node["memory"] // size))


def _untyped(node: dict, item: list) -> Iterator[Options]:
    for number in _around(item[2]):
        yield {"gres": f"gpu:{number}"}


def _whole(node: dict, gpus: int) -> Iterator[Options]:
    """A job has all GPUs of a whole node, however few it asks for: what each brings must be there for all."""
    yield from ({"mem-per-gpu": f"{size}M"} for size in _around(node["memory"]))
    yield {"exclusive": None}
    for number in _around(gpus):
        for size in (node["memory"] // number, node["memory"] // number + 1):
            yield {"exclusive": None, "mem-per-gpu": f"{size}M"}
        yield {"exclusive": None, "cpus-per-gpu": max(1, node["cpus"] // number)}
