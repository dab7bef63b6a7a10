"""The collection of systems elsewhere: weak facts, each with its source, are enough for form, check, move and twin."""

import re

import pytest
from pathspec.gitignore import GitIgnoreSpec

from scripts.engine.ask import ask
from scripts.engine.data.first_scripts import first_script
from scripts.facts import Cluster, load_all
from scripts.facts.centres import load_centres
from scripts.facts.model import GROUPS
from scripts.paths import SNIPPETS
from scripts.site.config import mkdocs_yml
from tests.engine import generator
from tests.engine.agreement import compare
from tests.twin import kept

FOLDER = SNIPPETS / "collections/elsewhere"
KEYS = sorted(path.parent.name for path in FOLDER.glob("*/cluster.yml"))
WEAK = {"status", "node_types", "gpus", "partitions"}
BAD = ("refused", "doubtful", "fails", "ignored")
WASTE = "whole-node-few-gpus"  # a first job has one GPU, also where it gets a whole node
each_system = pytest.mark.parametrize("key", KEYS)


@pytest.fixture(scope="module")
def systems() -> dict[str, Cluster]:
    return load_all(FOLDER)


def written(cluster: Cluster) -> dict[str, str]:
    """What the form writes for as few as possible of each GPU, and without one; and the first job."""
    found = {}
    for gpu in cluster.gpus:
        there = [node.gpus[gpu] for node in cluster.node_types.values() if gpu in node.gpus]
        wishes = [f"cluster={cluster.key}&gpu={gpu}&gpus={number}" for number in (1, min(there))]
        scripts = [each["script"] for each in ask("write", [cluster], wishes) if "script" in each]
        assert scripts, f"no script for {gpu}"
        found[gpu] = scripts[0]
    (alone,) = ask("write", [cluster], [f"cluster={cluster.key}&gpu=none"])
    if any(not cluster.node_types[name].gpus for p in cluster.partitions.values() for name in p.node_types):
        found["none"] = alone["script"]
    else:
        assert "no partition with nodes without GPUs" in alone["reason"]
    return found | {"first": first_script(cluster, "one_gpu")}


def judged(cluster: Cluster, script: str) -> tuple[str, list[dict]]:
    """A refusal by a weak fact is a doubt, and not judged."""
    (found,) = ask("judge", [cluster], [[cluster.key, script]])
    return found["verdict"], [each for each in found["findings"] if each["kind"] in BAD and each["rule"] != WASTE]


def test_it_has_twelve_systems_of_eight_others_and_none_is_ours(systems):
    ours = load_all()
    assert len(systems) >= 12 and not systems.keys() & ours.keys()
    operators = {cluster.operator for cluster in systems.values()}
    assert len(operators) >= 8 and not operators & {cluster.operator for cluster in ours.values()}
    assert {cluster.centre for cluster in systems.values()} == load_centres(FOLDER / "centres.yml").keys()


def test_our_own_site_has_none_of_its_files():
    hidden = GitIgnoreSpec.from_lines(mkdocs_yml().data["exclude_docs"].splitlines())
    files = [path.relative_to(SNIPPETS.parent) for path in FOLDER.rglob("*.yml")]
    assert len(files) > 12 and all(map(hidden.match_file, files))


@each_system
def test_every_fact_has_its_file_with_commit_and_date_and_is_marked_as_weak(systems, key):
    cluster = systems[key]
    for group in cluster.sources.keys() & set(GROUPS):
        for source in cluster.sources[group]:
            found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)/blob/[0-9a-f]{40}/(\S+)", source.url)
            assert found and source.title.startswith(f"{found[1]}: {found[2]}") and source.dated, source
    assert cluster.unconfirmed.keys() >= WEAK


@each_system
def test_the_check_accepts_what_the_form_writes_and_reports_what_is_too_much(systems, key):
    cluster = systems[key]
    for name, script in written(cluster).items():
        assert judged(cluster, script) == ("accepted", []), f"{name}\n{script}"
        verdict, bad = judged(cluster, re.sub(r"(--cpus-per-task=)\d+", r"\g<1>999", script))
        assert (verdict, bad[0]["kind"]) in (("not judged", "doubtful"), ("refused", "refused")), name
        assert bad[0]["option"] == "--cpus-per-task=999", name


@each_system
def test_a_job_moves_to_another_system(systems, key):
    here, there = systems[key], systems[KEYS[KEYS.index(key) - 1]]
    script = next(iter(written(here).values()))
    (moved,) = ask("move", [here, there], [[key, there.key, script]])
    verdict, found = judged(there, moved["script"])
    listed = any(" of memory and keeps it" in said for said in moved["impossible"])  # more than the new GPU's share
    assert moved["script"] and verdict == "accepted", moved
    assert [each["rule"] for each in found] == ["memory-over-share"] * listed, moved


@pytest.mark.nightly
@each_system
def test_its_twin_accepts_what_the_form_writes_and_decides_as_the_engine(systems, key):
    cluster = systems[key]
    scripts = [*written(cluster).values(), *generator.cases(cluster, 150, "elsewhere")]
    twin = kept.twin(cluster)
    try:
        compared = compare(twin, scripts)
    finally:
        twin.stop()
    assert all(answer.accepted for answer in compared.answers[: len(written(cluster))])
    assert not compared.differences, "\n\n".join(compared.differences)
    assert compared.accepted < len(scripts)
