"""The container: docker is not here, so its file is read by hadolint, and what it would hold is put together and run.

The workflow builds it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scripts.paths import ROOT
from scripts.twin.daemon import AS_TEXT
from tests.needs import packages
from tests.twin import kept

FILE = ROOT / "scripts/twin/container/Containerfile"
PLACE = "/opt/guide"
# What a class wants, what the guide itself needs, and Grid Engine without saying so.
BESIDES = {"less", "nano", "perl", "procps", "python3", "python3-venv"}


def instructions() -> list[tuple[str, str]]:
    """(`RUN`, what follows) of each instruction, in one line each."""
    text = re.sub(r"(?m)^\s*#.*\n", "", FILE.read_text(encoding="utf-8")).replace("\\\n", " ")
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line.strip()]


def of_kind(kind: str) -> list[str]:
    return [rest for each, rest in instructions() if each == kind]


def hadolint(file: Path) -> str:
    program = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([program, "--failure-threshold", "style", file], **AS_TEXT)
    assert (done.returncode == 0) == (done.stdout == ""), done.stderr
    return done.stdout


def test_hadolint_finds_nothing():
    assert hadolint(FILE) == ""


def test_it_installs_what_the_twins_need():
    """Debian's packages, by the names under which the workflow installs them on each of the systems."""
    [command] = [each for each in of_kind("RUN") if "apt-get install" in each]
    found = {word for word in shlex.split(command.partition("recommends")[2].partition("&&")[0])}
    needed = {package for of_kind in kept.PACKAGES.values() for package in of_kind}
    assert needed | {"lmod", "shellcheck"} | BESIDES == found and found - BESIDES <= packages().keys()


def test_what_it_copies_is_there_and_let_through():
    copied = [name for each in of_kind("COPY") for name in each.split()[:-1]]
    ignored = FILE.with_name("Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in ignored if line.startswith("!")} == set(copied)
    assert "*" in ignored and "**/__pycache__" in ignored
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_its_pytorch_is_that_of_the_tests():
    [command] = [each for each in of_kind("RUN") if "PYTORCH" in each]
    [pattern] = re.findall(r"grep -E '(\S+)' requirements.txt", command)
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split("==")[0] for line in lines if re.match(pattern, line)) == ["numpy", "torch"]


@pytest.fixture(scope="module")
def inside(tmp_path_factory) -> Path:
    """The container's /opt/guide, put together as its file says, with this Python in place of a new one."""
    folder = tmp_path_factory.mktemp("container") / "guide"
    folder.mkdir()
    leave = shutil.ignore_patterns("__pycache__")
    for each in of_kind("COPY"):
        *names, to = each.split()
        for name in names:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / to, ignore=leave, symlinks=True)
            else:
                shutil.copy2(source, folder / to / name)
    (folder / ".venv").mkdir()
    for name in ("bin", "lib"):
        (folder / ".venv" / name).symlink_to(Path(sys.prefix, name))
    shutil.copy2(Path(sys.prefix, "pyvenv.cfg"), folder / ".venv")
    (folder / ".venv/site-installed").touch()
    [links] = [each for each in of_kind("RUN") if "ln -s" in each]
    subprocess.run(["bash", "-euo", "pipefail", "-c", links], cwd=folder, check=True)
    return folder


def test_every_command_of_a_scheduler_leads_to_a_twin(inside):
    there = {path.name: path.resolve() for path in (inside / "commands").iterdir()}
    assert there.pop("guide") == inside / "guide"
    assert set(there.values()) == {inside / "scripts/twin/container/command.sh"}
    assert {"sbatch", "squeue", "sinfo", "scontrol", "srun", "salloc", "qsub", "qstat"} <= there.keys()
    assert all(os.access(path, os.X_OK) for path in there.values())


@pytest.mark.runs
@pytest.mark.nightly
def test_a_job_runs_there_to_its_end(inside, tmp_path):
    """Also one that itself asks the scheduler, which a job finds without the container's commands."""
    kept.need_scheduler("slurm")
    [entry] = yaml.safe_load(of_kind("ENTRYPOINT")[0])
    own = {"TMPDIR": str(kept.room()), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    own |= {"CLUSTER": "kestrel", "PATH": f"{inside}/commands:{os.environ['PATH']}"}

    def ask(*words: str) -> subprocess.CompletedProcess[str]:
        command = [entry.replace(PLACE, str(inside)), *words]
        return subprocess.run(command, cwd=tmp_path, env=os.environ | own, stdin=subprocess.DEVNULL, **AS_TEXT)

    options = ["--account=myproject", "--partition=debug", "--time=5", "--mem=1G", "--output=out"]
    wrapped = 'srun echo hello; squeue --noheader --jobs "$SLURM_JOB_ID"'
    done = ask("sbatch", "--wait", *options, f"--wrap={wrapped}")
    said = (tmp_path / "out").read_text(encoding="utf-8")
    assert done.returncode == 0 and said.startswith("hello\n") and " R " in said, done.stderr + said
    own["CLUSTER"] = "kestrell"
    assert "Did you mean `kestrel`?" in ask("sinfo").stderr
