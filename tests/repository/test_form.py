"""The form of Python and Markdown, and the spelling of pages; tests/engine/test_javascript.py has the others."""

import sys

import pytest

from scripts.git import listed
from tests.run import run

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
    run(sys.executable, "-m", *command, *files, status=0)
