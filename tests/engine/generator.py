"""Random job scripts that stand near every limit of a cluster: one less, equal, one more.

The twenty options that are 99 % of all use, long and short, in any order, doubled, quoted, cut short.
"""

import random

from scripts.facts import Cluster, NodeType, Partition, Rule
from scripts.facts.limits import limits
from scripts.twin.slurm.conf import UNKNOWN_CORES, UNKNOWN_MEMORY_MIB, gres_type, node_types, number_of, partition_types

Options = dict[str, str | None]  # None: an option without a value
Near = dict[str, list[int]]  # a quantity of limits.yml -> numbers that it is drawn near to

LONG = "account partition time nodes ntasks cpus-per-task job-name gpus output error array constraint qos chdir"
SHORT = dict(zip(LONG.split(), "AptNncJGoeaCqD", strict=True))
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
GPU_OPTIONS = ("gres", "gpus", "gpus-per-node", "gpus-per-task")
OTHERS = {  # what has to do with no limit
    "job-name": "mine",
    "output": "out-%j.txt",
    "error": "err-%j",
    "mail-user": "me@example.org",
    "mail-type": "END",
    "chdir": "/tmp",
    "signal": "USR1@60 B:USR1@300 TERM SIGINT@10 X@1",
    "export": "ALL",
    "comment": "why",
    "switches": "1 2",
    "gpu-bind": "closest none map_gpu:0,1,2,3 map_gpu:0 single:1 per_task:2",
    "hint": "nomultithread multithread",
}


