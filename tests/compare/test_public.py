"""A capture that others have published: what it says against the facts is found, and wins nothing since it is older.

puhti-2022.txt is from CSCfi/ood-util, scripts/tests/test_slurm_limits.rb at commit a15510ef30a2 on GitHub, read
2026-11-22; of the list of nodes of one partition a part is left out.
"""

from datetime import date, timedelta
from pathlib import Path

from scripts.compare.compare import compare
from scripts.compare.read import read
from scripts.compare.rows import AGREES, CLUSTER_ONLY, DIFFERS, OLDER, counts, is_older, newest
from tests.compare.asked import CLUSTERS

CAPTURE = read(str(Path(__file__).with_name("captures") / "puhti-2022.txt"))
PUHTI = CLUSTERS["puhti"]


def test_what_it_says_otherwise_is_found_and_an_older_capture_wins_nothing():
    old, new = (compare(PUHTI, CAPTURE, day) for day in ("2022-01-01", "2026-11-22"))
    assert {row.key for row in new if row.verdict == CLUSTER_ONLY and row.theirs == "a partition"} == {
        "partitions.interactive_mahti"
    }
    differ = {row.key: row.theirs for row in new if row.verdict == DIFFERS}
    assert differ == {row.key: row.theirs for row in old if row.verdict == OLDER} and len(differ) == 11
    wanted = {"hugemem_longrun.max_time": "7-00:00:00", "test.node_count": "6", "small.max_memory_per_node": "no limit"}
    assert {f"partitions.{name}": value for name, value in wanted.items()}.items() <= differ.items()
    assert len([row for row in old if row.verdict == AGREES]) == 20
    assert not any(counts(row, "2022-01-01", PUHTI) for row in old)


def test_a_capture_is_older_until_the_day_of_the_source_and_of_a_month_until_its_first():
    for cluster in CLUSTERS.values():
        first = date.fromisoformat(f"{newest(cluster, 'partitions')}-01-01"[:10])
        days = (first - timedelta(1), first)
        assert [is_older(str(day), cluster, "partitions") for day in days] == [True, False], cluster.key
    page = PUHTI.sources["partitions"][0].model_copy(update={"dated": "2025-03", "read": "2026-11-20"})
    cluster = PUHTI.model_copy(update={"sources": {"partitions": [page]}})
    assert newest(cluster, "partitions") == "2025-03", "what a page says is as old as the page"
