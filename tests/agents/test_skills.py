"""The skills: valid, their digests right, their links lead to files, and their judge answers as `guide check` does."""

import json
import posixpath
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from scripts.agents import skills
from scripts.engine.ask import ask
from scripts.facts.centres import load_centres
from scripts.paths import ROOT
from scripts.site.after import agents, api
from scripts.tables import home
from tests.clusters import CLUSTERS
from tests.in_process import call

NODE = ROOT / ".venv/bin/node"
BAD = "#!/bin/bash\n#SBATCH --account=project_2009999 --partition=gpumedium --gres=gpu:gh200:5 --time=5-0\nsrun ./a\n"
LINK = re.compile(r"\]\((?!https:)([^)#\s]+)\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    api.write(folder)
    agents.write(folder)
    return folder


def front(text: str) -> dict:
    return yaml.safe_load(text.split("---\n")[1])


def test_each_center_has_a_valid_skill(site):
    folders = sorted((site / "skills").iterdir())
    assert len(folders) == len(load_centres())
    for folder in folders:
        text = (folder / "SKILL.md").read_text(encoding="utf-8")
        keys = front(text)
        assert keys["name"] == folder.name and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", folder.name)
        assert len(folder.name) <= 64 and 30 < len(keys["description"]) <= 1024 and len(keys["compatibility"]) <= 500
        assert len(text) < 6000
        named = dict(re.findall(r"\) \(`(\w+)`\)(, retired)?", text))
        assert {path.stem for path in folder.glob("references/*.md")} == set(named)
        assert all(bool(gone) != CLUSTERS[key].running for key, gone in named.items())
        assert CLUSTERS[re.search(r"judge\.cjs (\w+) job\.sh", text)[1]].running, "the example can be submitted"


def test_the_lists_name_every_skill_with_its_digests(site):
    index = json.loads((site / skills.INDEX).read_text(encoding="utf-8"))
    market = json.loads((site / skills.MARKET).read_text(encoding="utf-8"))
    assert [each["name"] for each in index["skills"]] == [each["name"] for each in market["plugins"]]
    for each, plugin in zip(index["skills"], market["plugins"], strict=True):
        file = (site / skills.INDEX).parent / each["url"]
        keys = front(file.read_text(encoding="utf-8"))
        assert each["type"] == "skill-md" and each["digest"] == skills.digest(file.read_bytes())
        assert keys["description"] == each["description"] == plugin["description"]
        assert [site / folder for folder in plugin["skills"]] == [file.resolve().parent]
        there = {str(path.relative_to(file.resolve().parent)) for path in file.resolve().parent.rglob("*.*")}
        assert there == {listed["path"] for listed in each["files"]}
        for listed in each["files"]:
            assert listed["digest"] == skills.digest((file.parent / listed["path"]).read_bytes())


def test_links_lead_to_files(site):
    made, pages = agents.files(CLUSTERS), {f"clusters/{key}.md" for key in CLUSTERS}
    there = {str(path) for path in made} | pages | {"learn/choose-a-gpu.md", "clusters/compare.md"}
    there |= {f"{api.API}/{path.name}" for path in (site / api.API).iterdir()}
    assert all((ROOT / "docs" / page).is_file() for page in pages)
    for path, data in made.items():
        if path.suffix == ".md":
            links = [posixpath.normpath(path.parent / link) for link in LINK.findall(data.decode())]
            assert links and set(links) <= there, path


def test_with_an_address_links_are_whole():
    text = agents.files(CLUSTERS, "https://guide.example.org/")[Path("agents/roihu/INSTRUCTIONS.md")].decode()
    assert "(https://guide.example.org/clusters/roihu.md)" in text and "../" not in text


def test_a_center_without_a_running_system_has_no_skill():
    closed = CLUSTERS["aire"].status.model_copy(update={"state": "retired"})
    clusters = CLUSTERS | {"aire": CLUSTERS["aire"].model_copy(update={"status": closed})}
    assert not any("gpu-jobs-leeds" in str(path) for path in skills.files(clusters, ""))
    assert "leeds" not in home.agents(clusters) and "leeds" in home.agents(CLUSTERS)


def test_a_changed_fact_changes_the_skill():
    new = CLUSTERS["roihu"].model_copy(deep=True)
    object.__setattr__(new.login[0], "host", "login777.example.org")
    object.__setattr__(new.gpus["gh200"], "model", "NVIDIA 777")
    made = skills.files(CLUSTERS | {"roihu": new}, "")
    text = made[Path("skills/gpu-jobs-csc/SKILL.md")].decode()
    assert "login777.example.org" in text and "NVIDIA 777" in text
    assert "NVIDIA 777" in made[Path("skills/gpu-jobs-csc/references/roihu.md")].decode()


@pytest.fixture
def node() -> Path:
    if not NODE.exists():
        pytest.skip("Node.js is not installed: `make test` installs it.")
    return NODE


def judge(node: Path, folder: Path, command: str, **more) -> subprocess.CompletedProcess:
    words = command.replace("node", str(node), 1).split()
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env={}, **more)