def near(draw: random.Random, numbers: list[int] | float, most: int = 10**6) -> int:
    """Mostly one less than, equal to, or one more than one of these numbers; else something below or above it."""
    limit = max(1, int(draw.choice(numbers) if isinstance(numbers, list) else numbers))
    if draw.random() < 0.6:
        return max(1, limit + draw.choice((-1, 0, 0, 0, 1)))
    return max(1, min(most, draw.choice((1, 1, 2, 3, 4, limit // 2, limit // 4, limit * 2, draw.randint(1, limit)))))


def cases(cluster: Cluster, number: int, seed: str) -> list[str]:
    draw = random.Random(f"{seed} {cluster.key}")
    return [script(cluster, draw) for _ in range(number)]


def script(cluster: Cluster, draw: random.Random) -> str:
    found = list(options(cluster, draw).items())
    if draw.random() < 0.12:  # doubled: the last one counts
        again = options(cluster, draw)
        found += [(name, again[name]) for name in [draw.choice(found)[0]] if name in again]
    if draw.random() < 0.15:
        draw.shuffle(found)
    lines = ["#!/bin/bash"] + ([draw.choice(("", "# a comment", "  "))] if draw.random() < 0.2 else [])
    while found:
        together = 1 + (draw.random() < 0.1)
        lines.append("#SBATCH " + " ".join(_written(draw, *option) for option in found[:together]))
        if draw.random() < 0.03:
            lines[-1] += draw.choice((" # why", "  ", "\t"))
        found = found[together:]
    if draw.random() < 0.03:
        lines.append("hostname\n#SBATCH --time=bad")
    return "\n".join([*lines, "srun ./program", ""])


def _written(draw: random.Random, name: str, value: str | None) -> str:
    if value is None:
        return f"--{name}"
    if draw.random() < 0.04 and value:
        value = draw.choice((f'"{value}"', f"'{value}'"))
    if name in SHORT and draw.random() < 0.25 and value:
        return f"-{SHORT[name]}{draw.choice((' ', ''))}{value}"
    if name in CUT and draw.random() < 0.04:
        name = CUT[name]
    return f"--{name}{draw.choice('== ') if value else '='}{value}"


def options(cluster: Cluster, draw: random.Random, wrong: float = 0.02) -> Options:
    """wrong: how often a value is one that sbatch reads in its own way, or not at all."""
    key = draw.choice(list(cluster.partitions))
    partition = cluster.partitions[key]
    node = node_types(cluster)[draw.choice(partition_types(cluster, partition))]
    numbers = _numbers(cluster, partition, node)
    found: Options = {}
    if (sample := cluster.policy.sample_account) and draw.random() < 0.97:
        others = [f"{start}somebody" for start in cluster.policy.allocation_accounts]
        found["account"] = draw.choice((sample, sample, sample, *others))
    if draw.random() < (0.1 if cluster.policy.partition.rule is Rule.LEAVE_OUT else 0.85):
        found["partition"] = _partition(cluster, draw, key)
    if draw.random() < 0.95:
        found["time"] = _time(draw, near(draw, numbers["minutes"], 10**5))
    nodes = near(draw, numbers["nodes"], 4000) if draw.random() < 0.75 else 1
    if nodes > 1 or draw.random() < 0.5:
        found["nodes"] = f"{nodes}-{nodes + draw.randint(0, 3)}" if draw.random() < 0.15 else str(nodes)
    found |= _tasks(draw, numbers, nodes)
    if node.gpus and draw.random() < 0.85 or draw.random() < 0.08:
        found |= _gpus(cluster, draw, node, numbers, nodes)
    found |= _memory(draw, numbers, found)
    found |= _rest(cluster, draw, node, numbers)
    wrongly = {name: draw.choice(WRONG[name]) for name in found if name in WRONG and draw.random() < wrong}
    return found | wrongly


def _numbers(cluster: Cluster, partition: Partition, node: NodeType) -> Near:
    """Sizes of the system, and each limit that a job there may meet."""
    memory, cores = node.memory, node.cores or UNKNOWN_CORES
    found: Near = {
        "nodes": [1, 1, 1, 2, number_of(node), partition.node_count or 1],
        "minutes": [],
        "cores_per_node": [cores, cores, cores],
        "gpus_per_node": [*node.gpus.values(), *node.gpus.values(), 1, 1],
        "memory_per_node": [int(memory.mib if memory else UNKNOWN_MEMORY_MIB)] * 2,
        "jobs": [],
    }
    gpus = [cluster.gpus[key] for key in node.gpus]
    parts = [("partitions", partition), ("policy", cluster.policy), *(("gpus", gpu) for gpu in gpus)]
    for _, row, number in (limit for group, part in parts for limit in limits(group, part)):
        found.setdefault(row.quantity, []).append(number)
    found["gpus_per_node"] += [count for gpu in gpus for count in gpu.counts]
    return found | {name: found[name] or [usual] for name, usual in (("minutes", 1440), ("jobs", 10))}


def _partition(cluster: Cluster, draw: random.Random, key: str) -> str:
    named = cluster.partitions[key].name or key
    if draw.random() < 0.06:
        return f"{named},{draw.choice(list(cluster.partitions))}"
    return draw.choice((*[named] * 30, key, f"{named}x", cluster.policy.no_partition or named))


def _time(draw: random.Random, minutes: int) -> str:
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


def _tasks(draw: random.Random, numbers: Near, nodes: int) -> Options:
    """Tasks of the job or of a node, or both, and each task's cores, so that together they are near a limit."""
    found: Options = {}
    cores = draw.choice(numbers["cores_per_node"] + numbers.get("cores", []) + numbers.get("cores_per_gpu", []))
    of_a_node, style = 1, draw.random()
    if style < 0.35:
        of_a_node = near(draw, [2, 4, 8, cores], 5000)
        found[draw.choice(("ntasks-per-node", *["ntasks-per-node"] * 9, "tasks-per-node"))] = str(of_a_node)
    if 0.3 < style < 0.6:
        tasks = near(draw, of_a_node * nodes if found else [nodes, cores, cores * nodes, 4], 20000)
        found["ntasks"], of_a_node = str(tasks), max(1, tasks // nodes)
    if draw.random() < 0.5:
        found["cpus-per-task"] = str(near(draw, cores / of_a_node, 5000))
    return found


def _gpus(cluster: Cluster, draw: random.Random, node: NodeType, numbers: Near, nodes: int) -> Options:
    gpu = cluster.gpus[draw.choice(list(node.gpus or cluster.gpus))]
    names = [gres_type(gpu.gres)] * 12 + ["", gres_type(draw.choice(list(cluster.gpus.values())).gres)]
    names += [gres_type(name) for name in gpu.synonyms]
    found: Options = {}
    for option in draw.sample(GPU_OPTIONS, draw.choice((1, 1, 1, 1, 1, 1, 1, 2, 2, 3))):
        number = near(draw, numbers["gpus_per_node"] + numbers.get("gpus", []), 200)
        if option == "gpus" and draw.random() < 0.5:
            number = near(draw, number * nodes, 2000)
        found[option] = ":".join(filter(None, (draw.choice(names), str(number))))
        if option == "gres":
            found[option] = f"gpu:{found[option]}" if draw.random() < 0.95 else "gpu"
            if node.gres and draw.random() < 0.3:
                other, most = draw.choice(list(node.gres.items()))
                found[option] += f",{other}:{near(draw, most)}"
    return found | ({"cpus-per-gpu": str(near(draw, [4, 8], 200))} if draw.random() < 0.25 else {})


def _memory(draw: random.Random, numbers: Near, said: Options) -> Options:
    if draw.random() < 0.35:
        return {}
    mib = draw.choice(numbers["memory_per_node"] + numbers.get("memory_per_gpu", []))
    if draw.random() < 0.5:
        return {"mem": _size(draw, near(draw, mib, 10**7))}
    cpus = 1
    for name in ("cpus-per-task", "ntasks-per-node"):
        cpus *= int(said.get(name) or 1)
    if draw.random() < 0.8 or not said.keys() & set(GPU_OPTIONS):
        return {"mem-per-cpu": _size(draw, near(draw, mib / cpus, 10**7))}
    return {"mem-per-gpu": _size(draw, near(draw, mib / max(numbers["gpus_per_node"]), 10**7))}


def _size(draw: random.Random, mib: int) -> str:
    if draw.random() < 0.4 and mib > 512:
        return f"{max(1, round(mib / 1024))}{draw.choice(('G', 'g', 'GB'))}"
    return draw.choice((f"{mib}", f"{mib}M", f"{mib}m", f"{mib * 1024}K", f"{mib}MB"))


def _rest(cluster: Cluster, draw: random.Random, node: NodeType, numbers: Near) -> Options:
    found: Options = {name: draw.choice(values.split()) for name, values in OTHERS.items() if draw.random() < 0.06}
    found |= {name: None for name in ("exclusive", "requeue") if draw.random() < 0.06}
    if draw.random() < 0.1:
        most = near(draw, numbers["jobs"], 10**5)
        found["array"] = draw.choice((f"1-{most}", f"0-{most - 1}", f"1-{most}%4", f"0-{2 * most}:2"))
    if cluster.qos and draw.random() < 0.15:
        found["qos"] = draw.choice(list(cluster.qos))
    features = sorted({feature for each in cluster.node_types.values() for feature in each.features})
    if features and draw.random() < 0.1:
        some = draw.sample(features, min(2, len(features)))
        found["constraint"] = draw.choice([*features, "|".join(some), "&".join(features[:2])])
    if not cluster.sources and draw.random() < 0.1:  # on a made-up system; of real ones nobody asks so
        found["mincpus"] = str(near(draw, numbers["cores_per_node"]))
        found["tmp"] = f"{near(draw, node.tmp.mib if node.tmp else 10)}M"
    return found
