"""Hashes of files, by which a change shows."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from scripts.paths import shown


def digest(files: Iterable[Path]) -> str:
    """One hash of these files' names and contents; a missing file counts as empty."""
    whole = hashlib.sha256()
    for path in files:
        data = path.read_bytes() if path.exists() else b""
        whole.update(f"{shown(path)} {len(data)}\n".encode() + data)
    return whole.hexdigest()


def digest_of(path: Path) -> str:
    """The hash of one file's bytes, as `sha256sum` prints it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
