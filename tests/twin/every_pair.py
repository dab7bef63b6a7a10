"""All pairs of a cluster."""

from scripts.facts import Cluster
from tests.twin.pairs import Pair
from tests.twin.pairs_of_grid_engine import grid_engine_pairs
from tests.twin.pairs_of_limits import limit_pairs
from tests.twin.pairs_of_nodes import gpu_pairs, kind_pairs, node_pairs, whole_node_pairs
from tests.twin.pairs_of_rules import route_pairs, rule_pairs

SLURM = (limit_pairs, whole_node_pairs, node_pairs, kind_pairs, gpu_pairs, route_pairs, rule_pairs)


def pairs(cluster: Cluster) -> list[Pair]:
    if cluster.scheduler.kind == "grid_engine":
        return list(grid_engine_pairs(cluster))
    return [pair for pairs_of in SLURM for pair in pairs_of(cluster)]
