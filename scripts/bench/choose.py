"""All tasks of a seed, or those of some kinds and systems."""

from collections.abc import Collection

from scripts.bench import explain, move, repair, write
from scripts.bench.task import KINDS, Task
from scripts.facts import Cluster

SEED = 1


def chosen(
    clusters: dict[str, Cluster], seed: int = SEED, kinds: Collection[str] = KINDS, systems: Collection[str] = ()
) -> list[Task]:
    """systems: keys of those that the answers are for; none: all."""
    makers = {
        "write": lambda cluster: write.tasks(cluster, seed),
        "repair": lambda cluster: repair.tasks(cluster, seed),
        "move": lambda cluster: move.tasks(cluster, clusters, seed),
        "explain": lambda cluster: explain.tasks(cluster, seed),
    }
    own = [each for each in clusters.values() if not systems or each.key in systems]
    of = dict.fromkeys(KINDS, own) | {"move": clusters.values()}  # the answer to a move is for the other system
    found = [task for kind in KINDS if kind in kinds for each in of[kind] for task in makers[kind](each)]
    return [task for task in found if not systems or task.system in systems]
