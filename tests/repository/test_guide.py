"""`./guide`: the commands, from any folder, also out of a checkout that only another user may write to."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from scripts import cli
from scripts.engine import __main__ as engine
from scripts.errors import BadInput
from tests.needs import need
from tests.run import program, run
from tests.snippets.sandbox import ROOT
from tests.tiers import by_day

NOBODY = 65534
OTHER = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}  # root may write everywhere
# what only the Makefile or a twin runs
OF_MAKE = set("prose programs browser build evidence pdf tables".split())  # programs: asked by the twins' Python
PIECES = ("guide", "scripts", "snippets", "docs", "mkdocs.yml", *(path.name for path in ROOT.glob("requirements*.txt")))
GOOD = ROOT / "snippets/roihu/one_gpu.sh"


def copy_of_the_checkout(folder: Path) -> Path:
    """What the commands read, without what make has installed or built."""
    for name in PIECES:
        source, leave = ROOT / name, shutil.ignore_patterns("__pycache__")
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True, ignore=leave)
        else:
            folder.mkdir(exist_ok=True)
            shutil.copy2(source, folder / name)
    return folder


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if not path.is_dir()}


@dataclass(frozen=True)
class Place:
    """A checkout, and a user's own folders, all in one folder that everybody may enter."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def cache(self) -> Path:
        return self.home / ".cache/gpu-cluster-guide"

    @property
    def guide(self) -> Path:
        return self.folder / "checkout/guide"

    def options(self, **variables: str) -> dict:
        """How a process of that user starts: in a folder far from the checkout."""
        kept = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
        own = {"HOME": str(self.home), "TMPDIR": str(self.folder / "tmp")}
        return {"cwd": self.home, "env": kept | own | variables, "text": True, **OTHER}

    def run(
        self, *arguments: str | Path, guide: str | Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run([guide or self.guide, *arguments], capture_output=True, **self.options(**variables))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.guide, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **self.options()
        )


def test_other_packages_or_processors_need_another_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    needs = tmp_path / cli.REQUIREMENTS.name
    found = []
    for text in ("a==1\n", "a==2\n", "a==1\n"):
        needs.write_text(text, encoding="utf-8")
        found.append(cli.environment(needs).name)
    assert found[0] == found[2] != found[1]
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="other"))
    assert cli.environment(needs).name not in found


@pytest.mark.parametrize("stopping, status", [("true", 0), ("false", 1)])
def test_clean_tells_whether_the_schedulers_stopped(tmp_path, monkeypatch, stopping, status):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cli, "installed_by_make", lambda needs: shutil.which(stopping))
    assert cli.clean() == status and list(tmp_path.iterdir()) == []
    (tmp_path / "gpu-cluster-guide").symlink_to(tmp_path / "large")  # as to a larger disk
    assert cli.clean() == status and [path.name for path in tmp_path.iterdir()] == ["gpu-cluster-guide"]


def test_a_removed_directory_is_told_before_a_command_misreads_it(tmp_path):
    there = f"mkdir gone; cd gone; rmdir ../gone; exec {sys.executable} -I {ROOT}/scripts/cli.py check lumi x.sh"
    done = run("sh", "-c", there, cwd=tmp_path)
    assert done.returncode == 2 and "guide: this directory has been removed." in done.stderr


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    """One that nobody may write to."""
    with tempfile.TemporaryDirectory(prefix="guide-") as folder:  # pytest's own folder is closed to other users
        os.chmod(folder, 0o755)
        copy = copy_of_the_checkout(Path(folder, "checkout"))
        subprocess.run(["chmod", "-R", "a+rX,a-w", copy], check=True)
        yield copy
        subprocess.run(["chmod", "-R", "u+w", copy], check=True)


@pytest.fixture
def place(checkout) -> Iterator[Place]:
    folder = Path(tempfile.mkdtemp(prefix="guide-"))
    folder.chmod(0o755)
    (folder / "checkout").symlink_to(checkout)
    for name in ("home", "tmp"):
        (folder / name).mkdir(mode=0o700)
        if OTHER:
            os.chown(folder / name, NOBODY, NOBODY)
    yield Place(folder)
    shutil.rmtree(folder)


def test_it_lists_every_tool_with_a_line():
    listed, asked = (run(ROOT / "guide", *words, cwd=Path("/")) for words in ((), ("--help",)))
    assert (listed.returncode, listed.stderr, listed.stdout) == (0, "", asked.stdout)
    names = re.findall(r"^  guide (\w+) +[A-Z]\w+ .+$", listed.stdout, re.MULTILINE)
    tools = [*(ROOT / "scripts").glob("*.py"), *(ROOT / "scripts").glob("*/__main__.py")]
    runnable = {
        path.parent.name if path.stem == "__main__" else path.stem
        for path in tools
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    }
    of_engine = {name for name, command in cli.COMMANDS.items() if command.module == "scripts.engine"}
    assert of_engine == set(engine.COMMANDS)
    hidden, other = {"cli", "engine", "mcp_server", "documents"}, {"clean", "record", "mcp", "docs"}
    assert set(names) == runnable - OF_MAKE - hidden | other | of_engine


