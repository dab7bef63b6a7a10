"""What git knows of this checkout."""

import os
import subprocess

from scripts.paths import FACTS, ROOT


def git(*words: str) -> str:
    """What `git words` prints; empty where it fails, or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def listed(*patterns: str) -> list[str]:
    """The files that git tracks or would add, without those that are deleted and not committed."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns).split("\0")
    return [name for name in names if name and (ROOT / name).exists()]


def commit_time() -> str:
    """When the commit of the facts was made, in seconds since 1970: MkDocs writes it as the build's date, so two builds
    of one commit are the same.
    """
    seconds = git("-C", str(FACTS), "log", "-1", "--format=%ct")
    return os.environ.get("SOURCE_DATE_EPOCH") or seconds or "0"  # 0: without its history
