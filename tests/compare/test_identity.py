"""From the facts to a twin, from the twin to a capture, and from that to the facts: nothing differs."""

import pytest

from scripts.compare.rows import AGREES, CLUSTER_ONLY, DIFFERS, FACTS_ONLY
from tests.compare.asked import CLUSTERS, answer, asked, rows_of
from tests.tiers import by_day

# The forms that people paste.
FORMS = {
    "partitions": ["scontrol", "show", "partition"],
    "partitions in lines": ["scontrol", "-o", "show", "partition"],
    "nodes": ["scontrol", "-o", "show", "node"],
}


@pytest.mark.parametrize("key", CLUSTERS)
def test_a_twin_that_is_asked_says_what_the_facts_say(key, tmp_path, record_property):
    rows = rows_of(key, asked(key), tmp_path)
    assert [str(row) for row in rows if row.verdict in (DIFFERS, FACTS_ONLY)] == []
    unknown = {row.key for row in rows if row.verdict == CLUSTER_ONLY}
    ends = (".count", ".node_count", ".cores", ".sockets", ".memory")  # what is not published, the twin has made up
    assert [name for name in unknown if not name.endswith(ends)] == []
    agree = {row.key for row in rows if row.verdict == AGREES}
    record_property("compared", len(agree))
    cluster = CLUSTERS[key]
    assert {f"partitions.{name}.max_time" for name, p in cluster.partitions.items() if p.max_time} <= agree


def test_most_facts_of_partitions_and_nodes_are_shown(tmp_path):
    """Not an identity of nothing with nothing: of what a scheduler can show, how much was compared."""
    assert sum(row.verdict == AGREES for key in CLUSTERS for row in rows_of(key, asked(key), tmp_path)) > 900


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", by_day(["mahti", "rivanna"], {"mahti"}))
def test_each_form_that_people_paste_says_the_same(key, form, tmp_path):
    rows = rows_of(key, answer(key, *FORMS[form]), tmp_path)
    assert [str(row) for row in rows if row.verdict in (DIFFERS, FACTS_ONLY)] == []
    assert len([row for row in rows if row.verdict == AGREES]) >= 10
