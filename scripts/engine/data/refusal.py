"""What the engine needs to say why a job is refused as `guide check` does: who says so, and what is in doubt."""

from scripts.facts import Cluster, Partition, Rule
from scripts.facts.source import source


def why(cluster: Cluster) -> dict | None:
    """Of a Slurm system: sources and doubts by the facts' paths, and those limits that are published."""
    if cluster.scheduler.kind != "slurm":
        return None
    policy = cluster.policy
    return {
        "sources": {group: source(cluster, group) for group in cluster.sources},
        "doubts": cluster.unconfirmed,
        "account": policy.sample_account,
        "unless": {name: getattr(policy, name).unless for name in ("account", "time", "partition")},
        "requests": list(dict.fromkeys(gpu.request for gpu in cluster.gpus.values()))[:3],
        "leave_out": policy.partition.rule is Rule.LEAVE_OUT,
        "nodes": {
            key: {"cores": node.cores, "memory": node.memory, "count": node.count}
            | ({"tmp": node.tmp} if node.tmp else {})
            for key, node in cluster.node_types.items()
        },
        "gpus": {key: gpu.numbers for key, gpu in cluster.gpus.items() if gpu.counts},
        "partitions": {key: _partition(cluster, key, each) for key, each in cluster.partitions.items()},
    }


def _partition(cluster: Cluster, key: str, partition: Partition) -> dict:
    found = {
        "called": partition.name or key,  # two may be of one name
        "count": partition.node_count,
        "closed": bool(partition.access),
    }
    return {name: value for name, value in found.items() if value}
