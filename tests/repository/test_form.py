"""The form of Python and Markdown here; `make format` mends most. tests/engine/test_javascript.py has the others."""

import subprocess
import sys

import pytest

from tests.snippets.sandbox import ROOT


def pages() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    return listed.stdout.splitlines()


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "--no-cache", "."], ["ruff", "format", "--check", "--no-cache", "."], ["mdformat", "--check"]],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_tool_finds_nothing(command):
    files = pages() if command[0] == "mdformat" else []
    done = subprocess.run(
        [sys.executable, "-m", *command, *files], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