@pytest.mark.parametrize("name", by_day([*cli.COMMANDS, "clean"], {"check", "clean"}))
def test_the_door_leads_to_each(name, tmp_path):
    if not (ROOT / ".venv/test-installed").exists():
        pytest.skip("the tests were not started by `make test`, so not every command has what it needs.")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    shown = run(ROOT / "guide", name, "--help", cwd=tmp_path, env={"XDG_CACHE_HOME": str(tmp_path), "PATH": path})
    assert (shown.returncode, shown.stderr) == (0, "") and shown.stdout.startswith("usage: ")
    assert not list(tmp_path.glob("*/requirements-*"))


def test_an_unknown_command_is_one_sentence(place):
    said = place.run("chekc", "roihu", "my.sh")
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "guide: there is no command `chekc`. Did you mean `check`?\n"


def programs(folder: Path, **made: str) -> str:
    """A PATH that has what the launcher needs, and these scripts."""
    folder.mkdir()
    for name in ("readlink", "dirname"):
        (folder / name).symlink_to(shutil.which(name))
    for name, text in made.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    folder.chmod(0o755)
    return str(folder)


def test_without_a_python_that_is_new_enough(place):
    said = place.run("check", PATH=programs(place.folder / "bin", python3="exit 0"))  # an old one prints nothing
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert "no Python 3.11 or newer" in said.stderr and "python3-venv" in said.stderr


def a_python() -> str:
    """One that the other user may run."""
    ask = '-c "import sys; sys.version_info > (3, 11) and print(sys.executable)"'
    find = f"for name in python3 python3.13 python3.12 python3.11; do $name {ask} && break; done"
    return subprocess.run(
        ["sh", "-c", find], capture_output=True, encoding="utf-8", check=True, cwd="/", **OTHER
    ).stdout.strip()


def test_without_the_package_that_makes_environments(place):
    """Debian's Python has no ensurepip before python3-venv is installed."""
    without = 'import runpy, sys; sys.modules["ensurepip"] = None; del sys.argv[0]; '
    without += 'runpy.run_path(sys.argv[0], run_name="__main__")'
    fake = f"""[ "$3" = -c ] && echo "$0" && exit\nshift 2\nexec {a_python()} -I -S -c '{without}' "$@" """
    said = place.run("check", "roihu", "my.sh", PATH=programs(place.folder / "bin", python3=fake))
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert "has no ensurepip. On Debian: apt-get install python3-venv." in said.stderr
    assert files(place.home) == set()


@pytest.mark.nightly
def test_without_a_network(place):
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": ""}
    said = place.run("check", "roihu", "my.sh", **nowhere)
    told, sentence = said.stderr.splitlines()
    assert said.returncode == 2 and told.startswith("Setting up") and "the package index does not respond" in sentence
    assert [path.suffix for path in files(place.cache)] == [".lock"]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707, 0o500])
def test_a_cache_that_others_or_nobody_may_write_to_is_told(place, mode):
    kept = place.folder / "kept"
    kept.mkdir()
    (kept / "gpu-cluster-guide").mkdir() if mode != 0o500 else None
    for folder in (*kept.iterdir(), kept):
        if OTHER:
            os.chown(folder, NOBODY, NOBODY)
        folder.chmod(mode)
    said = place.run("check", "roihu", "my.sh", XDG_CACHE_HOME=str(kept))
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert "Set XDG_CACHE_HOME to a folder of your own." in said.stderr


@pytest.mark.parametrize(
    "said, told",
    [
        ("OSError: [Errno 28] No space left on device", "there is not enough space"),
        ("OSError: [Errno 122] Disk quota exceeded", "there is not enough space"),
        ("ERROR: No such package.\nNotice", "setting up failed: No such package."),
    ],
)
def test_a_step_of_setting_up_that_fails_says_what_to_do(said, told):
    with open(os.devnull, "wb") as lock, pytest.raises(BadInput, match=told):
        cli.attempt([sys.executable, "-c", f"raise SystemExit({said!r})"], lock.fileno())


def a_set_up_that_was_killed_leaves_nothing_that_looks_whole(place: Place) -> None:
    killed = place.start("facts")
    while killed.poll() is None and not list(place.cache.glob("requirements-check-*/bin")):
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert list(place.cache.glob("*/ready")) == []


