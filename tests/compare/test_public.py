"""Captures that others have published: what they say against the facts is found, and wins nothing if it is older."""

import pytest
import yaml
from pydantic import RootModel

from scripts.compare.compare import compare
from scripts.compare.read import read
from scripts.compare.rows import AGREES, CLUSTER_ONLY, DIFFERS, FACTS_ONLY, OLDER, counts
from scripts.facts.model import Source
from scripts.models import load_model
from scripts.paths import ROOT
from tests.compare.asked import CLUSTERS

FOLDER = ROOT / "tests/compare/captures"
EXPECTED = yaml.safe_load((FOLDER / "expected.yml").read_text(encoding="utf-8"))


def those_with(what: str):
    """For each capture of which this is expected: its name, and what is."""
    return pytest.mark.parametrize(
        "name, expected", [(name, found[what]) for name, found in EXPECTED.items() if what in found]
    )


class _Sources(RootModel[dict[str, Source]]):
    """A capture's name: where it was published."""


SOURCES = load_model(FOLDER / "sources.yml", _Sources, "See scripts/facts/model.py.")[0].root


def rows_of(name: str):
    cluster = CLUSTERS[name.partition("-")[0]]
    return compare(cluster, read(str(FOLDER / f"{name}.txt")), SOURCES[name].dated)


def test_each_capture_has_its_source():
    assert {path.stem for path in FOLDER.glob("*.txt")} == SOURCES.keys()


@those_with("differs")
def test_every_disagreement_is_found_and_no_other(name, expected):
    assert {row.key: row.theirs for row in rows_of(name) if row.verdict in (DIFFERS, OLDER)} == expected


def test_cores_that_the_system_keeps_are_no_difference_and_never_written():
    """sinfo counts all 64; of those a job can have 56."""
    (row,) = [row for row in rows_of("lumi-nodes-2026-04") if row.key == "node_types.gpu.cores"]
    assert (row.verdict, row.theirs, row.edit) == (CLUSTER_ONLY, "64", None)
    assert not counts(row, "2026-11-22", CLUSTERS["lumi"])


@those_with("only_there")
def test_partitions_that_the_facts_do_not_know_are_found(name, expected):
    found = {row.key for row in rows_of(name) if row.verdict == CLUSTER_ONLY and row.theirs == "a partition"}
    assert found == set(expected)


@those_with("missing_there")
def test_partitions_that_a_whole_list_lacks_are_found(name, expected):
    assert {row.key for row in rows_of(name) if row.verdict == FACTS_ONLY} == set(expected)


def test_what_the_research_read_as_equal_agrees():
    agree = {row.key: row.ours for row in rows_of("lumi-2026-04") if row.verdict == AGREES}
    expected = {"standard-g": ("2-00:00:00", "2728"), "small-g": ("3-00:00:00", "199")}
    for name, (time, nodes) in expected.items():
        assert agree[f"partitions.{name}.max_time"] == time and agree[f"partitions.{name}.node_count"] == nodes
    assert {"partitions.lumid.max_time", "partitions.debug.max_time", "partitions.fmr-g.max_time"} <= agree.keys()
    assert len([row for row in rows_of("kestrel-nodes-2025") if row.verdict == AGREES]) > 60


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "lumi-nodes-2026-04"])
def test_an_older_capture_wins_nothing(name):
    cluster = CLUSTERS[name.partition("-")[0]]
    rows = rows_of(name)
    assert [str(row) for row in rows if counts(row, SOURCES[name].dated, cluster)] == []
    assert [str(row) for row in rows if counts(row, "2026-11-22", cluster) and row.verdict == DIFFERS] == []


def test_the_same_capture_taken_today_wins():
    cluster = CLUSTERS["lumi"]
    rows = compare(cluster, read(str(FOLDER / "lumi-2026-04.txt")), "2026-11-22")
    assert {row.key for row in rows if row.verdict == DIFFERS} == EXPECTED["lumi-2026-04"]["differs"].keys()
