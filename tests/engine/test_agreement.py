"""The page's engine and the scheduler are of one mind.

The engine decides as Slurm 22.05 does. Where another version is installed, little may differ: 24.11.5 said otherwise of
21 in 10,222 such cases, 8 of which the rule gpus-per-task-on-a-node tells.
"""

import pytest

from scripts.facts import load_all
from tests.engine.agreement import compare, seed, unjudged
from tests.twin import kept as twins

SLURM = {key: cluster for key, cluster in load_all().items() if cluster.scheduler.kind == "slurm"}
CASES = 3000 // len(SLURM) + 1


@pytest.mark.parametrize("key", SLURM)
def test_the_engine_says_what_the_twin_says(key):
    cluster = SLURM[key]
    compared = compare(cluster, twins.twin(cluster), CASES, seed(cluster))
    assert len(compared.cases) >= CASES
    print(*compared.found, sep="\n\n")
    most = 0 if twins.version("slurm").startswith("Slurm 22.05") else 0.02 * CASES
    assert len(compared.found) <= most, "python -m tests.engine.agree keeps them"
    left = list(unjudged(compared.engine).elements())
    assert len(left) <= max(3, 0.01 * len(compared.cases)), left
    both = {answer.accepted for answer in compared.twin}
    assert both == {True, False}, "of cases that all end alike, nobody learns anything"
