"""A command in a process of its own, as people call it."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from scripts.paths import ROOT, write_whole


def run(
    *words: str | Path, cwd: Path = ROOT, env: dict | None = None, text: str | None = None, status: int | None = None
) -> subprocess.CompletedProcess[str]:
    """What it says, as UTF-8. env: besides this process's own; text: its standard input; status: how it must end."""
    given = os.environ | (env or {})
    done = subprocess.run(words, cwd=cwd, env=given, input=text, capture_output=True, encoding="utf-8")
    assert status in (None, done.returncode), done.stdout + done.stderr
    return done


def program(path: Path, text: str) -> Path:
    """An executable script of the shell, written there."""
    write_whole(path, f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


def until(true: Callable[[], bool], seconds: float = 60) -> bool:
    """Wait until this is true, or so long at most. Returns whether it is."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()
