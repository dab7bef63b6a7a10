"""Every field of the facts that a scheduler can judge is at work in a twin."""

from scripts.facts import load_all
from scripts.paths import DOCS
from scripts.twin import twin_of
from tests.twin import kept
from tests.twin.asking import faults
from tests.twin.every_pair import pairs
from tests.twin.fields import NOT_JUDGED, ON_THE_PAGE, fields, fields_of
from tests.twin.made import made
from tests.twin.pairs_of_limits import limit_pairs
from tests.twin.pairs_of_rules import rule_pairs

CLUSTERS = load_all()
MADE = made(CLUSTERS["puhti"])


def test_every_field_is_at_work_in_a_pair_or_says_why_not(record_property):
    """A new field of the model, with neither, fails here."""
    found = [*(pair for cluster in CLUSTERS.values() for pair in pairs(cluster)), *limit_pairs(MADE), *rule_pairs(MADE)]
    at_work = {field for pair in found for field in fields_of(pair)}
    known = set(fields())
    assert known - at_work - NOT_JUDGED.keys() == set(), "neither tried by a pair nor in NOT_JUDGED"
    assert at_work & NOT_JUDGED.keys() == set(), "tried, though NOT_JUDGED says it is not"
    assert NOT_JUDGED.keys() - known == set(), "no field of the model has this name"
    record_property("fields", [len(at_work & known), len(known)])
    record_property("fields of no pair", ", ".join(sorted(known - at_work)))


def test_limits_that_no_real_cluster_reaches_are_kept_too(short):
    kept.need_scheduler("slurm")
    twin = twin_of(MADE, short)
    try:
        twin.start()
        found = [*limit_pairs(MADE), *rule_pairs(MADE)]
        assert faults(twin, found) == []
        assert found
    finally:
        twin.stop()


def test_the_page_says_what_no_verdict_shows():
    """docs/about/how-checked.md claims no more than the pairs prove."""
    refuses_nothing = {name for name, why in NOT_JUDGED.items() if why.startswith("it refuses nothing")}
    page = " ".join((DOCS / "about/how-checked.md").read_text(encoding="utf-8").split())
    assert refuses_nothing == ON_THE_PAGE.keys()
    assert [words for words in ON_THE_PAGE.values() if words not in page] == []
