"""The form of all Python here: what ruff finds, and how it formats; `ruff check --fix` and `ruff format` mend most."""

import subprocess
import sys

import pytest

from tests.snippets.sandbox import ROOT


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_has_nothing_to_say(command):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", "."], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout
