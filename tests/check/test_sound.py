"""Sound job scripts, most of them from the operators' own guides: the check accuses none."""

import re
from collections import Counter

import pytest

from tests.check.many import check_many
from tests.check.sound import accusations, records
from tests.clusters import CLUSTERS

SCRIPTS = [
    (keys.split(), record, script)
    for record in records().values()
    for keys, some in record.scripts.items()
    for script in some.values()
]


@pytest.mark.parametrize("key", CLUSTERS)
def test_no_sound_script_is_accused(key):
    cluster = CLUSTERS[key]
    own = [(record, script) for keys, record, script in SCRIPTS if key in keys]
    texts = [script.drawn.script(cluster.scheduler.kind).encode() for _, script in own]
    places = [f"{record.repository}/{script.path}" for record, script in own]
    found = check_many(cluster, list(zip(texts, places, strict=True)))
    assert own, "record a script of the operator's guide in tests/check/sound/"
    assert [str(report) for reports in found for report in accusations(reports, cluster)] == []


def test_there_are_enough_none_counts_twice_and_nobodys_address_is_kept():
    operators = Counter(record.operators for _, record, _ in SCRIPTS)
    assert operators.total() >= 300 and operators[True] >= 150
    assert len({script.sha256 for *_, script in SCRIPTS}) == len(SCRIPTS)
    assert {key for keys, *_ in SCRIPTS for key in keys} <= set(CLUSTERS)
    told = [word for *_, script in SCRIPTS for word in script.options]
    assert {found for word in told for found in re.findall(r"[^\s=]+@\S+", word)} <= {"someone@example.org"}
