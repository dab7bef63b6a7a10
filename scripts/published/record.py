"""The record of users' published job scripts: its form, and its share of verdicts."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scripts.models import Strict, load_model
from scripts.paths import SNIPPETS
from scripts.published.extract import Drawn

FOLDER = SNIPPETS / "published"
Verdict = Literal["accepted", "refused", "not judged"]
WHY = {
    "stale": "asks for what the system no longer has, or has changed",
    "closed": "names a partition of one group, which no page for all users knows",
    "mistaken": "the scheduler never took it as written",
    "unclear": "the operator's own texts contradict each other, or say nothing of it",
    "ours": "a fault of this guide, not mended yet",
}


class Used(Strict):
    """One script, what is drawn out of it, and what its cluster's twin says of that."""

    cluster: str
    known_by: Annotated[str, Field(description="What of the script says which system it is for")]
    path: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    shell: str
    options: list[str]
    commands: list[str]
    verdict: Verdict
    why: Literal["stale", "closed", "mistaken", "unclear", "ours"] | None = None
    because: str | None = Field(None, description="What is refused, and since when, in words")

    @model_validator(mode="after")
    def _a_refusal_has_its_reason(self):
        if (self.verdict == "refused") != bool(self.why and self.because):
            raise ValueError("a script that is refused, and no other, says `why:` and `because:`")
        return self

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.shell, tuple(self.options), tuple(self.commands))


class Place(Strict):
    """The scripts of one repository, at one commit."""

    repository: Annotated[str, Field(pattern="^[^/ ]+/[^/ ]+$")]  # on GitHub
    commit: Annotated[str, Field(pattern="^[0-9a-f]{40}$")]
    scripts: list[Used]


@cache
def load_published() -> dict[Path, Place]:
    """Every record, by its file. Raises BadInput with each fault of a file."""
    see = "See scripts/published/record.py."
    return {path: load_model(path, Place, see)[0] for path in sorted(FOLDER.glob("*.yml"))}


def share() -> dict[str, Counter[str]]:
    """cluster -> how many of its scripts are `accepted`, `not judged`, or refused, by the reason."""
    found: dict[str, Counter[str]] = {}
    for place in load_published().values():
        for script in place.scripts:
            found.setdefault(script.cluster, Counter())[script.why or script.verdict] += 1
    return found
