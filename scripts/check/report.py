"""A finding about a job script, of whatever kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """One finding. `kind` is refused, ignored, unwise, shell, or unjudged; `line` counts from 1."""

    file: str
    line: int
    kind: str
    what: str
    cure: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.what} {self.cure}".rstrip()
