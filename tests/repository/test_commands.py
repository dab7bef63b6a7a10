"""The commands people type: make lists its targets, a second run installs nothing, every tool explains itself."""

import os
import re
import shutil
import venv
from pathlib import Path

import pytest
import yaml

from tests.run import program, run
from tests.snippets.sandbox import ROOT

# requirements*.txt -> the short file that it follows from
LOCKS = {path.name: path.stem.partition("-")[2] or "test" for path in sorted(ROOT.glob("requirements*.txt"))}
OWN = {"requirements-cuda12.txt", "requirements-reframe.txt"}  # environments of their own


def make(*arguments: str) -> str:
    return run("make", "--no-print-directory", *arguments, status=0).stdout


def test_make_lists_every_target_with_a_line():
    documented = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r"^make ([a-z-]+) +\S", make(), re.MULTILINE) == documented
    assert {"site", "serve", "test"} <= set(documented)


def test_a_newer_python_of_the_system_makes_the_environment_again(tmp_path):
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    venv.create(tmp_path / ".venv")  # it finds no pip, as with the version before
    (tmp_path / ".venv/site-installed").touch()
    assert "pip install" in make("--dry-run", "--directory", str(tmp_path), "site")


def test_what_is_printed_was_just_built():
    said = make("--dry-run", "pdf")
    assert 0 < said.find("scripts.build") < said.find("scripts.pdf")


def test_installing_is_done_once(tmp_path):
    """With both stamps newer than the requirements, neither command calls pip."""
    if not (ROOT / ".venv/test-installed").exists():
        pytest.skip("the tests were not started by `make test`, so there is no stamp to look at.")
    assert "pip install" not in make("--dry-run", "test") + make("--dry-run", "site")


def test_ci_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci/run").read_text(encoding="utf-8").strip().endswith(" test")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_and_one_file_serves_every_python(lock):
    """Each with its version and, at most, for which Python; all that the short files name is among them."""
    lines = [line for line in (ROOT / lock).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+( ; [^#]+)? +# via .+", line)] == []
    assert direct(LOCKS[lock]) <= {package.lower() for package in pinned(lock)}


def direct(source: str) -> set[str]:
    """`name==version` of each requirement a short file asks for itself or by `-r`."""
    lines = [
        line.split("#")[0].strip()
        for line in (ROOT / f"requirements/{source}.in").read_text(encoding="utf-8").splitlines()
    ]
    own = {re.sub(r"\[.*\]", "", line).lower() for line in lines if line and not line.startswith("-r")}
    return own.union(*(direct(line.split()[1].removesuffix(".in")) for line in lines if line.startswith("-r")))


def pinned(lock: str) -> set[str]:
    """`name==version` of each package of a file, for whichever Python or system."""
    return set(re.findall(r"(?m)^[\w.-]+==[\w.]+", (ROOT / lock).read_text(encoding="utf-8")))


def test_what_is_installed_elsewhere_agrees_with_what_is_tested():
    for lock in LOCKS.keys() - OWN:
        assert pinned(lock) <= pinned("requirements.txt"), lock


@pytest.mark.nightly
def test_the_requirements_hold_on_every_python():
    """Each file follows from requirements/, and PyPI alone has all of it for each Python that the README promises."""
    done = run("bash", "scripts/locks.sh", "--check")
    if done.returncode and "error sending request" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


def checkout_with(folder: Path, **programs: str) -> None:
    """A copy of what installing rests on, with these programs in place of its own."""
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    for path in (ROOT / "Makefile", *ROOT.glob("requirements*.txt")):
        shutil.copy(path, folder)
    programs["scripts/locks.sh"] = (ROOT / "scripts/locks.sh").read_text(encoding="utf-8")
    for path, text in programs.items():
        program(folder / path, text)


@pytest.mark.parametrize("new, check, status", [("", "--check", 0), ("x", "--check", 1), ("x", "", 0)])
def test_a_list_that_no_longer_follows_is_told_or_written(tmp_path, new, check, status):
    uv = f'[ $1 = --directory ] || exit 0; for lock; do :; done; (cat "$lock"; printf "{new}") > "$2/$lock"'
    checkout_with(tmp_path, **{".venv/bin/uv": uv})
    done = run("bash", "scripts/locks.sh", check, cwd=tmp_path, status=status)
    assert ("it does not follow" in done.stderr) == bool(status)
    assert (tmp_path / "requirements.txt").read_text(encoding="utf-8").endswith("x") == bool(new and not check)


def test_a_stamp_is_set_once_and_again_when_its_list_has_changed(tmp_path):
    pythons = [f".venv/{folder}bin/python" for folder in ("", "cuda12/", "reframe/")]
    checkout_with(tmp_path, **dict.fromkeys([*pythons, "bin/npm", "bin/nvidia-smi"], ""))

    def installed() -> int:
        path = f"{tmp_path}/bin:{os.environ['PATH']}"
        return run("make", ".venv/test-installed", cwd=tmp_path, env={"PATH": path}, status=0).stdout.count("(once")

    assert (installed(), installed()) == (5, 0)
    os.utime(tmp_path / "requirements-cuda12.txt", (2**32, 2**32))
    assert installed() == 2, "the compiler's, and all that rests on it"


def test_building_and_printing_and_a_gpus_machine_bring_no_torch():
    assert not [package for name in ("site", "pdf", "gpu") for package in direct(name) if package.startswith("torch")]
    assert "torch==" not in (ROOT / "requirements-gpu.txt").read_text(encoding="utf-8")


def test_the_citation_names_the_addresses_of_the_site():
    """CITATION.cff has what its format requires, and the addresses of
    mkdocs.yml: none before the guide is published.
    """
    citation, lines = (
        yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8")),
        (ROOT / "mkdocs.yml").read_text(encoding="utf-8"),
    )
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    for key, of_site in (("url", "site_url"), ("repository-code", "repo_url")):
        found = re.search(rf"^{of_site}: *(\S+)", lines, re.MULTILINE)
        assert citation.get(key) == (found and found[1]), (
            f"CITATION.cff: `{key}:` must be the `{of_site}:` of mkdocs.yml"
        )
