"""The lessons' tables say what the facts say, and lead to scripts that are there."""

import re

from scripts.facts import load_all
from scripts.measure.limits import load_limits
from scripts.paths import DOCS, SNIPPETS
from scripts.tables import lessons
from scripts.tables.compare import rows_of
from scripts.tables.sharing import sharing
from scripts.tables.steps import diffs

CLUSTERS = load_all()
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


def test_no_job_creates_an_environment():
    languages = {key: cluster.software.r for key, cluster in CLUSTERS.items() if cluster.software.r}
    assert {key for key, r in languages.items() if r.once} == {"aire", "kestrel", "swift"}
    assert not [line for r in languages.values() for line in r.load if "create" in line or "activate" in line]
