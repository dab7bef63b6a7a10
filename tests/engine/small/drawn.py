"""Systems drawn by a number, of a few nodes of several kinds each: there it matters which nodes are chosen."""

import random

from scripts.facts import Cluster


def made_up(key: str, facts: dict) -> Cluster:
    """These facts, with what all made-up systems have where they say nothing else."""
    rules = {name: {"rule": "optional"} for name in ("account", "time", "partition", "gpu_model")}
    usual = {"centre": "nowhere", "operator": "nobody", "docs": "https://example.org/", "status": {"state": "active"}}
    policy = rules | {"sample_account": "mine"} | facts.get("policy", {})
    named = {"key": key, "name": key.replace("-", " ").title(), "scheduler": {"kind": "slurm"}, "sources": {}}
    return Cluster.model_validate(usual | named | facts | {"policy": policy})


def drawn_system(number: int) -> Cluster:
    """The same number gives the same system; its key is `drawn-NUMBER`."""
    draw = random.Random(f"system {number}")
    gpus = {name: _gpu(name, typed=draw.random() < 0.8) for name in "xy"[: draw.randint(1, 2)]}
    if len(gpus) > 1:  # only one kind can go without a name
        gpus = {name: _gpu(name, typed=True) for name in gpus}
    nodes = {name: _node(gpus, draw) for name in "abc"[: draw.choice((1, 2, 2, 3, 3))]}
    partitions = {f"p{place}": _partition(nodes, place, draw) for place in range(draw.randint(1, 3))}
    return made_up(f"drawn-{number}", {"node_types": nodes, "gpus": gpus, "partitions": partitions})


def _gpu(name: str, typed: bool) -> dict:
    gres = f"gpu:{name}" if typed else "gpu"
    return {"model": name.upper(), "memory": "10 GB", "request": f"--gres={gres}:1", "gres": gres}


def _node(gpus: dict, draw: random.Random) -> dict:
    node = {
        "count": draw.choice((1, 1, 2, 3)),
        "sockets": 1,
        "cores": draw.randint(1, 9),
        "threads_per_core": draw.choice((1, 1, 2)),
        "memory": f"{draw.randint(4, 12) * 10} MiB",
        "tmp": f"{draw.randint(1, 3) * 10} MiB",
    }
    own = {name: draw.randint(1, 5) for name in gpus if draw.random() < 0.6}
    return (
        node | ({"gpus": own} if own else {}) | ({"gres": {"nvme": draw.randint(1, 9)}} if draw.random() < 0.2 else {})
    )


def _partition(nodes: dict, place: int, draw: random.Random) -> dict:
    own = draw.sample(list(nodes), draw.choice((1, len(nodes), len(nodes), len(nodes))))
    found = {"node_types": own, "max_time": "0-01:00:00"} | ({"default": True} if place == 0 else {})
    rare = {
        "max_nodes": draw.randint(1, 4),
        "min_nodes": draw.randint(1, 2),
        "max_cores_per_node": draw.randint(1, 8),
        "max_memory_per_node": f"{draw.randint(3, 11) * 10} MiB",
        "default_memory_per_core": f"{draw.randint(5, 25)} MiB",
        "default_memory_per_gpu": f"{draw.randint(10, 50)} MiB",
        "default_memory_per_node": f"{draw.randint(20, 100)} MiB",
        "exclusive": True,
    }
    found |= {name: value for name, value in rare.items() if draw.random() < 0.15}
    if "min_nodes" in found and "max_nodes" in found:
        found["max_nodes"] = max(found["max_nodes"], found["min_nodes"])
    return found
