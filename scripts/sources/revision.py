"""What tells one state of a source from another: a commit, a wiki's revision number, or a hash of the text.

Its form stands in scripts/facts/model.py: `git:0123abc`, `wiki:12345` or `sha256:0123abc…`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

GIT, WIKI, HASH = "git", "wiki", "sha256"


def parts(revision: str) -> tuple[str, str]:
    """(kind, value) of a revision of that form."""
    kind, _, value = revision.partition(":")
    return kind, value


def same(one: str, other: str) -> bool:
    """Do both name one state? A commit may be written short."""
    kind, value = parts(one)
    other_kind, other_value = parts(other)
    if kind != other_kind:
        return False
    return value == other_value or (kind == GIT and (value.startswith(other_value) or other_value.startswith(value)))


def digest(lines: Sequence[str]) -> str:
    """The revision of a page that has no other: a hash of its lines of text."""
    return f"{HASH}:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


def short(revision: str) -> str:
    kind, value = parts(revision)
    words = {GIT: "commit", WIKI: "revision", HASH: "text"}[kind]
    return f"{words} {value if kind == WIKI else value[:9]}"
