"""Each twin accepts a job at every limit, and refuses one a step past it, for that very reason."""

import pytest

from scripts.facts import load_all
from scripts.twin import twin_of
from tests.snippets.sandbox import ROOT
from tests.twin import kept
from tests.twin.asking import faults, option, submit
from tests.twin.every_pair import pairs
from tests.twin.pairs import job

CLUSTERS = load_all()


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_every_limit_is_kept_and_none_is_invented(cluster, record_property):
    twin = kept.twin(cluster)
    found = pairs(cluster)
    with twin.in_use():
        wrong = faults(twin, found)
    record_property("pairs", len(found))
    assert wrong == []
    assert found


def test_the_limits_tried_are_many():
    assert sum(len(pairs(cluster)) for cluster in CLUSTERS.values()) > 800


def test_every_pair_has_a_reason():
    """The empty reason is in every refusal, so it would prove nothing."""
    assert [
        f"{key}: {pair.limit}"
        for key, cluster in CLUSTERS.items()
        for pair in pairs(cluster)
        if not pair.reason.strip()
    ] == []


@pytest.mark.parametrize("key", ["trillium", "narval"])
def test_jobs_that_wait_count(short, key):
    """As many jobs as one may have really wait; one more is refused, and accepted when they are gone."""
    cluster = CLUSTERS[key]
    kept.need_scheduler("slurm")
    twin = twin_of(cluster, short)
    name, most = next(
        ((name, p.max_jobs) for name, p in cluster.partitions.items() if p.max_jobs),
        (next(iter(cluster.partitions)), cluster.policy.max_queued_jobs),
    )
    wanted = job(cluster, name)
    try:
        held = ["sbatch", "--hold", f"--array=1-{most}", *(option(*each) for each in wanted.items()), "--wrap=true"]
        assert twin.verdict(held).returncode == 0
        one_more = submit(twin, wanted)
        assert one_more.returncode != 0 and "Job violates accounting/QOS policy" in one_more.stderr
        assert twin.verdict(["scancel", "--state=PENDING"]).returncode == 0
        assert submit(twin, wanted).returncode == 0
    finally:
        twin.stop()


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_the_text_that_the_copy_button_gives_is_accepted(tmp_path, key):
    """The tests of the site compare it with the file: all of it but the last line's end."""
    copied = tmp_path / "copied.sh"
    copied.write_text(
        (ROOT / "snippets" / key / "one_gpu.sh").read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8"
    )
    assert kept.twin(CLUSTERS[key]).judge(copied).returncode == 0
