"""Random job scripts that stand near every limit of a cluster: one less, equal, one more.

The twenty options that are 99 % of all use, long and short, in any order, doubled, quoted, cut short.
"""

from __future__ import annotations

import random

from scripts.facts import Cluster, NodeType, Partition, Rule
from scripts.twin.slurm.conf import UNKNOWN_CORES, UNKNOWN_MEMORY_MIB, gres_type, node_types, number_of, partition_types

SHORT = {
    "account": "A",
    "partition": "p",
    "time": "t",
    "nodes": "N",
    "ntasks": "n",
    "cpus-per-task": "c",
    "job-name": "J",
    "gpus": "G",
    "output": "o",
    "error": "e",
    "array": "a",
    "constraint": "C",
    "qos": "q",
    "chdir": "D",
    "signal": None,
}
CUT = {"cpus-per-task": "cpus-per-t", "partition": "part", "account": "accou", "ntasks-per-node": "ntasks-per-n"}
WRONG = {
    "time": ("1h", "24:00:00:00", "1-2-3", "", "UNLIMITED", "0", "-1", "1-", "2:30", "90:00", "1-00"),
    "mem": ("0.5G", "10GB", "4gb", "x", "-1", "0", "500K", "1T", "1023K", "0G"),
    "mem-per-cpu": ("0.5G", "2GB", "0", "1000", "-5", "1P", "0G"),
    "nodes": ("two", "2-1", "1-2", "1-4", "4-", "-2", "", "1k", "2-2"),
    "ntasks": ("0", "-1", "2.5", "", "+2", "1e3"),
    "cpus-per-task": ("0", "all", "-2", "+1"),
    "ntasks-per-node": ("0", "-1", "+1"),
    "gres": ("gpu:", "gpu:0", "gpu:x:1", "GPU:1", "gpu:1,gpu:1", "none", "gpu::1", "tape:1", "gpu", "gpu:2:2"),
    "gpus": ("0", "-1", "x", ":1", "1,1", "a:b:1"),
    "array": ("", "1-", "a", "3-1", "1-10%2", "0", "1,3,5", "1-9:2", "999999", "1000000", "0-10:0", "1-3%0", "[1-3]"),
    "mail-type": ("all", "END,FAIL", "BEGIN", "never", "ALL,x", "none", ""),
    "exclusive": ("user", "mcs", "yes", "exclusive"),
    "gpu-bind": ("CLOSEST", "map_gpu:", "map_gpu:a", "single:0", "verbose,closest", "each", ""),
    "switches": ("0", "-1", "two", "1@10:00", ""),
}


