"""What git knows of this checkout."""

from __future__ import annotations

import subprocess

from scripts.paths import ROOT


def git(*words: str) -> str:
    """What `git words` prints; empty where it fails, or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()