def two_at_once_make_one(place: Place) -> None:
    started = [place.start("facts") for _ in range(2)]
    said = [(*process.communicate(), process.returncode) for process in started]
    if any("does not respond" in errors for _, errors, _ in said):
        sentence = "the package index cannot be reached: what `./guide` sets up is left out."
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    assert all(status == 0 and out.endswith("All facts files are well formed.\n") for out, _, status in said), said
    lines = [line for _, errors, _ in said for line in errors.splitlines() if not line.startswith("Waiting")]
    assert [line.startswith("Setting up") for line in lines] == [True]
    assert len(list(place.cache.glob("*/ready"))) == 1


def the_next_command_is_silent(place: Place) -> None:
    said = place.run("facts")
    assert (said.returncode, said.stderr) == (0, "")


def what_asking_needs_is_small(place: Place) -> None:
    assert sum(path.lstat().st_size for path in files(place.home)) < 40e6
    assert not list(place.cache.glob("*/lib/*/site-packages/torch*"))


def test_what_make_has_installed_is_used(tmp_path):
    mine = copy_of_the_checkout(tmp_path / "checkout")
    program(mine / ".venv/bin/python", f'exec {sys.executable} "$@"')
    (mine / ".venv/site-installed").touch()
    cache = tmp_path / "cache"
    said = run(mine / "guide", "facts", cwd=tmp_path, env={"XDG_CACHE_HOME": str(cache)})
    assert (said.returncode, said.stderr) == (0, "") and not list(cache.glob("*/requirements-*"))


def test_measuring_names_each_package_that_the_callers_python_lacks(tmp_path):
    venv.create(tmp_path)
    said = run(ROOT / "guide", "measure", env={"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}, status=2)
    assert "this Python has no torch, pydantic, yaml, quickjs. Load" in said.stderr


def measuring_takes_the_callers_python(place: Place) -> None:
    (environment,) = place.cache.glob("requirements-check-*/bin")
    assert place.run("measure", "--help").stdout.startswith("usage: guide measure")
    said = place.run("measure", PATH=f"{environment}:{os.environ['PATH']}")
    assert said.returncode == 2 and said.stderr.startswith(f"{environment}/python3: this Python has no torch. ")


def a_job_script_is_judged_from_a_far_folder_through_a_link(place: Place) -> None:
    mine = GOOD.read_text(encoding="utf-8").replace("project_2001234", "project_2009999")
    (place.home / "good.sh").write_text(mine, encoding="utf-8")
    (place.home / "bad.sh").write_text("#!/bin/bash\n# SBATCH --time=10\nhostname\n", encoding="utf-8")
    (place.home / "bin").mkdir()
    (place.home / "bin/guide").symlink_to(place.guide)
    path = f"{place.home}/bin:{os.environ['PATH']}"

    def check(*arguments: str) -> subprocess.CompletedProcess[str]:
        return place.run("guide", "check", "roihu", *arguments, guide="env", PATH=path)

    good, bad, none = check("good.sh"), check("--json", "bad.sh"), check("none.sh")
    assert good.returncode == 0 and good.stdout.startswith("Roihu: no findings."), good
    assert bad.returncode == 1 and ("bad.sh", 2, "ignored") in {
        (found["file"], found["line"], found["kind"]) for found in json.loads(bad.stdout)
    }
    assert none.returncode == 2 and none.stderr == "none.sh: there is no such file. Check the path.\n"


def clean_leaves_nothing(place: Place) -> None:
    assert "NODELIST" in place.run("twin", "roihu", "sinfo").stdout
    cleaned = place.run("clean")
    assert cleaned.returncode == 0 and re.search(rf"^Removed {place.cache}: [1-9]\d* MB\.$", cleaned.stdout, re.M)
    assert not place.cache.exists() and place.run("clean").stdout == "There was nothing to remove.\n"
    assert files(place.folder / "tmp") == set()
    assert [
        each.info["cmdline"]
        for each in psutil.process_iter(["cmdline"])
        if str(place.folder) in " ".join(each.info["cmdline"] or [])
    ] == []


def test_a_users_own_set_up_from_the_first_command_to_the_last(place):
    """One test, so that setting up is done once; and nothing is written into the checkout."""
    need("/usr/sbin/slurmctld", "slurmctld")
    need("sbatch", "slurm-client")
    before = files(place.folder / "checkout")
    a_set_up_that_was_killed_leaves_nothing_that_looks_whole(place)
    two_at_once_make_one(place)
    the_next_command_is_silent(place)
    what_asking_needs_is_small(place)
    measuring_takes_the_callers_python(place)
    a_job_script_is_judged_from_a_far_folder_through_a_link(place)
    clean_leaves_nothing(place)
    assert files(place.folder / "checkout") == before
