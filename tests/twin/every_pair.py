"""All pairs of a cluster."""

from __future__ import annotations

from scripts.facts import Cluster
from tests.twin import pairs as limits
from tests.twin.pairs import Pair
from tests.twin.pairs_of_grid_engine import grid_engine_pairs
from tests.twin.pairs_of_nodes import node_pairs
from tests.twin.pairs_of_routes import route_pairs


def pairs(cluster: Cluster) -> list[Pair]:
    if cluster.scheduler.kind == "grid_engine":
        return list(grid_engine_pairs(cluster))
    return [*limits.pairs(cluster), *node_pairs(cluster), *route_pairs(cluster)]
