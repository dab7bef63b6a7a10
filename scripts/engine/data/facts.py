"""What the engine decides by: the lines of slurm.conf and the rules of job_submit.lua, from the functions that write
them. So a number cannot be one thing in the twin and another on the page.
"""

from pathlib import Path

from scripts.engine.data.limits import numbers
from scripts.facts import Cluster
from scripts.twin.slurm.conf import gres_names, gres_type, host_name, node_types, number_of, partition_hosts, slurm_conf
from scripts.twin.slurm.policy import rules

# slurm.conf's word -> ours. All are whole numbers: minutes, MiB, or counts.
NODE = {"CPUs": "cpus", "ThreadsPerCore": "threads", "RealMemory": "memory", "TmpDisk": "tmp"}
MEMORY = {"DefMemPerNode": "memory_per_node", "DefMemPerGPU": "memory_per_gpu", "DefMemPerCPU": "memory_per_cpu"}
NO_DISK = 10**8  # what slurm.conf says of a local disk whose size nobody publishes: it refuses nothing


def system(cluster: Cluster) -> dict:
    """The facts of one system that a verdict needs; of Grid Engine only what it is called.

    A reader's browser fetches them: what is nothing, or follows from the rest, is left out, and what differs from one
    node or partition to the next stands before what they share, which compresses better.
    """
    names = {"key": cluster.key, "name": cluster.name, "kind": cluster.scheduler.kind}
    if cluster.scheduler.kind != "slurm":
        return names
    lines = [dict(_words(line)) for line in slurm_conf(cluster, Path("/"), 0).splitlines()]
    partitions = {line["PartitionName"]: _partition(cluster, line) for line in lines if "PartitionName" in line}
    policy = _rules(cluster, partitions)
    return names | {
        "gres": gres_names(cluster),
        "nodes": _nodes(cluster, lines, partitions),
        "partitions": partitions,
        "rules": policy,
    }


def _words(line: str) -> list[list[str]]:
    return [word.split("=", 1) for word in line.split() if "=" in word]


def _nodes(cluster: Cluster, lines: list[dict], partitions: dict) -> dict:
    """Each kind of node, in the order of their names, as slurmctld has them.

    `count` only of a kind that no partition has all nodes of; `threads` of more than one; `tmp` where it is published.
    """
    found = {}
    for key, node in sorted(node_types(cluster).items(), key=lambda item: host_name(item[0], 1)):
        line = next(line for line in lines if line.get("NodeName") == host_name(key, 1))
        there = max(each["nodes"].get(key, 0) for each in partitions.values())
        nothing = {"threads": 1, "tmp": NO_DISK, "count": there}
        said = {ours: int(line[word]) for word, ours in NODE.items()} | {"count": number_of(node)}
        found[key] = {"gres": [_gres(item) for item in line.get("Gres", "").split(",") if item]}
        found[key] |= {ours: number for ours, number in said.items() if number != nothing.get(ours)}
        if "Feature" in line:
            found[key]["features"] = line["Feature"].split(",")
    return found


def _gres(item: str) -> list:
    """`gpu:v100:4` -> ["gpu", "v100", 4]; without a type an empty one."""
    name, *kind, number = item.split(":")
    return [name, "".join(kind), int(number)]


def _partition(cluster: Cluster, line: dict) -> dict:
    partition = cluster.partitions[line["PartitionName"]]
    found = numbers("partitions", partition)
    found |= {ours: int(line[word]) for word, ours in MEMORY.items() if word in line}
    found["nodes"] = partition_hosts(cluster, partition)
    found |= {"whole": True} if line.get("OverSubscribe") == "EXCLUSIVE" else {}
    return found | ({"default": True} if "Default" in line else {})


def _rules(cluster: Cluster, partitions: dict) -> dict:
    """The policy's rules without what is nothing. UPDATES partitions: those of one stand there."""
    found = _said(rules(cluster)) | {"limits": numbers("policy", cluster.policy)}
    found.pop("threads_refused", None)  # options on threads are not judged
    for key, partition in found.pop("partitions").items():
        if key in found.get("route", ()) and "gpu" in partition:  # only there is it asked
            partitions[key]["gpu"] = True
        partitions[key] |= {name: partition[name] for name in ("gpu_jobs_in", "longer_jobs_in") if name in partition}
    types = {gres_type(gpu.gres): gpu for gpu in cluster.gpus.values()}
    for key, gpu in found.setdefault("gpus", {}).items():
        gpu |= numbers("gpus", types[key])
        if "counts" not in gpu:
            del gpu["refusal"]
    found["gpus"] = {key: gpu for key, gpu in found["gpus"].items() if gpu}
    qos = found.get("qos", {})
    return found | ({"qos": {key: each | numbers("qos", cluster.qos[key]) for key, each in qos.items()}} if qos else {})


def _said(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: _said(item) for key, item in value.items() if key != "limits" and item not in (None, False, {}, [])
        }
    return value
