"""Systems side by side: a column for each, and in it what its own tables say, but their notes."""

import re

from scripts.tables.compare import columns, first_answers, rows_of
from tests.clusters import CLUSTERS


def test_each_system_has_a_column_and_those_that_run_a_row():
    head, *rows = rows_of(columns(CLUSTERS))
    assert sorted(head[1:]) == sorted(f"[{each.name}](/clusters/{key}.md)" for key, each in CLUSTERS.items())
    assert all(len(row) == len(head) for row in rows)
    assert len({row[0] for row in rows}) == len(rows), "a label stands twice"
    assert not re.search(r"; (not published|none published)", str(rows)), "what says nothing is left out"
    running = [f"[{each.name}](/clusters/{key}.md)" for key, each in CLUSTERS.items() if each.running]
    assert sorted(row[0] for row in rows_of(first_answers(CLUSTERS))[1:]) == sorted(running)


def test_a_column_says_what_the_systems_own_tables_say():
    head, *rows = rows_of(columns(CLUSTERS))
    kestrel = {row[0]: row[head.index("[Kestrel](/clusters/kestrel.md)")] for row in rows}
    assert kestrel["Cost of one GPU per hour"] == "25 allocation units" and kestrel["Account"] == "**required**"
    for label, said in (("GPU partitions", "`gpu-h100s`: 4 hours"), ("Billing", "hour"), ("Storage", "/scratch")):
        assert said in kestrel[label], label


def test_a_retired_system_can_be_chosen_beside_its_successor():
    head = rows_of(columns(CLUSTERS))[0]
    names = [re.match(r"\[(.+?)\]", name)[1] for name in head[1:]]
    assert names.index("Puhti") > max(names.index(each.name) for each in CLUSTERS.values() if each.running)