def near(draw: random.Random, limit: float, most: int = 10**6) -> int:
    """Mostly one less than, equal to, or one more than a limit; else something below or above it."""
    limit = max(1, int(limit))
    if draw.random() < 0.6:
        return max(1, limit + draw.choice((-1, 0, 0, 0, 1)))
    return max(1, min(most, draw.choice((1, 1, 2, 3, 4, limit // 2, limit // 4, limit * 2, draw.randint(1, limit)))))


def cases(cluster: Cluster, number: int, seed: str) -> list[str]:
    draw = random.Random(f"{seed} {cluster.key}")
    return [script(cluster, draw) for _ in range(number)]


def script(cluster: Cluster, draw: random.Random) -> str:
    options = _options(cluster, draw)
    if draw.random() < 0.12:  # doubled: the last one counts
        again = dict(_options(cluster, draw))
        name = draw.choice([name for name, _ in options])
        if name in again:
            options.append((name, again[name]))
    if draw.random() < 0.15:
        draw.shuffle(options)
    lines = ["#!/bin/bash"] + ([draw.choice(("", "# a comment", "  "))] if draw.random() < 0.2 else [])
    while options:
        together = 1 + (draw.random() < 0.1)
        lines.append("#SBATCH " + " ".join(_written(draw, *option) for option in options[:together]))
        if draw.random() < 0.03:
            lines[-1] += draw.choice((" # why", "  ", "\t"))
        options = options[together:]
    if draw.random() < 0.03:
        lines.append("hostname\n#SBATCH --time=bad")
    return "\n".join([*lines, "srun ./program", ""])


def _written(draw: random.Random, name: str, value: str | None) -> str:
    short = SHORT.get(name)
    if value is None:
        return f"--{name}"
    if draw.random() < 0.04 and value:
        value = draw.choice((f'"{value}"', f"'{value}'"))
    if short and draw.random() < 0.25 and value:
        return f"-{short}{draw.choice((' ', ''))}{value}"
    if name in CUT and draw.random() < 0.04:
        name = CUT[name]
    return f"--{name}{draw.choice('== ') if value else '='}{value}"


def _options(cluster: Cluster, draw: random.Random) -> list[tuple[str, str | None]]:
    key = draw.choice(list(cluster.partitions))
    partition = cluster.partitions[key]
    types = node_types(cluster)
    kind = draw.choice(partition_types(cluster, partition))
    node = types[kind]
    found: dict[str, str | None] = {}
    if (sample := cluster.policy.sample_account) and draw.random() < 0.97:
        found["account"] = draw.choice((sample, sample, sample, *_accounts(cluster)))
    if _chance(draw, cluster.policy.partition.rule is Rule.LEAVE_OUT, 0.1, 0.85):
        found["partition"] = _partition(cluster, draw, key)
    if draw.random() < 0.95:
        found["time"] = _time(draw, partition)
    found |= _sizes(cluster, draw, partition, node)
    if node.gpus and draw.random() < 0.85 or draw.random() < 0.08:
        found |= _gpus(cluster, draw, node, int(str(found.get("nodes", 1)).split("-")[0]))
    found |= _memory(cluster, draw, partition, node, found)
    found |= _rest(cluster, draw)
    for name in list(found):
        if name in WRONG and draw.random() < 0.02:
            found[name] = draw.choice(WRONG[name])
    return list(found.items())


def _chance(draw: random.Random, rare: bool, low: float, high: float) -> bool:
    return draw.random() < (low if rare else high)


def _accounts(cluster: Cluster) -> list[str]:
    return [f"{start}somebody" for start in cluster.policy.allocation_accounts]


def _partition(cluster: Cluster, draw: random.Random, key: str) -> str:
    named = cluster.partitions[key].name or key
    if draw.random() < 0.06:
        return f"{named},{draw.choice(list(cluster.partitions))}"
    return draw.choice((*[named] * 30, key, f"{named}x", cluster.policy.no_partition or named))


def _time(draw: random.Random, partition: Partition) -> str:
    bounds = [int(time.minutes) for time in _times(partition) if time]
    minutes = near(draw, draw.choice(bounds or [1440]), 10**5)
    hours, left = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    seconds = draw.choice(("00", "00", "00", "01", "59"))
    return draw.choice(
        (
            f"{minutes}",
            f"{hours}:{left:02}:{seconds}",
            f"{hours:02}:{left:02}:00",
            f"{days}-{hour:02}:{left:02}:{seconds}",
            f"{days}-{hour}:{left:02}",
            f"{minutes}:{seconds}",
            f"{days}-{hour}",
        )
    )


def _times(partition: Partition) -> tuple:
    return partition.max_time, partition.max_time_several_gpus, partition.min_time


def _sizes(cluster: Cluster, draw: random.Random, partition: Partition, node: NodeType) -> dict:
    found: dict[str, str | None] = {}
    cores = node.cores or UNKNOWN_CORES
    nodes = 1
    if draw.random() < 0.75:
        limits = [
            partition.max_nodes,
            partition.min_nodes,
            partition.max_nodes_without_allocation,
            partition.node_count,
        ]
        limits = [*filter(None, limits), 1, 1, 1, 2, number_of(node)]
        nodes = near(draw, draw.choice(limits), 4000)
        found["nodes"] = str(nodes)
        if draw.random() < 0.04:
            found["nodes"] = f"{max(1, nodes - 1)}-{nodes}"
            nodes = max(1, nodes - 1)
    most = [partition.max_cores_per_node, partition.max_cores, partition.min_cores, cores, cores, cores]
    most += [gpu.max_cores for gpu in map(cluster.gpus.get, node.gpus) if gpu and gpu.max_cores]
    whole = draw.choice([number for number in most if number])
    roll = draw.random()
    if roll < 0.3:
        found["cpus-per-task"] = str(near(draw, whole, 5000))
    elif roll < 0.5:
        tasks = draw.choice((1, 2, 4, 8))
        found["ntasks-per-node"] = str(tasks)
        found["cpus-per-task"] = str(near(draw, whole / tasks, 5000))
    elif roll < 0.6:
        found["ntasks-per-node"] = str(near(draw, whole, 5000))
    elif roll < 0.75:
        tasks = near(draw, draw.choice((nodes, whole, whole * nodes, 4)), 20000)
        found["ntasks"] = str(tasks)
        if draw.random() < 0.5:
            found["cpus-per-task"] = str(near(draw, whole * nodes / tasks, 5000))
    elif roll < 0.8:
        found["ntasks"] = str(near(draw, nodes, 4000))
        found["ntasks-per-node"] = str(near(draw, int(found["ntasks"]) / nodes, 5000))
    if draw.random() < 0.06:
        found["exclusive"] = None
    if "ntasks-per-node" in found and draw.random() < 0.05:
        found["tasks-per-node"] = found.pop("ntasks-per-node")
    return found


def _gpus(cluster: Cluster, draw: random.Random, node: NodeType, nodes: int) -> dict:
    gpus = node.gpus or {draw.choice(list(cluster.gpus)): 1}
    key = draw.choice(list(gpus))
    gpu = cluster.gpus[key]
    number = near(draw, draw.choice((gpus[key], gpus[key], 1, 1, *gpu.counts)), 200)
    names = [gres_type(gpu.gres)] * 12 + ["", gres_type(draw.choice(list(cluster.gpus.values())).gres)]
    names += [gres_type(name) for name in gpu.synonyms]
    name = draw.choice(names)
    typed = f"{name}:{number}" if name else str(number)
    roll = draw.random()
    if roll < 0.45:
        value = f"gpu:{typed}" if draw.random() < 0.95 else f"gpu:{name}" if name else "gpu"
        if others := list(node.gres.items()):
            if draw.random() < 0.3:
                other, most = draw.choice(others)
                value += f",{other}:{near(draw, most, 10**6)}"
        return {"gres": value}
    if roll < 0.7:
        return {"gpus-per-node": typed}
    if roll < 0.9:
        total = near(draw, gpus[key] * nodes, 2000) if draw.random() < 0.5 else number
        found = {"gpus": f"{name}:{total}" if name else str(total)}
    else:
        found = {"gpus-per-task": typed}
    return found | ({"cpus-per-gpu": str(near(draw, 8, 200))} if draw.random() < 0.1 else {})


def _memory(cluster: Cluster, draw: random.Random, partition: Partition, node: NodeType, said: dict) -> dict:
    if draw.random() < 0.35:
        return {}
    sizes = [partition.max_memory_per_node, node.memory, node.memory]
    sizes += [cluster.gpus[key].max_memory for key in node.gpus]
    mib = draw.choice([size.mib for size in sizes if size] or [UNKNOWN_MEMORY_MIB])
    if draw.random() < 0.5:
        return {"mem": _size(draw, near(draw, mib, 10**7))}
    digits = [int(said[name]) for name in ("cpus-per-task", "ntasks-per-node") if (said.get(name) or "").isdigit()]
    cpus = 1
    for each in digits:
        cpus *= each
    if draw.random() < 0.9 or not node.gpus:
        return {"mem-per-cpu": _size(draw, near(draw, mib / max(1, cpus), 10**7))}
    return {"mem-per-gpu": _size(draw, near(draw, mib / next(iter(node.gpus.values())), 10**7))}


def _size(draw: random.Random, mib: int) -> str:
    if draw.random() < 0.4:
        return f"{max(1, round(mib / 1024))}{draw.choice(('G', 'g', 'GB'))}"
    return draw.choice((f"{mib}", f"{mib}M", f"{mib}m", f"{mib * 1024}K", f"{mib}MB"))


def _rest(cluster: Cluster, draw: random.Random) -> dict:
    found: dict[str, str | None] = {}
    texts = {
        "job-name": "mine",
        "output": "out-%j.txt",
        "error": "err-%j",
        "mail-user": "me@example.org",
        "mail-type": "END",
        "chdir": "/tmp",
        "signal": draw.choice((*["USR1@60", "B:USR1@300", "TERM", "SIGINT@10"] * 4, "X@1")),
        "export": "ALL",
        "requeue": None,
        "comment": "why",
        "switches": draw.choice(("1", "2")),
        "gpu-bind": draw.choice(("closest", "none", "map_gpu:0,1,2,3", "map_gpu:0", "single:1", "per_task:2")),
    }
    for name, value in texts.items():
        if draw.random() < 0.06:
            found[name] = value
    if draw.random() < 0.1:
        limits = [p.max_jobs for p in cluster.partitions.values() if p.max_jobs] + [
            cluster.policy.max_queued_jobs or 10
        ]
        most = near(draw, draw.choice(limits), 10**5)
        found["array"] = draw.choice((f"1-{most}", f"0-{most - 1}", f"1-{most}%4", f"0-{2 * most}:2"))
    if (qos := list(cluster.qos)) and draw.random() < 0.15:
        found["qos"] = draw.choice(qos)
    features = sorted({feature for node in cluster.node_types.values() for feature in node.features})
    if features and draw.random() < 0.1:
        found["constraint"] = draw.choice(
            [*features, "|".join(draw.sample(features, min(2, len(features)))), "&".join(features[:2])]
        )
    if draw.random() < 0.03:
        found["hint"] = draw.choice(("nomultithread", "multithread"))
    return found
