"""The job scripts that the operators' own guides print: what is kept of each, and the verdicts of the page's engine.

A file of YAML for each repository in `snippets/published/guides/`. Of the operators' texts nothing is kept but what
names and proves them: repository, commit, path, lines, the sha256 of the text; and the directives' options, with a
plain value for each placeholder such as `<project>`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.models import Strict, load_model
from scripts.published.extract import Drawn
from scripts.published.record import FOLDER, Verdict

GUIDES = FOLDER / "guides"
WHY = {
    "part": "is a pattern to fill in, or leaves out what its page says in words",
    "mistaken": "the scheduler never took it as written",
    "stale": "asks for what the system no longer has, or has changed",
    "other": "is for another system of the operator than its page names",
    "unclear": "the operator's own texts contradict each other",
}


def names_account(option: str) -> bool:
    return any(word.startswith(("--acc", "-A")) for word in option.split())


class Script(Strict):
    """One script, and the verdict for each system that it is, or may be, for."""

    path: str
    lines: tuple[int, int] | None = None  # first and last, from 1; left out: the whole file
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    shell: str = "#!/bin/bash"
    options: Annotated[list[str], Field(min_length=1)]
    verdicts: Annotated[dict[str, Verdict], Field(min_length=1)]
    why: Literal["part", "mistaken", "stale", "other", "unclear"] | None = None
    because: str | None = Field(None, description="What is refused, and since when, in words")

    @property
    def verdict(self) -> Verdict:
        """Accepted where one of its systems takes it."""
        return next(each for each in ("accepted", "not judged", "refused") if each in self.verdicts.values())

    @model_validator(mode="after")
    def _a_refusal_has_its_reason(self):
        if (self.verdict == "refused") != bool(self.why and self.because):
            raise ValueError("a script that all its systems refuse, and no other, says `why:` and `because:`")
        return self

    def text(self, cluster: Cluster) -> str:
        """A job script with these options, and with an account where the guide leaves that to its reader."""
        kind, sample = cluster.scheduler.kind, cluster.policy.sample_account
        options = self.options
        if sample and kind == "slurm" and not any(names_account(option) for option in options):
            options = [*options, f"--account={sample}"]
        return Drawn(self.shell, tuple(options), ("./program",)).script(kind)


class Guide(Strict):
    """The scripts of one repository of an operator, at one commit."""

    operator: str
    repository: Annotated[str, Field(pattern="^[^/ ]+/[^/ ]+$")]  # on GitHub
    commit: Annotated[str, Field(pattern="^[0-9a-f]{40}$")]
    dated: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]  # of the commit
    scripts: list[Script]


@cache
def load_guides() -> dict[Path, Guide]:
    """Every record, by its file. Raises BadInput with each fault of a file."""
    see = "See scripts/published/guides.py."
    return {path: load_model(path, Guide, see)[0] for path in sorted(GUIDES.glob("*.yml"))}


def judged(clusters: dict[str, Cluster], scripts: Iterable[Script]) -> dict[tuple[str, str], dict]:
    """(sha256, cluster) -> what the engine says today: its `verdict` and `findings`."""
    named = [(script, key) for script in scripts for key in script.verdicts]
    asked = [[key, script.text(clusters[key]), script.sha256] for script, key in named]
    answers = ask("found", [clusters[key] for _, key in named], asked)
    return {(answer["file"], key): answer for (_, key), answer in zip(named, answers, strict=True)}


def share() -> dict[str, Counter[str]]:
    """operator -> how many of its scripts are `accepted`, `not judged`, or refused, by the reason."""
    found: dict[str, Counter[str]] = {}
    for guide in load_guides().values():
        for script in guide.scripts:
            found.setdefault(guide.operator, Counter())[script.why or script.verdict] += 1
    return found
