"""The form: what it writes is accepted by the schedulers, by the engine, and by shellcheck.

`python -m tests.engine.agree` asks about many more scripts, in which all pairs of values stand.
"""

import pytest

from scripts.facts import load_all
from tests.engine.written import accused, cases, refused, shellcheck, without_way_out
from tests.needs import need

CLUSTERS = {key: cluster for key, cluster in load_all().items() if cluster.running}
SEED = "by day"
FILLINGS = 100  # of each system; most ask for what cannot be had


@pytest.mark.parametrize("key", CLUSTERS)
def test_what_the_form_writes_is_accepted(key):
    cluster = CLUSTERS[key]
    own = cases(cluster, FILLINGS, SEED)
    assert sum(bool(case.script) for case in own) >= FILLINGS // 25
    assert refused(cluster, own) == []
    assert accused(cluster, own) == []
    assert without_way_out(own) == []


@pytest.mark.nightly
def test_shellcheck_says_nothing():
    need("shellcheck", "shellcheck")
    found = [case.script for cluster in CLUSTERS.values() for case in cases(cluster, FILLINGS, SEED) if case.script]
    assert len(found) > 100
    assert shellcheck(found) == []
