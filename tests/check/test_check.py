"""`python -m scripts.check`: the guide's scripts pass it."""

import pytest

from scripts.check.findings import check
from scripts.facts import load_all
from tests.check.planted import job_scripts
from tests.snippets.sandbox import ROOT
from tests.twin import kept as twins

CLUSTERS = load_all()


@pytest.mark.parametrize(
    "script",
    job_scripts("slurm") + job_scripts("grid_engine"),
    ids=lambda path: str(path.relative_to(ROOT / "snippets")),
)
def test_none_of_the_guides_scripts_is_accused(script):
    cluster = CLUSTERS[script.parent.name]
    twins.need_scheduler(cluster.scheduler.kind)
    reports = check(cluster, script.read_bytes(), str(script))
    assert [str(report) for report in reports if report.kind != "unwise" or cluster.running] == []
