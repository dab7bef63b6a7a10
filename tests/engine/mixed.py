"""Job scripts with whatever options together, and numbers as small as the nodes are: what one asks of another."""

from __future__ import annotations

import random

from scripts.engine.data import facts
from scripts.facts import Cluster
from tests.engine.generator import WRONG, near
from tests.engine.limits import Options, base, cores_of, script_of

GPU_FIELDS = ("gres", "gpus-per-node", "gpus", "gpus-per-task")


def mixed_cases(cluster: Cluster, number: int, seed: str) -> list[str]:
    draw = random.Random(f"mixed {seed} {cluster.key}")
    system = facts.system(cluster)
    return [script_of(base(cluster) | _mixed(cluster, system, draw), draw) for _ in range(number)]


def _mixed(cluster: Cluster, system: dict, draw: random.Random) -> Options:
    keys = list(system["partitions"])
    key = draw.choice(keys)
    part = system["partitions"][key]
    node = system["nodes"][draw.choice(list(part["nodes"]))]
    found: Options = {}
    if draw.random() < 0.85:
        found["partition"] = key if draw.random() < 0.85 else f"{key},{draw.choice(keys)}"
    if draw.random() < 0.9:
        times = [part.get("max_time", 60), part.get("min_time", 1), part.get("max_time_several_gpus", 60)]
        found["time"] = near(draw, draw.choice(times), 10**5)
    count = sum(part["nodes"].values())
    found |= _mixed_tasks(node, count, draw)
    found |= _mixed_gpus(system, node, count, draw)
    found |= _mixed_memory(node, part, bool(found.keys() & set(GPU_FIELDS)), draw)
    found |= _mixed_rest(cluster, system, part, draw)
    for name in list(found):
        if name in WRONG and draw.random() < 0.005:
            found[name] = draw.choice(WRONG[name])
    return found


def _small(limit: float, draw: random.Random) -> int:
    return near(draw, draw.choice((limit, limit / 2, 1, 2, 3, 4, 6)), 10**5)


def _mixed_tasks(node: dict, count: int, draw: random.Random) -> Options:
    found: Options = {}
    if draw.random() < 0.6:
        least = _small(count, draw)
        found["nodes"] = draw.choice((least, least, least, f"{least}-{_small(count, draw)}", f"{least}-{least + 1}"))
    cores = cores_of(node)
    limits = {"ntasks": cores * draw.choice((1, 2, count)), "ntasks-per-node": cores, "cpus-per-task": cores}
    found |= {name: _small(limit, draw) for name, limit in limits.items() if draw.random() < 0.35}
    rare = {"mincpus": cores, "tmp": node.get("tmp") or 1}
    found |= {name: _small(limit, draw) for name, limit in rare.items() if draw.random() < 0.06}
    return found


def _mixed_gpus(system: dict, node: dict, count: int, draw: random.Random) -> Options:
    types = [item for each in (node, *system["nodes"].values()) for item in each["gres"]] or [["gpu", "", 1]]
    found: Options = {}
    for field in draw.sample(GPU_FIELDS, draw.choice((0, 1, 1, 2, 3))):
        words = []
        for item in draw.sample(types, 1 + (draw.random() < 0.1 and len(types) > 1)):
            limit = draw.choice((item[2], item[2], 1, 2)) * (_small(count, draw) if field == "gpus" else 1)
            number = 0 if draw.random() < 0.03 else near(draw, limit, 10**4)
            word = ":".join(filter(None, [draw.choice((item[1], item[1], "")), str(number)]))
            words.append(f"{item[0]}:{word}" if field == "gres" else word)
        found[field] = ",".join(words)
    if found and draw.random() < 0.2:
        found["cpus-per-gpu"] = _small(cores_of(node) / 2, draw)
    return found


def _mixed_memory(node: dict, part: dict, gpus: bool, draw: random.Random) -> Options:
    mib = draw.choice((node["memory"], part.get("max_memory_per_node", node["memory"])))
    size = near(draw, mib / draw.choice((1, 1, 2, 3, 4, cores_of(node), node["cpus"])), 10**7)
    names = ["", "", "mem", "mem-per-cpu", "mem-per-gpu" if gpus else ""]
    found = {draw.choice(names): f"{size}M"}
    if draw.random() < 0.03:
        found["mem"] = draw.choice(("0", f"{mib}M"))
    return {name: value for name, value in found.items() if name}


def _mixed_rest(cluster: Cluster, system: dict, part: dict, draw: random.Random) -> Options:
    features = sorted({word for each in system["nodes"].values() for word in each.get("features", [])})
    choices = {
        "exclusive": [None],
        "hint": ["nomultithread", "multithread"],
        "array": [f"1-{near(draw, part.get('max_jobs', 4), 10**5)}"],
        "qos": list(system["rules"].get("qos", {})),
        "constraint": [*features, "|".join(features[:2]), "&".join(features[:2])] if features else [],
    }
    found = {name: draw.choice(values) for name, values in choices.items() if values and draw.random() < 0.07}
    if accounts := system["rules"].get("allocation_accounts"):
        found["account"] = draw.choice((f"{accounts[0]}1", cluster.policy.sample_account or "poor"))
    return found