def test_the_judge_answers_as_the_check_does(site, node, tmp_path):
    """The command is the one that SKILL.md shows."""
    folder = site / "skills/gpu-jobs-csc"
    (command,) = re.findall(r"^ *(node .*)$", (folder / "SKILL.md").read_text(encoding="utf-8"), re.MULTILINE)
    file = tmp_path / "bad.sh"
    file.write_text(BAD, encoding="utf-8")
    done = judge(node, folder, command.replace("lumi", "roihu").replace("job.sh", str(file)))
    (answer,) = json.loads(done.stdout)
    checked = call("scripts.check", "roihu", "--json", file, cwd=ROOT)
    ours = {(each["line"], each["kind"], each["rule"]) for each in json.loads(checked.stdout)}
    assert answer["verdict"] == "refused" and done.returncode == checked.returncode == 1
    assert {(each["line"], each["kind"], each["rule"]) for each in answer["findings"]} == {
        each for each in ours if each[2] not in ("by-engine", "no-twin")
    }


def test_the_judge_of_each_center_answers_as_the_engine_does(site, node):
    for key, cluster in {cluster.centre: (key, cluster) for key, cluster in CLUSTERS.items()}.values():
        folder = site / "skills" / f"gpu-jobs-{cluster.centre}"
        done = judge(node, folder, f"node scripts/judge.cjs {key} -", input=BAD)
        (ours,) = ask("judge", [cluster], [[key, BAD, "-"]])
        assert json.loads(done.stdout) == [ours]


def test_the_judge_ends_with_1_also_where_a_script_fails(site, node):
    text = (ROOT / "snippets/lumi/one_gpu.sh").read_text(encoding="utf-8") + "fi\n"
    (ours,) = ask("judge", [CLUSTERS["lumi"]], [["lumi", text, "-"]])
    assert {each["kind"] for each in ours["findings"]} & {"refused", "fails", "ignored"} == {"fails"}
    folder = site / f"skills/gpu-jobs-{CLUSTERS['lumi'].centre}"
    assert judge(node, folder, "node scripts/judge.cjs lumi -", input=text).returncode == 1


@pytest.mark.parametrize("words", ["", "nowhere job.sh", "roihu", "roihu no-such-file.sh"])
def test_the_judge_tells_what_it_needs(site, node, words):
    done = judge(node, site / "skills/gpu-jobs-csc", f"node scripts/judge.cjs {words}")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and "at " not in done.stderr


def test_a_skill_that_was_copied_alone_says_what_is_missing(site, node, tmp_path):
    (tmp_path / "judge.cjs").write_bytes(skills.JUDGE.read_bytes())
    assert "api/v1" in judge(node, tmp_path, "node judge.cjs roihu job.sh").stderr
    (tmp_path / "api").mkdir()
    (tmp_path / "api/engine.js").touch()
    assert judge(node, tmp_path, "node judge.cjs roihu job.sh").returncode == 2, "copied in part"
