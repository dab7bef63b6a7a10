"""Job scripts that the nodes of a small system may just hold, several kinds of them together: which are chosen?"""

from __future__ import annotations

import random
from collections.abc import Sequence

from scripts.engine.data import facts
from scripts.facts import Cluster, Rule
from tests.twin.pairs import Options, script

GPU_FIELDS = ("gres", "gpus-per-node", "gpus", "gpus-per-task")


def placed_cases(cluster: Cluster, number: int, seed: str) -> list[str]:
    draw = random.Random(f"placed {seed} {cluster.key}")
    system = facts.system(cluster)
    base = {"account": cluster.policy.sample_account} if cluster.policy.account.rule is Rule.REQUIRED else {}
    return [script(cluster, base | _placed(system, draw)) for _ in range(number)]


def cores_of(node: dict) -> int:
    return node["cpus"] // node.get("threads", 1)


def _placed(system: dict, draw: random.Random) -> Options:
    key = draw.choice(list(system["partitions"]))
    part = system["partitions"][key]
    kinds = [system["nodes"][name] for name in part["nodes"]]
    node = draw.choice(kinds)
    nodes = draw.randint(1, sum(part["nodes"].values()))
    others = [name for name in system["partitions"] if name != key]
    found: Options = {"partition": key} if draw.random() < 0.9 else {}
    if found and others and draw.random() < 0.1:
        found["partition"] = ",".join(draw.sample([key, draw.choice(others)], 2))
    if draw.random() < 0.6:
        found["nodes"] = nodes if draw.random() < 0.5 else f"{nodes}-{nodes + draw.randint(0, 3)}"
    items = [item for kind in kinds for item in kind["gres"]]
    for_gpus = draw.random() < 0.45  # cores, too
    found |= _tasks(cores_of(node), nodes, for_gpus, draw)
    if items and draw.random() < 0.85:
        found |= _resources(items, nodes, draw)
        if for_gpus and found.keys() & set(GPU_FIELDS):
            found["cpus-per-gpu"] = draw.randint(1, min(cores_of(node), 4))
    return found | _memory(node, bool(found.keys() & set(GPU_FIELDS)), draw) | _rest(node, draw)


def _tasks(cores: int, nodes: int, for_gpus: bool, draw: random.Random) -> Options:
    found: Options = {}
    style = draw.random()
    if style < 0.3:
        found["ntasks"] = draw.randint(1, cores * nodes)
    elif style < 0.6:
        found["ntasks-per-node"] = draw.randint(1, cores)
    if 0.5 < style < 0.6:
        found["ntasks"] = draw.randint(1, found["ntasks-per-node"] * nodes)
    if not for_gpus and draw.random() < 0.4:
        found["cpus-per-task"] = draw.randint(1, cores if style > 0.6 else 3)
    return found


def _resources(items: Sequence[list], nodes: int, draw: random.Random) -> Options:
    found: Options = {}
    for field in draw.sample(GPU_FIELDS, draw.choice((1, 1, 1, 1, 2, 2, 3))):
        name, kind, most = draw.choice(items)
        number = draw.randint(1, most * (nodes if field == "gpus" else 1))
        word = f"{kind}:{number}" if kind and draw.random() < 0.6 else f"{number}"
        if field == "gres":
            found[field] = f"{name}:{word}"
            if draw.random() < 0.06:
                found[field] += "," + ":".join(map(str, filter(None, draw.choice(items))))
        elif name == "gpu":
            found[field] = word
    return found


def _memory(node: dict, gpus: bool, draw: random.Random) -> Options:
    most = node["memory"]
    sizes = {
        "mem": draw.randint(1, most),
        "mem-per-cpu": max(1, int(most * draw.choice((1, 0.5, 0.3))) // draw.randint(1, cores_of(node))),
        "mem-per-gpu": draw.randint(1, most // 2),
    }
    name = draw.choices(("", "mem", "mem-per-cpu", "mem-per-gpu" if gpus else ""), (0.55, 0.15, 0.2, 0.1))[0]
    return {name: f"{sizes[name]}M"} if name else {}


def _rest(node: dict, draw: random.Random) -> Options:
    choices = {
        "exclusive": [None],
        "hint": ["nomultithread", "multithread"],
        "mincpus": list(range(1, cores_of(node) + 1)),
        "tmp": list(range(1, node.get("tmp", 1) + 1)),
    }
    return {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.05}
