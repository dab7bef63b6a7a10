"""The tools as a package: built, installed beside others' modules, and run far from the repository."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.paths import ROOT, write_whole
from tests.run import run

FAULTY = """\
#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpusmall
#SBATCH --gres=gpu:v100:1
#SBATCH --time=99:00:00
 #SBATCH --mem=1G
python3 train.py
"""
BY_TWIN = {"by-engine", "no-twin"}  # the note that there is none names a folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, status=0)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Where pip has put it; its requirements are those of the Python that runs the tests."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-compile", "--target", target, wheel], check=True)
    return target


@pytest.fixture
def away(tmp_path) -> Path:
    """A user's folder with a job script, and with modules that have the names of ours."""
    for name in ("scripts", "yaml"):
        write_whole(tmp_path / f"own/{name}/__init__.py", "raise SystemExit('not ours')\n")
    (tmp_path / "own/job.sh").write_text(FAULTY, encoding="utf-8")
    return tmp_path / "own"


def guide(installed: Path, away: Path, *words: str) -> subprocess.CompletedProcess:
    variables = variables_of(away) | {"PYTHONPATH": str(installed)}
    return subprocess.run([installed / "bin/guide", *words], cwd=away, env=variables, capture_output=True, text=True)


def variables_of(away: Path) -> dict[str, str]:
    """No twin can start in a folder with so long a name."""
    return {"PATH": os.environ["PATH"], "HOME": str(away / "home"), "TMPDIR": str(away / ("x" * 100))}


def in_the_repository(away: Path, *words: str) -> str:
    """What the same command prints there."""
    variables = variables_of(away) | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-m", *words]
    return subprocess.run(command, cwd=away, env=variables, capture_output=True, text=True).stdout


def findings(text: str) -> list[dict]:
    return [each for each in json.loads(text) if each["rule"] not in BY_TWIN]


def test_the_wheel_has_one_name_for_all_and_nothing_of_our_site(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gpu_cluster_guide"}
    inner = {name.split("/")[1] for name in names if "dist-info" not in name}
    assert inner == {"docs", "mkdocs.yml", "scripts", "snippets"}
    rooms = {"/".join(name.split("/")[1:3]) for name in names}
    left_out = "docs/about scripts/bench scripts/pdf snippets/collections snippets/families snippets/evidence.json"
    assert rooms.isdisjoint(left_out.split())
    assert {f"gpu_cluster_guide/docs/{name}.md" for name in ("jobscript", "learn/glossary")} <= {*names}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".part")]
    ours = {f"{path.parent.name}/{path.name}" for path in (ROOT / "snippets").glob("*/cluster.yml")}
    assert len(ours) == 18 and {name[-len(own) :] for own in ours for name in names if name.endswith(f"/{own}")} == ours
    assert wheel.stat().st_size < 1_650_000


def test_it_judges_and_writes_as_the_repository_does(installed, away):
    done = guide(installed, away, "check", "roihu", "job.sh", "--json")
    found = findings(done.stdout)
    assert done.returncode == 1 and {each["kind"] for each in found} >= {"refused", "ignored"}, done.stderr
    assert found == findings(in_the_repository(away, "scripts.check", "roihu", "job.sh", "--json"))
    done = guide(installed, away, "write", "cluster=fir&gpus=2")  # a system whose scripts its family writes
    assert done.stdout == in_the_repository(away, "scripts.engine", "write", "cluster=fir", "gpus=2") != ""


def test_it_reads_facts_of_its_user_and_leaves_its_own_as_they_are(installed, away):
    ours = installed / "gpu_cluster_guide/snippets/swift/cluster.yml"
    before = ours.read_bytes()
    (away / "systems/gnu").mkdir(parents=True)
    text = ours.read_text(encoding="utf-8").replace("name: Swift", "name: Gnu")
    (away / "systems/gnu/cluster.yml").write_text(text, encoding="utf-8")
    assert "--partition=gpu\n" in guide(installed, away, "write", "cluster=gnu", "--facts", "systems").stdout
    shown = ["PartitionName=gpu AllowGroups=ALL MaxTime=1-00:00:00 Nodes=gpu-[01-10] State=UP", ""]
    (away / "shown.txt").write_text("\n".join(shown), encoding="utf-8")
    compare = ("shown.txt", "--date", "2026-11-27", "--write")
    done = guide(installed, away, "compare", "swift", *compare)
    assert "--write: the facts of the installed package cannot be changed." in done.stderr
    assert ours.read_bytes() == before and not ours.with_name("captures").exists()
    done = guide(installed, away, "compare", "gnu", *compare, "--facts=systems")
    assert "Wrote partitions.gpu.max_time: 1-00:00:00" in done.stdout, done.stderr
    assert (away / "systems/gnu/captures/2026-11-27.txt").is_file()


def test_it_lists_what_works_without_the_repository(installed, away):
    listed = guide(installed, away).stdout
    assert "guide check " in listed and "guide measure " not in listed
    assert "no command `measure`" in guide(installed, away, "measure").stderr
    assert not (away / "home").exists()
