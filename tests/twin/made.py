"""A cluster that is nowhere: limits at work that on every real one another limit reaches first."""

from __future__ import annotations

from scripts.facts import Cluster, Gpu, NodeType, Partition
from scripts.facts.units import Memory


def made(real: Cluster) -> Cluster:
    """With the policy of a real one."""
    nodes = {"node": NodeType(count=4, sockets=1, cores=32, memory=Memory("100 GiB"), gpus={"gpu": 4})}
    gpu = Gpu(model="", memory=Memory("16 GB"), request="--gres=gpu:made:1", gres="gpu:made")
    limits = {
        "default_memory_per_core": {"default_memory_per_core": Memory("10 GiB")},
        "default_memory_per_gpu": {"default_memory_per_gpu": Memory("40 GiB")},
        "default_memory_per_node": {"default_memory_per_node": Memory("200 GiB")},
        "max_cores_per_node": {"max_cores_per_node": 8},
        "none": {},
    }
    partitions = {key: Partition(node_types=["node"], **each) for key, each in limits.items()}
    policy = real.policy.model_copy(update={"default_memory_per_core": Memory("20 GiB")})
    return real.model_copy(
        update={
            "key": "made",
            "node_types": nodes,
            "gpus": {"gpu": gpu},
            "partitions": partitions,
            "policy": policy,
            "qos": {},
        }
    )
