"""The form: all that it can express is taken by the schedulers, by shellcheck, and by the guide's own check."""

import json
import os
import subprocess
from functools import cache

import pytest
from scripts.jobscript.node import node

from scripts.check.findings import check
from scripts.engine.data import for_engine
from scripts.facts import load_all
from tests.engine.written import Written, bodies, cases, refused, shellcheck
from tests.needs import need
from tests.snippets.sandbox import ROOT
from tests.twin import kept

CLUSTERS = {key: cluster for key, cluster in load_all().items() if cluster.running}
RANDOM, SEED = 40, 13  # a cluster, besides all pairs
CHECKED = 4  # of each cluster: the whole check is slow; `make agree` asks it about more
UNITS = sorted(
    path.name for path in (ROOT / "tests/jobscript").glob("*.test.mjs") if path.stem[:4] in ("form", "rewr", "cost")
)


@cache
def found() -> dict[str, dict]:
    return cases(CLUSTERS, RANDOM, SEED, pairs=True)


def written(key: str) -> list[Written]:
    return found()[key]["cases"]


def test_the_units_of_form_address_cost_and_rewriting(tmp_path):
    data = tmp_path / "data.json"
    data.write_text(json.dumps(for_engine(load_all().values())), encoding="utf-8")
    done = subprocess.run(
        [node(), "--test", *UNITS],
        cwd=ROOT / "tests/jobscript",
        env=os.environ | {"JOBSCRIPT_DATA": str(data)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout


def test_the_cases_are_many():
    assert sum(found()[key]["pairs"] for key in CLUSTERS) > 8_000
    assert sum(len(written(key)) for key in CLUSTERS) > 1_000


@pytest.mark.parametrize("key", CLUSTERS)
def test_the_scheduler_takes_all_that_the_form_writes_and_understands_it(key):
    twin = kept.twin(CLUSTERS[key])
    assert list(refused(twin, written(key))) == []


def test_shellcheck_says_nothing():
    need("shellcheck", "shellcheck")
    texts = {text for key in CLUSTERS for text in bodies(written(key))}
    assert len(texts) > 100
    assert shellcheck(texts) == []


@pytest.mark.parametrize("key", CLUSTERS)
def test_the_guides_own_check_finds_nothing(key):
    kept.need_scheduler("slurm")
    every = written(key)
    for case in every[:: len(every) // CHECKED]:
        # that the account is the guide's sample is said of each of the guide's scripts
        reports = [
            each for each in check(CLUSTERS[key], case.script.encode(), "job.sh") if each.rule != "account-sample"
        ]
        assert reports == [], case.address


@pytest.mark.parametrize("key", CLUSTERS)
def test_what_cannot_be_had_is_one_line_with_what_is_nearest(key):
    for each in found()[key]["refused"]:
        assert each["reason"].endswith(".") and "\n" not in each["reason"], each
        assert each["nearest"], each
