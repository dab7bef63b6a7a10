"""What a center's CI gets: jobs that Slurm accepts, a safe workflow, a token on no command line, and reports."""

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from scripts.export.ci import notes
from scripts.paths import ROOT, write_whole
from tests.export.exported import RUNNING, files, verdict
from tests.needs import need
from tests.repository.test_workflows import WORKFLOWS, actionlint, zizmor
from tests.run import program, run
from tests.twin import kept

WITH_RUNNER = [key for key in RUNNING if "runner.sh" in files(key, "ci")]


def options(key: str) -> list[list[str]]:
    """Of each job: the runner's, those that Jacamar submits, and CSCS's."""
    texts = files(key, "ci")
    gitlab, cscs = (yaml.safe_load(texts[name]) for name in (".gitlab-ci.yml", "cscs-ci.yml"))
    jacamar = [gitlab[job]["variables"]["SCHEDULER_PARAMETERS"].split() for job in ("one_gpu", "validate")]
    names = {"SLURM_JOB_NUM_NODES": "nodes", "SLURM_TIMELIMIT": "time", "SLURM_MEM_PER_NODE": "mem"}
    words = cscs["one_gpu"]["variables"].items()
    by_variables = [f"--{names.get(n, n.removeprefix('SLURM_').lower().replace('_', '-'))}={v}" for n, v in words]
    runner = re.findall(r"#SBATCH (.+)", texts.get("runner.sh", ""))
    return [*jacamar, by_variables, *([runner] if runner else [])]


@pytest.mark.parametrize("key", RUNNING)
def test_slurm_accepts_each_job(key):
    for asked in options(key):
        assert any("gpu" in word or "gres" in word for word in asked) and verdict(RUNNING[key], *asked) == "accepted"
    assert options(key)[0] == options(key)[2]  # Jacamar's and CSCS's first job are the same
    reached = RUNNING[key].policy.internet_on_compute_nodes
    assert (key in WITH_RUNNER) == (reached is not False)
    assert [" know " in each for each in notes(RUNNING[key])] == {True: [], False: [False], None: [True]}[reached]
    called = re.findall(r"snippets/\S+\.sh", files(key, "ci")["ci.sh"])
    assert len(called) == 2 and all((ROOT / path).is_file() for path in called)


@pytest.mark.nightly
@pytest.mark.parametrize("key", RUNNING)
def test_the_twin_accepts_each_job(key, tmp_path):
    for asked in options(key):
        lines = ["#!/bin/bash", *(f"#SBATCH {word}" for word in asked), "srun true\n"]
        (tmp_path / "job.sh").write_text("\n".join(lines), encoding="utf-8")
        done = kept.twin(RUNNING[key]).judge(tmp_path / "job.sh")
        assert done.returncode == 0, done.stderr


@pytest.fixture
def written(tmp_path) -> Path:
    for key in WITH_RUNNER:
        name = f".github/workflows/gpu-{key}.yml"
        write_whole(tmp_path / name, files(key, "ci")[name])
    return tmp_path / ".github/workflows"


def test_the_workflows_are_well_formed_and_safe(written):
    """actionlint and zizmor find nothing, and the actions are those that this repository has pinned."""
    found = actionlint(*sorted(written.iterdir()))
    assert [each for each in found if each["kind"] != "runner-label"] == []
    assert {each["message"].split()[1] for each in found} == {f'"{key}"' for key in WITH_RUNNER}
    zizmor(written)
    ours = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    for path in written.iterdir():
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert list(workflow[True]) == ["workflow_dispatch"] and workflow["permissions"] == {}
        assert workflow["jobs"]["gpu"]["if"] == "github.ref == 'refs/heads/main'"
        assert all(pin in ours for pin in re.findall(r"actions/[\w-]+@\S+ # \S+", path.read_text(encoding="utf-8")))


def bash(script: str, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "it.sh").write_text(script, encoding="utf-8")
    given = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), **environment}
    words = ("bash", folder / "it.sh", *words)
    return subprocess.run(words, cwd=folder, env=given, capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("mode, status", [(0o600, 0), (0o644, 1)])
def test_the_token_is_on_no_command_line_and_the_runner_leaves_nothing(mode, status, tmp_path):
    """With a runner in the place of GitHub's, which says what it was given."""
    runner, token = tmp_path / "actions-runner", tmp_path / ".config/gpu-guide-token"
    for folder in (runner, token.parent):
        folder.mkdir()
    token.write_text("SECRET\n", encoding="utf-8")
    token.chmod(mode)
    for name in ("config.sh", "run.sh"):
        program(runner / name, 'echo "$0 $*" $ACTIONS_RUNNER_INPUT_TOKEN\ntouch left')
    before = set(tmp_path.iterdir())
    done = bash(files("kestrel", "ci")["runner.sh"], tmp_path, SLURM_JOB_ID="7")
    assert done.returncode == status and set(tmp_path.iterdir()) - before == {tmp_path / "it.sh"}
    assert not (runner / "left").exists()
    if status == 0:
        configured, ran = done.stdout.splitlines()
        assert "--ephemeral" in configured and "--name kestrel-7 --labels kestrel SECRET" in configured
        assert configured.count("SECRET") == 1 and "SECRET" not in ran  # from the environment, and only for config.sh
    else:
        assert "chmod 600" in done.stderr and not done.stdout


@pytest.mark.parametrize("status", [0, 3])
def test_the_first_test_leaves_junit(status, tmp_path):
    for folder in ("snippets/programs", "snippets/kestrel"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "snippets/kestrel/one_gpu.sh").write_text(f"pwd > where; exit {status}\n", encoding="utf-8")
    assert bash(files("kestrel", "ci")["ci.sh"], tmp_path, "one_gpu").returncode == status
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", str(int(status != 0)))
    assert (suite.find("testcase/failure") is not None) == (status != 0)
    assert (tmp_path / "snippets/programs/where").read_text(encoding="utf-8") == f"{tmp_path}/snippets/programs\n"


@pytest.mark.parametrize("status", [0, 1])
def test_validate_leaves_pytests_junit_and_its_own_record_as_evidence(status, tmp_path):
    """Also where some cases were refused; never an older record. It is the very file that `guide measure` wrote."""
    for folder in ("snippets/measured", "snippets/kestrel"):
        (tmp_path / folder).mkdir(parents=True)
    old = tmp_path / "snippets/measured/a100.json"
    old.write_text("{}", encoding="utf-8")
    os.utime(old, (1, 1))
    record = json.dumps({"device": "h100-sxm5-80gb"})
    lines = [
        'sleep 0.05; echo "<testsuite/>" > "${PYTEST_ADDOPTS#--junitxml=}"',
        f"echo '{record}' > snippets/measured/h100-sxm5-80gb.json; exit {status}",
    ]
    (tmp_path / "snippets/kestrel/validate.sh").write_text("\n".join(lines), encoding="utf-8")
    done = bash(files("kestrel", "ci")["ci.sh"], tmp_path, "validate")
    assert done.returncode == status, done.stderr
    assert (tmp_path / "evidence.json").read_text(encoding="utf-8") == f"{record}\n"
    assert (tmp_path / "junit.xml").exists() and os.readlink(tmp_path / "packages") == f"{tmp_path}/gpu-guide-packages"


def test_shellcheck_finds_nothing(tmp_path):
    need("shellcheck", "shellcheck")
    for name in ("runner.sh", "ci.sh"):
        (tmp_path / name).write_text(files("kestrel", "ci")[name], encoding="utf-8")
    run("shellcheck", *tmp_path.iterdir(), status=0)
