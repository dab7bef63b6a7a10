"""The form of Python and Markdown, and the spelling of pages; tests/engine/test_javascript.py has the others."""

import subprocess
import sys

import pytest

from scripts.git import listed
from tests.snippets.sandbox import ROOT

DATA = ["snippets/glossary.yml", "snippets/changes.yml", "snippets/*/cluster.yml", "scripts/facts/limits.yml"]
FILES = {"mdformat": ["*.md"], "codespell_lib": ["*.md", *DATA]}  # what each tool is given; the others find theirs


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--check", "--no-cache", "."],
        ["mdformat", "--check"],
        ["codespell_lib"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_tool_finds_nothing(command):
    files = listed(*FILES[command[0]]) if command[0] in FILES else []
    done = subprocess.run([sys.executable, "-m", *command, *files], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
