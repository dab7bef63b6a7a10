"""Job scripts for every number in the facts of a system: one less, equal, one more.

The random draw of generator.py meets few of them; tests/jobscript/record.py chooses from both.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from scripts.facts import Cluster, Rule
from scripts.jobscript import facts
from tests.jobscript.generator import WRONG, Case, near

Options = dict[str, object]


def limit_cases(cluster: Cluster) -> list[Case]:
    """Each limit of each partition, by itself: nodes, cores, memory, disk, resources, time, arrays."""
    system = facts.system(cluster)
    every = itertools.chain(_arrays(system), *(_of_partition(system, key) for key in system["partitions"]))
    found = {write(_base(cluster) | options): None for options in every}
    return [Case(cluster.key, script) for script in found]


def mixed_cases(cluster: Cluster, number: int, seed: str) -> list[Case]:
    """Whatever options together, with numbers as small as the nodes are: what one asks of another."""
    draw = random.Random(f"mixed {seed} {cluster.key}")
    system = facts.system(cluster)
    found = {write(_base(cluster) | _mixed(cluster, system, draw), draw): None for _ in range(number)}
    return [Case(cluster.key, script) for script in found]


def write(options: Options, draw: random.Random | None = None) -> str:
    """The script with these options; None as a value: an option without one."""
    lines = [f"#SBATCH --{name}" + ("" if value is None else f"={value}") for name, value in options.items()]
    if draw and draw.random() < 0.05:
        draw.shuffle(lines)
    return "\n".join(["#!/bin/bash", *lines, "srun ./program", ""])


def _base(cluster: Cluster) -> Options:
    return {"account": cluster.policy.sample_account} if cluster.policy.account.rule is Rule.REQUIRED else {}


def _around(number: int) -> tuple[int, ...]:
    return tuple(each for each in (number - 1, number, number + 1) if each > 0)


def _arrays(system: dict) -> Iterator[Options]:
    rules = system["rules"]
    own = {key: part.get("max_jobs") for key, part in rules["partitions"].items()}
    first = next(iter(system["partitions"]))
    for key, most in [*own.items(), (first, rules.get("max_queued_jobs"))]:
        for number in _around(most) if most else ():
            yield {"partition": key, "time": 10, "array": f"1-{number}"}
            yield {"partition": key, "time": 10, "array": f"0-{2 * number - 1}:2"}
    for name, quality in rules.get("qos", {}).items():
        for minutes in _around(quality.get("minutes", 10)):
            yield {"partition": first, "qos": name, "time": minutes}


def _of_partition(system: dict, key: str) -> Iterator[Options]:
    """Options that come near what one partition and its kinds of node have."""
    part, rules = system["partitions"][key], system["rules"]["partitions"][key]
    nodes = {name: system["nodes"][name] for name in part["nodes"]}
    longest = min(part.get("max_time", 10), rules.get("max_time", 10**9))
    gpu = next((_gres(item, 1) for node in nodes.values() for item in node["gres"] if item[0] == "gpu"), None)
    start: Options = {"partition": key, "time": max(rules.get("min_time", 1), min(longest, 60))}
    if gpu and (rules.get("gpu_required") or rules.get("min_gpus")):
        start |= {"gres": _gres_of(nodes, max(1, rules.get("min_gpus", 1)))}
    accounts = system["rules"].get("allocation_accounts", [])
    starts = [start, *({**start, "account": f"{each}x"} for each in accounts)]
    for start in starts:
        yield start
        yield {name: value for name, value in start.items() if name != "time"}
        limits = {**part, **rules, **(rules.get("with_allocation", {}) if "account" in start else {})}
        times = [limits.get(name) for name in ("max_time", "min_time", "default_time")] + [part.get("max_time")]
        yield from ({**start, "time": minutes} for time in times if time for minutes in _around(time))
        counts = {limits.get("max_nodes"), limits.get("min_nodes"), part.get("max_nodes"), part.get("min_nodes")}
        for number in {near for count in counts - {None} for near in _around(count)}:
            yield {**start, "nodes": number}
            yield {**start, "nodes": number, "gpus-per-node": 1}
        for limit in ("max_gpus", "min_gpus", "max_gpus_per_node"):
            for number in _around(limits[limit]) if limit in limits else ():
                for name in ("gpus", "gpus-per-node"):
                    yield {**{n: v for n, v in start.items() if n != "gres"}, name: number}
        for limit in ("max_cores", "min_cores", "max_cpus"):
            for number in _around(limits[limit]) if limit in limits else ():
                yield {**start, "ntasks": number}
                yield {**start, "cpus-per-task": number}
                yield {**start, "nodes": 1, "ntasks-per-node": number}
        yield from ({**start, **options} for options in _of_nodes(nodes, part, limits))


def _gres(item: list, number: int) -> str:
    return ":".join(filter(None, [item[0], item[1], str(number)]))


def _gres_of(nodes: dict, number: int) -> str:
    items = [item for node in nodes.values() for item in node["gres"] if item[0] == "gpu"]
    return _gres(next((item for item in items if item[2] >= number), items[0]), number)


def _of_nodes(nodes: dict, part: dict, limits: dict) -> Iterator[Options]:
    """As many nodes as have this much of something, one more, and a little more of it."""
    there = part["nodes"]
    most = limits.get("max_nodes", 10**9)

    def enough(test) -> int:
        return sum(there[name] for name, node in nodes.items() if test(node))

    def asked(number: int, one: Options) -> Iterator[Options]:
        for count in {*_around(min(number, most)), *_around(number), 1}:
            yield {"nodes": count, **one}

    cpus = sum(node["cpus"] * there[name] for name, node in nodes.items())
    cores = sum(node["cpus"] // node["threads"] * there[name] for name, node in nodes.items())
    for number in {*_around(cpus), *_around(cores)}:
        yield {"ntasks": number}
        yield {"ntasks": number, "hint": "multithread"}
    for limit in ("max_cpus", "max_cores"):
        if limit in limits:
            for number in _around(limits[limit] * sum(there.values())):
                yield {"ntasks": number}
    yield from asked(sum(there.values()), {})
    for node in nodes.values():
        real = node["cpus"] // node["threads"]
        for field, name in (("memory", "mem"), ("tmp", "tmp")):
            right = enough(lambda each, field=field, node=node: each[field] >= node[field])
            for size in _around(node[field]):
                yield from asked(right, {name: f"{size}M"})
        for number in {*_around(real), *_around(node["cpus"])}:
            right = enough(lambda each, real=real: each["cpus"] // each["threads"] >= real)
            for count in {1, *(each for each in _around(right) if each <= most)}:
                yield {"nodes": count, "ntasks-per-node": 1, "cpus-per-task": number}
                yield {"nodes": count, "ntasks-per-node": number}
                yield {"nodes": count, "ntasks-per-node": 1, "cpus-per-task": number, "hint": "multithread"}
            yield {"cpus-per-task": number}
            yield {"ntasks": number, "nodes": 1}
            yield {"cpus-per-task": number, "mem-per-cpu": f"{node['memory'] // number}M"}
            yield {"cpus-per-task": number, "mem-per-cpu": f"{node['memory'] // number + 1}M"}
        if size := limits.get("memory_per_cpu"):
            for number in _around(node["memory"] // size):
                yield {"cpus-per-task": number}
                yield {"cpus-per-task": number, "nodes": 1, "hint": "multithread"}
                yield {"ntasks": number, "nodes": 1}
        for limit in ("max_memory", "memory_per_node"):
            if size := limits.get(limit):
                yield from ({"mem": f"{each}M"} for each in _around(size))
                for number in {1, real}:
                    for each in _around(size // number):
                        yield {"cpus-per-task": number, "mem-per-cpu": f"{each}M"}
        for item in node["gres"]:
            right = enough(lambda each, item=item: [*item[:2], item[2]] in each["gres"])
            for number in _around(item[2]):
                yield {"gres": _gres(item, number)}
                yield from asked(right, {"gres": _gres(item, number), "mem": f"{node['memory']}M"})
                yield {"gres": _gres(item, number), "mem": f"{node['memory'] + 1}M"}
                yield {"gres": _gres(item, number), "tmp": f"{node['tmp']}M"}
                yield {"gres": _gres(item, number), "tmp": f"{node['tmp'] + 1}M"}
                for each in {*_around(real), *_around(node["cpus"])}:
                    yield {"gres": _gres(item, number), "cpus-per-task": each}
                    yield {"gres": _gres(item, number), "cpus-per-task": each, "hint": "multithread"}
                    if right <= most:
                        yield {"gres": _gres(item, number), "nodes": right, "ntasks-per-node": each}
            for total in _around(right * item[2]):
                if item[0] == "gpu":
                    yield {"gpus": _gres(item, total)[4:]}
            if size := limits.get("memory_per_gpu"):
                for number in _around(node["memory"] // size):
                    yield {"gres": _gres(item, number)}


def _mixed(cluster: Cluster, system: dict, draw: random.Random) -> Options:
    keys = list(system["partitions"])
    key = draw.choice(keys)
    part, rules = system["partitions"][key], system["rules"]["partitions"][key]
    node = system["nodes"][draw.choice(list(part["nodes"]))]
    count = sum(part["nodes"].values())
    found: Options = {}
    if draw.random() < 0.85:
        found["partition"] = key if draw.random() < 0.85 else f"{key},{draw.choice(keys)}"
    if draw.random() < 0.9:
        times = [part.get("max_time", 60), rules.get("min_time", 1), rules.get("max_time", 60)]
        found["time"] = near(draw, draw.choice(times), 10**5)

    def small(limit: float) -> int:
        return near(draw, draw.choice((limit, limit / 2, 1, 2, 3, 4, 6)), 10**5)

    def some(*names: str) -> bool:
        return draw.random() < 0.35 and not any(name in found for name in names)

    cores = node["cpus"] // node["threads"]
    if draw.random() < 0.6:
        least = small(count)
        found["nodes"] = draw.choice((least, least, least, f"{least}-{small(count)}", f"{least}-{least + 1}"))
    if some():
        found["ntasks"] = small(cores * draw.choice((1, 2, count)))
    if some():
        found["ntasks-per-node"] = small(cores)
    if some():
        found["cpus-per-task"] = small(cores)
    if draw.random() < 0.05:
        found["mincpus"] = small(cores)
    types = [item for each in (node, *system["nodes"].values()) for item in each["gres"]] or [["gpu", "", 1]]
    fields = ["gres", "gpus-per-node", "gpus", "gpus-per-task"]
    for field in draw.choice(([], [draw.choice(fields)], [draw.choice(fields)], draw.sample(fields, 2), draw.sample(fields, 3))):
        items = draw.sample(types, 1 + (draw.random() < 0.1 and len(types) > 1))
        words = []
        for item in items:
            name = draw.choice((item[1], item[1], ""))
            number = near(draw, draw.choice((item[2], item[2], 1, 2)) * (small(count) if field == "gpus" else 1), 10**4)
            whole = draw.choice((f"{number}", f"{number}", f"{number}", "0")) if draw.random() < 0.1 else f"{number}"
            word = ":".join(filter(None, [name, whole]))
            words.append(f"{item[0]}:{word}" if field == "gres" else word)
        found[field] = ",".join(words)
    if len(found.keys() & set(fields)) and draw.random() < 0.2:
        found["cpus-per-gpu"] = small(cores / 2)
    roll, mib = draw.random(), draw.choice((node["memory"], part.get("max_memory", node["memory"])))
    share = mib / draw.choice((1, 1, 2, 3, 4, cores, node["cpus"]))
    if roll < 0.2:
        found["mem"] = f"{small(share) if mib < 200 else near(draw, share, 10**7)}M"
    elif roll < 0.4:
        found["mem-per-cpu"] = f"{near(draw, share, 10**7)}M"
    elif roll < 0.55 and found.keys() & set(fields):
        found["mem-per-gpu"] = f"{near(draw, share, 10**7)}M"
    if draw.random() < 0.03:
        found["mem"] = draw.choice(("0", f"{mib}M"))
    if draw.random() < 0.1:
        found["exclusive"] = None
    if draw.random() < 0.08:
        found["tmp"] = f"{near(draw, node['tmp'] or 1, 10**8)}M"
    if draw.random() < 0.08:
        found["hint"] = draw.choice(("nomultithread", "multithread"))
    if draw.random() < 0.05:
        found["array"] = f"1-{near(draw, rules.get('max_jobs', 4), 10**5)}"
    if draw.random() < 0.05 and system["rules"].get("qos"):
        found["qos"] = draw.choice(list(system["rules"]["qos"]))
    features = sorted({word for each in system["nodes"].values() for word in each.get("features", [])})
    if features and draw.random() < 0.08:
        found["constraint"] = draw.choice((*features, "|".join(features[:2]), "&".join(features[:2])))
    if accounts := system["rules"].get("allocation_accounts"):
        found["account"] = draw.choice((f"{accounts[0]}1", cluster.policy.sample_account or "poor"))
    for name in list(found):
        if name in WRONG and draw.random() < 0.005:
            found[name] = draw.choice(WRONG[name])
    return found
