"""Programs that the tests use but Python cannot install: skipped with a sentence, a failure under CI=true."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def need(program: str, package: str) -> str:
    """Return the path of a program (a name on the PATH, or an absolute path), which Debian's `package` brings."""
    found = program if program.startswith("/") and Path(program).exists() else shutil.which(program)
    if found:
        return found
    sentence = f"{package} is not installed: the checks that need it are left out."
    if os.environ.get("CI") == "true":
        pytest.fail(sentence + " Under CI=true they must run.", pytrace=False)
    pytest.skip(sentence)
