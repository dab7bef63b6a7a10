"""Facts of any folder: what the tools do for systems that have facts alone, no page, script, evidence or center."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from scripts import cli
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.facts.load import load_cluster
from scripts.paths import ROOT, SNIPPETS, write_whole
from scripts.twin.grid_engine.cell import queue, whole_node
from tests.run import run

WRITTEN = """
import json
from scripts.engine.ask import ask
from scripts.engine.data.first_scripts import first_script
from scripts.facts import load_all

clusters = {key: cluster for key, cluster in load_all().items() if cluster.running}
wishes = [f"cluster={key}&gpu={gpu}" for key, cluster in clusters.items() for gpu in (*cluster.gpus, "none")]
forms = {wish: each for wish, each in zip(wishes, ask("write", clusters.values(), wishes))}
first = {f"cluster={key}&first={name}": {"script": first_script(cluster, name)}
         for key, cluster in clusters.items() for name in ("one_gpu", "many_cpus")}
for wish, each in {**forms, **first}.items():
    key = wish.split("&")[0].removeprefix("cluster=")
    if "script" in each:
        (each["judged"],) = ask("judge", [clusters[key]], [[key, each["script"]]])
print(json.dumps({**forms, **first}))
"""
TALK = """
import json
from scripts.mcp_server import facts, jobs
explained = jobs.explain("zebra", "Invalid account")
print(json.dumps([facts.systems(), facts.changed("2000-01-01"), jobs.where(1), explained]))
"""
ANT = """\
name: Ant
centre: somewhere
operator: University of Somewhere
docs: https://example.org/ant
status: {state: active}
scheduler: {kind: slurm}
node_types:
  thin: {cores: 64, memory: 256 GB}
gpus: {}
partitions:
  work: {node_types: [thin], max_time: 1-00:00:00}
policy:
  account: {rule: optional}
  time: {rule: optional}
  partition: {rule: required}
  gpu_model: {rule: optional}
