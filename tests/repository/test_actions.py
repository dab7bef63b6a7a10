"""The action that judges job scripts, run as a workflow would."""

import subprocess

import pytest
import yaml

from scripts.paths import write_whole
from tests.run import run
from tests.snippets.sandbox import ROOT

ACTION = ROOT / ".github/actions/check-jobscripts"
FAULTY = (
    "#!/bin/bash\n#SBATCH --account=project_2009999 --partition=gpumedium --time=9-0\n#SBTACH --gres=gpu:gh200:1\n./a\n"
)


@pytest.fixture
def act(tmp_path):
    """act(cluster, files, documents): what the action's step does in a folder with two scripts."""
    (tmp_path / "jobs/deep").mkdir(parents=True)
    sound = (ROOT / "snippets/roihu/one_gpu.sh").read_text(encoding="utf-8")
    (tmp_path / "jobs/sound.sh").write_text(sound.replace("project_2001234", "project_2009999"), encoding="utf-8")
    (tmp_path / "jobs/deep/faulty.sh").write_text(FAULTY, encoding="utf-8")

    def step(cluster: str, files: str, documents: str = "") -> subprocess.CompletedProcess[str]:
        (action,) = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
        given = {"CLUSTER": cluster, "FILES": files, "DOCUMENTS": documents}
        assert given.keys() == action["env"].keys() and action["run"] == '"$GITHUB_ACTION_PATH/check.sh"'
        return run("bash", "-e", "-c", action["run"], cwd=tmp_path, env=given | {"GITHUB_ACTION_PATH": str(ACTION)})

    return step


def test_a_sound_script_passes(act):
    done = act("roihu", "jobs/*.sh")
    assert done.returncode == 0 and "no findings" in done.stdout and "::" not in done.stdout


def test_findings_stand_on_their_lines(act):
    done = act("roihu", "jobs/**/*.sh")
    notes = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert done.returncode == 1
    assert any(note.startswith("::warning file=jobs/deep/faulty.sh,line=3,title=ignored%3A prefix-") for note in notes)
    assert any(note.startswith("::error file=jobs/deep/faulty.sh,line=2,") for note in notes)


def test_documents_are_judged_instead(act, tmp_path):
    write_whole(tmp_path / "docs/a.md", f"# Jobs\n\n```\n{FAULTY}```\n")
    done = act("roihu mahti", "", "docs")
    assert done.returncode == 1 and "::error file=docs/a.md,line=5," in done.stdout


@pytest.mark.parametrize(
    "cluster, files, said",
    [
        ("puhti", " \n ", "::error::no file is named."),
        ("puhti; touch harmed", "jobs/sound.sh", "there is no cluster `puhti; touch harmed`."),
        ("-h", "jobs/sound.sh", "there is no cluster `-h`."),
        ("puhti", "$(touch harmed).sh", "::error::$(touch: there is no such file. Check the path."),
    ],
)
def test_bad_input_ends_with_a_sentence(act, tmp_path, cluster, files, said):
    done = act(cluster, files)
    assert done.returncode == 2 and said in done.stdout + done.stderr
    assert not (tmp_path / "harmed").exists()
