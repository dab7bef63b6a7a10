"""The commands people type: make lists its targets, a second run installs nothing, every tool explains itself."""

import re
import subprocess
import sys

import pytest

from tests.snippets.sandbox import ROOT

TOOLS = sorted(path.stem for path in (ROOT / "scripts").glob("*.py") if 'if __name__ == "__main__"' in path.read_text())


def make(*arguments: str) -> str:
    return subprocess.run(["make", "--no-print-directory", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_make_lists_every_target_with_a_line():
    documented = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert re.findall(r"^make ([a-z]+) +\S", make(), re.MULTILINE) == documented
    assert {"site", "serve", "test"} <= set(documented)


def test_installing_is_done_once(tmp_path):
    """With both stamps newer than the requirements, neither command calls pip."""
    if not (ROOT / ".venv/test-installed").exists():
        pytest.skip("the tests were not started by `make test`, so there is no stamp to look at.")
    assert "pip install" not in make("--dry-run", "test") + make("--dry-run", "site")


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_explains_itself(tool):
    shown = subprocess.run([sys.executable, "-m", f"scripts.{tool}", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert shown.returncode == 0 and f"python -m scripts.{tool}" in shown.stdout


def test_ci_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text()
    assert (ROOT / ".ci/run").read_text().strip().endswith(" test")


def test_every_requirement_is_pinned():
    for name in ("requirements.txt", "requirements-gpu.txt", "requirements-pdf.txt", "requirements-site.txt"):
        for line in (ROOT / name).read_text().splitlines():
            assert not line or line.startswith(("#", "-r ")) or re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.]+", line), f"{name}: {line}"


def test_building_and_printing_need_no_torch():
    assert "torch" not in re.sub("#.*", "", (ROOT / "requirements-site.txt").read_text() + (ROOT / "requirements-pdf.txt").read_text())