sources:
  status: &page [{title: Ant, url: "https://example.org/ant", read: 2026-11-01}]
  scheduler: *page
  node_types: *page
  partitions: *page
  policy: *page
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Zebra: Swift's facts by another name. Gnu: ARC4's as if it ran, without limits. Ant: no GPUs."""
    folder = tmp_path_factory.mktemp("facts")
    texts = {
        "zebra": (SNIPPETS / "swift/cluster.yml").read_text(encoding="utf-8").replace("name: Swift", "name: Zebra"),
        "gnu": (SNIPPETS / "arc4/cluster.yml").read_text(encoding="utf-8").replace("retired", "active", 1),
        "ant": ANT,
    }
    texts["gnu"] = re.sub(r"(?m)^ +(status\.)?(ended|successor|default|max_time):.*\n", "", texts["gnu"]).replace(
        "ARC4", "Gnu", 1
    )
    for key, text in texts.items():
        write_whole(folder / key / "cluster.yml", re.sub(r"(?m)^centre: .*", "centre: far", text))
    return folder


def asked(folder: Path, code: str) -> object:
    """What this code prints, in a process of its own that has these facts."""
    return json.loads(run(sys.executable, "-c", code, env={"GPU_GUIDE_FACTS": str(folder)}, status=0).stdout)


def guide(*words: str | Path, cwd: Path = ROOT) -> tuple[int, str, str]:
    done = run(ROOT / "guide", *words, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def test_facts_alone_give_scripts_that_every_system_accepts(tmp_path):
    for file in SNIPPETS.glob("*/cluster.yml"):
        (tmp_path / file.parent.name).mkdir()
        shutil.copy(file, tmp_path / file.parent.name)
    found = asked(tmp_path, WRITTEN)
    refused = {wish: each["reason"] for wish, each in found.items() if "script" not in each}
    assert set(refused) == {"cluster=lumi&gpu=a40", "cluster=nibi&gpu=mi300a", "cluster=rivanna&gpu=v100"}, refused
    assert all("on it" in reason or "does not run" in reason for reason in refused.values())
    judged = {wish: each["judged"] for wish, each in found.items() if "script" in each}
    assert len(judged) > 3 * sum(cluster.running for cluster in load_all().values())
    for wish, each in judged.items():
        bad = [one for one in each["findings"] if one["kind"] in ("refused", "fails", "ignored")]
        assert (each["verdict"], bad) == ("accepted", []), wish


def test_the_option_names_the_folder_for_every_command(folder, tmp_path):
    shutil.copy(SNIPPETS / "swift/one_gpu.sh", tmp_path / "my.sh")
    option = ("--facts", os.path.relpath(folder, tmp_path))
    status, out, _ = guide("write", "cluster=zebra", *option, cwd=tmp_path)
    assert status == 0 and "#SBATCH --partition=gpu\n" in out and 'export PATH="$HOME/pytorch-gpu/bin' in out
    status, out, said = guide(*option, "move", "zebra", "ant", "my.sh", "--json", cwd=tmp_path)
    assert (status, json.loads(out)["impossible"]) == (1, ["Ant has no GPU to replace NVIDIA A100."]), said
    status, out, _ = guide(f"--facts={folder}", "facts")
    assert status == 0 and out.startswith("Clusters: 3, ")
    status, out, _ = guide(f"--facts={folder}", "bench", "tasks", "--kind=write")
    assert status == 0 and {json.loads(line)["system"] for line in out.splitlines()} == {"ant", "zebra"}
    gnu = load_cluster(folder / "gnu/cluster.yml")
    assert whole_node(gnu) == 40 and "h_rt INFINITY" in queue(gnu, "a.q", next(iter(gnu.partitions.values())), folder)
    status, _, said = guide("choices", "puhti", "--facts", folder)
    assert (status, said) == (2, "guide: there is no cluster `puhti`. Choose from ant, gnu, zebra.\n")


@pytest.mark.parametrize(
    "address, said",
    [
        ("cluster=gnu", "Gnu has Grid Engine, and the form writes scripts for Slurm only.\n"),
        ("cluster=ant&gpu=a100", "Ant has no GPU `a100`. It has none. The closest allowed value is gpu=none.\n"),
    ],
)
def test_what_cannot_be_written_is_said_in_a_sentence(folder, address, said):
    assert guide("write", address, "--facts", folder) == (1, "", said)


def test_a_broken_file_stops_only_who_needs_it(folder, tmp_path):
    facts = shutil.copytree(folder, tmp_path / "facts")
    text = (facts / "zebra/cluster.yml").read_text(encoding="utf-8")
    (facts / "zebra/cluster.yml").write_text(text.replace("name:", "nam:", 1), encoding="utf-8")
    invalid = "Invalid account or account/partition combination specified"
    for words in (("write", "cluster=ant"), ("explain", "ant", invalid)):
        status, out, said = guide(*words, "--facts", facts)
        assert status == 0 and out and not said, words
    for words in (("write", "cluster=zebra"), ("fit", "Llama 3.1 8B")):
        status, out, said = guide(*words, "--facts", facts)
        assert status and not out and said.startswith(f"{facts}/zebra/cluster.yml:2: `nam` is not a key"), words


def test_an_assistant_is_told_of_these_systems(folder):
    systems, changed, where, explained = asked(folder, TALK)
    assert [each["key"] for each in systems["systems"]] == ["ant", "gnu", "zebra"]
    assert {each["system"] for each in changed["changes"]} == {"gnu"}
    assert {each["system"] for each in where["can"]} == {"zebra"}
    assert {each["system"] for each in where["cannot"]} == {"ant"}
    assert explained["messages"] == []


def test_a_folder_without_facts_is_refused(tmp_path, monkeypatch):
    monkeypatch.delenv("GPU_GUIDE_FACTS", raising=False)
    for words in (["check", "--facts"], ["check", "--facts", f"{tmp_path}/none", "puhti"], ["--facts=", "check"]):
        with pytest.raises(BadInput, match="there is no folder"):
            cli.without_facts(words)
    status, _, said = guide("facts", "--facts", tmp_path)
    assert status == 1 and said.startswith(f"{tmp_path}: there is no <cluster>/cluster.yml here. Name")
    assert cli.without_facts(["twin", "puhti", "sinfo"]) == ["twin", "puhti", "sinfo"]
    assert "GPU_GUIDE_FACTS" not in os.environ
