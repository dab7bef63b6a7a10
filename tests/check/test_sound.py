"""Sound job scripts, most of them from the operators' own guides: the check accuses none."""

import re
from collections import Counter

import pytest

from scripts.facts import load_all
from tests.check.many import check_many
from tests.check.sound import accusations, records

CLUSTERS = load_all()
SCRIPTS = {
    key: [(record, script) for record in records().values() for script in record.scripts if key in script.clusters]
    for key in CLUSTERS
}


@pytest.mark.parametrize("key", CLUSTERS)
def test_no_sound_script_is_accused(key):
    cluster = CLUSTERS[key]
    texts = [script.drawn.script(cluster.scheduler.kind).encode() for _, script in SCRIPTS[key]]
    places = [f"{record.repository}:{script.path} {script.lines or ''}" for record, script in SCRIPTS[key]]
    found = check_many(cluster, list(zip(texts, places, strict=True)))
    reports = [report for own in found for report in own]
    assert SCRIPTS[key], "record a script of the operator's guide in tests/check/sound/"
    assert [str(report) for report in accusations(reports, cluster)] == []


def test_there_are_enough_and_no_text_counts_twice():
    operators = Counter(record.operators for record in records().values() for _ in record.scripts)
    hashes = Counter(script.sha256 for record in records().values() for script in record.scripts)
    assert operators.total() >= 300 and operators[True] >= 150
    assert [sha for sha, times in hashes.items() if times > 1] == []
    assert {key for record in records().values() for script in record.scripts for key in script.clusters} <= set(
        CLUSTERS
    )


def test_nobodys_address_is_kept():
    told = [word for record in records().values() for script in record.scripts for word in script.options]
    assert {found for word in told for found in re.findall(r"[^\s=]+@\S+", word)} <= {"someone@example.org"}
