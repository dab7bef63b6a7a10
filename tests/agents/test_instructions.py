"""What assistants read of a system: short, dated, each doubt with its reason, and every number is a fact's."""

import re
from pathlib import Path

import pytest

from scripts.agents import instructions
from scripts.agents.lines import doubts, fitted
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import load_cluster
from scripts.facts.units import Memory, Walltime
from scripts.families.shared import script
from scripts.paths import SNIPPETS
from scripts.site.after.agents import files
from scripts.tables import cluster as of_one
from tests.clusters import CLUSTERS, RUNNING

SKILL = Path("skills/gpu-jobs-nlr/references/kestrel.md")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
OURS = re.compile(r"On the page: .*|and \d+ others")  # how much is not here


def text_of(key: str, clusters=CLUSTERS) -> str:
    return instructions.of_cluster(clusters[key], clusters, "../../")


@pytest.mark.parametrize("key", CLUSTERS)
def test_it_is_short_and_every_number_is_a_fact(key):
    cluster, text = CLUSTERS[key], text_of(key)
    assert len(text) <= instructions.BUDGET
    there = instructions.sections(cluster, CLUSTERS) if cluster.running else []
    short = there and fitted(cluster, "", there, instructions.BUDGET)
    for section, number in [(each, number) for each in there for number in each.gone]:
        section.gone.discard(number)
        assert len(fitted(cluster, "", there, len(short) * 9)) > instructions.BUDGET, "what fits is not left out"
        section.gone.add(number)
    known = (SNIPPETS / key / "cluster.yml").read_text(encoding="utf-8") + script(key, "one_gpu.sh").read_text("utf-8")
    known += "".join(make(cluster, CLUSTERS) for make in (of_one.TABLES | of_one.OF_RUNNING).values())
    known += key + cluster.name + str(CLUSTERS.get(cluster.status.successor))
    said = set(NUMBER.findall(OURS.sub("", text).replace("../", "").replace("api/v1", "")))
    assert said - set(NUMBER.findall(known)) == set()


@pytest.mark.parametrize("key", RUNNING)
def test_the_most_numerous_gpu_node_comes_first(key):
    most = max((node for node in CLUSTERS[key].node_types.values() if node.gpus), key=lambda node: node.count or 0)
    nodes = text_of(key).partition("## GPUs, cores and memory of a node")[2].split("\n")[2]
    (gpus, *_) = most.gpus.values()
    assert nodes.startswith(f"- {most.count:,} node" if most.count else "- ") and f"{gpus} × " in nodes


def test_relative_links_say_where_they_start_and_others_need_no_folder():
    assert "Links start at `agents/kestrel/` of the site." in text_of("kestrel")
    made = files(CLUSTERS, "https://example.org/guide/")
    for path, data in made.items():
        if path.name == "INSTRUCTIONS.md":
            assert b"Links start" not in data and b"](.." not in data, path
    assert b"Links start at `skills/gpu-jobs-nlr/references/`" in files(CLUSTERS)[SKILL]


def test_that_of_all_systems_names_each_and_is_short():
    text = instructions.of_all(CLUSTERS, "../")
    assert len(text) <= instructions.BUDGET
    for key, cluster in CLUSTERS.items():
        assert (f"(../agents/{key}/INSTRUCTIONS.md)" in text) == cluster.running and cluster.name in text


@pytest.mark.parametrize("key", RUNNING)
def test_each_section_has_its_day_and_each_doubt_its_reason(key):
    cluster, text = CLUSTERS[key], text_of(key)
    for section in instructions.sections(cluster, CLUSTERS):
        (head,) = re.findall(rf"^## {re.escape(section.title)}.*$", text, re.MULTILINE)
        for source in (source for group in section.groups for source in cluster.sources.get(group, ())):
            assert source.read in head
        for line in section.lines:
            assert "unconfirmed)" not in line.text or doubts(cluster, [line]), line
    reasons = text.partition("## Doubts")[2]
    assert bool(reasons) == ("unconfirmed)" in text.replace("Reasons for (unconfirmed)", "").partition("## Doubts")[0])
    assert all(line.endswith(tuple(cluster.unconfirmed.values())) for line in re.findall("^- .*", reasons, re.M))


@pytest.mark.parametrize("key", RUNNING)
def test_a_changed_fact_changes_the_text(key):
    cluster = CLUSTERS[key]
    gpu, partition = next(iter(cluster.gpus)), next(iter(of_one.gpu_partitions(cluster)))
    new = cluster.model_copy(deep=True)
    changes = {
        "777 days": (new.partitions[partition], "max_time", Walltime("777-00:00:00")),
        "776 GB": (new.gpus[gpu], "memory", Memory("776 GB")),
        "775 apples": (new.billing, "gpu_hour", "775 apples"),
        "774 TB": (new.storage[0], "size", Memory("774 TB")),
        "`login773.example.org`": (new.login[0], "host", "login773.example.org"),
        "`--account772`": (new.policy.account, "note", "`--account772`"),
    }
    for change in changes.values():
        object.__setattr__(*change)  # facts are frozen
    before, after = text_of(key), text_of(key, CLUSTERS | {key: new})
    assert all(said in after and said not in before for said in changes)
    everywhere = instructions.of_all(CLUSTERS | {key: new}, "../")
    assert "775 apples" in everywhere and (cluster.gpus[gpu].is_slice or "776 GB" in everywhere)


@pytest.mark.parametrize("key", RUNNING)
def test_its_script_is_accepted(key):
    (block,) = re.findall(r"```bash\n(.*?)```", text_of(key), re.DOTALL)
    (judged,) = ask("judge", [CLUSTERS[key]], [[key, block]])
    assert judged["verdict"] == "accepted" and {each["rule"] for each in judged["findings"]} <= {"account-sample"}


@pytest.mark.parametrize("key", [key for key in CLUSTERS if key not in RUNNING])
def test_a_retired_system_names_its_successor_and_no_partition(key):
    text, after = text_of(key), CLUSTERS[key].status.successor
    assert len(text) < 600 and CLUSTERS[key].name in text and "Write no new script" in text
    assert f" is retired {CLUSTERS[key].status.ended or ''}".rstrip() in text
    assert f"Read {max(source.read for source in CLUSTERS[key].sources['status'])}. " in text
    assert f"../{after}/INSTRUCTIONS.md" in text if after in CLUSTERS else after in text


def test_a_script_that_is_missing_is_told():
    cluster = load_cluster(SNIPPETS / "collections/elsewhere/superpod/cluster.yml")
    with pytest.raises(BadInput, match="one_gpu.sh: this script is missing"):
        text_of(cluster.key, {cluster.key: cluster})
