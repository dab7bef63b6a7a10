"""What decides on a Grid Engine cluster: its verifier's rules, its hosts by kind, its queues, its environments."""

from collections import Counter

from scripts.facts import Cluster
from scripts.facts.source import source
from scripts.twin.grid_engine.cell import LIVING, hosts, offers, parallel, types_of
from scripts.twin.grid_engine.policy import rules

# Resources that Grid Engine knows of itself (its manual page `complex`), and which nobody's facts offer.
OWN = """
arch calendar cpu display_win_gui h_core h_cpu h_data h_fsize h_rss h_stack hostname h load_avg load_long load_medium
load_short m_core m_socket m_topology m_topology_inuse mem_free mem_total mem_used min_cpu_interval np_load_avg
np_load_long np_load_medium np_load_short num_proc q qname rerun s_core s_cpu s_data s_fsize s_rss s_rt s_stack s_vmem
seq_no slots swap_free swap_rate swap_rsvd swap_total swap_used tmpdir virtual_free virtual_total virtual_used
""".split()


def grid_engine(cluster: Cluster) -> dict | None:
    """None for other schedulers. Memory in bytes, time in seconds; `hosts` are counted by what they offer."""
    if cluster.scheduler.kind != "grid_engine":
        return None
    default = cluster.policy.default_memory_per_core
    paths = {"time": f"partitions.{next(iter(cluster.partitions))}.max_time", "nodes": "node_types", "gpus": "gpus"}
    return {
        "rules": rules(cluster),
        "parallel": parallel(cluster),
        "memory": round(default.mib * 2**20) if default else 0,
        "queues": {key: _queue(cluster, key) for key in cluster.partitions},
        "own": " ".join(OWN),
        "sources": {name: source(cluster, path) for name, path in {**paths, "policy": "policy.time"}.items()},
    }


def _queue(cluster: Cluster, key: str) -> dict:
    partition = cluster.partitions[key]
    types = types_of(cluster, partition)
    found = Counter(
        (of, offers(cluster, node, name == LIVING)) for name, (of, node) in hosts(cluster).items() if of in types
    )
    time = partition.max_time
    return {
        "seconds": int(time.minutes) * 60 if time else None,
        "words": time.words if time else None,
        "hosts": [{"type": of, "count": count, **_offered(what)} for (of, what), count in found.items()],
    }


def _offered(words: str) -> dict:
    """`coproc_v100=4,h_vmem=206158430208,slots=40` by name, numbers as such."""
    pairs = (pair.split("=", 1) for pair in words.split(","))
    return {name: int(value) if value.isdecimal() else value for name, value in pairs}
