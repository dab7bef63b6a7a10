"""The lessons' tables say what the facts say, and lead to scripts that are there."""

import re

import pytest

from scripts.measure.limits import load_limits
from scripts.paths import DOCS, SNIPPETS
from scripts.tables import lessons
from scripts.tables.compare import rows_of
from scripts.tables.fit import measured
from scripts.tables.limits import device, few_sizes
from scripts.tables.sharing import sharing
from scripts.tables.steps import diffs
from tests.clusters import CLUSTERS

RUNNING = {cluster.name: cluster for cluster in CLUSTERS.values() if cluster.running}


def rows(text: str) -> dict[str, list[str]]:
    """A system's name, or a GPU's -> the cells behind it."""
    return {re.sub(r"\[(.*?)\].*", r"\1", first): rest for first, *rest in rows_of(text)[1:]}


def test_every_link_leads_to_a_part_that_has_the_script():
    ways = {"several-gpus": "several_gpus.sh", "a-whole-node": "full_node.sh", "more-than-one-node": "more_nodes.sh"}
    text = lessons.several_gpus(CLUSTERS)
    linked = set(re.findall(r"/clusters/(\w+)\.md#([\w-]+)", text))
    there = {
        (cluster.key, place)
        for cluster in RUNNING.values()
        for place, script in ways.items()
        if (SNIPPETS / cluster.key / script).exists()
    }
    assert linked == there and rows(text).keys() == RUNNING.keys()
    whole = {name: {g.model for g in c.gpus.values() if not g.is_slice} for name, c in RUNNING.items()}
    nodes = {name: cells[0].split("<br>") for name, cells in rows(text).items()}
    assert all(each.rpartition(": ")[0] in whole[name] for name, of_it in nodes.items() for each in of_it)
    assert nodes["Fir"] == ["NVIDIA H100 SXM5: 4"]
    staged = {path.parent.name for path in SNIPPETS.glob("*/stage_data.sh") if CLUSTERS[path.parent.name].running}
    assert set(re.findall(r"/clusters/(\w+)\.md#data", lessons.stage_data(CLUSTERS))) == staged


def test_eight_runs_at_once_are_more_in_an_hour_than_one():
    found = rows(sharing())
    assert [found[number] for number in ("1", "8")] == [["14.8", "243"], ["18.4", "1,563"]]


def test_the_steps_stand_on_the_page_in_their_order():
    page = (DOCS / "learn/train-step-by-step.md").read_text(encoding="utf-8")
    assert re.findall(r"made/diffs/(\S+)\"", page) == [*diffs()]


def test_a_gpu_has_the_rates_of_its_limits():
    found = rows(lessons.precisions(load_limits()))
    assert found["NVIDIA V100 SXM2"] == ["7.8", "15.7", "–", "–", "125"]
    assert found["NVIDIA RTX 3090"][2:] == ["unknown"] * 3, "its tensor cores have a rate, which we do not know"
    assert found["NVIDIA RTX 2080 Ti"][2:] == ["–", "–", "unknown"]
    assert [found[name][2] for name in ("AMD MI250X, one GCD", "AMD MI300A")] == ["–", "unknown"]
    assert found["NVIDIA H100 SXM5"] == ["66.9", "66.9", "494.7", "989.4", "989.4"]


def test_a_sweep_is_limited_as_the_facts_say():
    found = rows(lessons.many_runs(CLUSTERS))
    assert found.keys() == RUNNING.keys()
    assert found["LUMI"] == ["`dev-g`: 2<br>`lumid`: 1<br>`small-g`: 210<br>`standard-g`: 210", "none"]
    assert found["Narval"] == ["1,000", "NVIDIA A100 SXM4: 5 GB, 10 GB, 20 GB"] and found["Trillium"][0] == "500"


def test_each_system_is_once_in_what_is_told_of_the_internet():
    answers = {cells[-1]: len(re.findall(r"\]\(", names)) for names, *cells in rows_of(lessons.internet(CLUSTERS))[1:]}
    said = [c.policy.internet_on_compute_nodes for c in RUNNING.values()]
    assert answers == {"Yes": said.count(True), "No": said.count(False), "Not documented": said.count(None)}


def test_the_faster_of_two_ways_is_bold_and_one_memory_has_no_link():
    size = {"s": 1, "ms": 1e-3, "µs": 1e-6}
    told = [row[2:] for row in rows_of(few_sizes(CLUSTERS)) if len(row) == 4 and "**" in row[2] + row[3]]
    for ways in told:
        times = [float(number) * size[unit] for number, unit in re.findall(r"([\d.]+) (s|ms|µs)\b", " ".join(ways))]
        assert times[0] != times[1] and (times[0] < times[1]) == ("**" in ways[0]) != ("**" in ways[1])
    alone = {key for key, each in load_limits().items() if device(each)["linkRate"] is None}
    assert alone == {key for key, each in load_limits().items() if each.one_memory} and len(told) > 9


def test_what_was_measured_is_said_as_it_was():
    differ = [row for row in rows_of(measured(CLUSTERS)) if row[-1].endswith("%")]
    assert differ
    for _, calculated, found, part in differ:
        assert round(float(found.split()[0]) / float(calculated.split()[0]) * 100 - 100) == pytest.approx(
            int(part[:-1]), abs=1
        )


def test_no_job_creates_an_environment():
    languages = {key: cluster.software.r for key, cluster in CLUSTERS.items() if cluster.software.r}
    assert {key for key, r in languages.items() if r.once} == {"aire", "kestrel", "lumi", "swift"}
    assert not [line for r in languages.values() for line in r.load if "create" in line or "activate" in line]
