"""The records of published job scripts: their form, and the shares of their verdicts.

A file of YAML for each repository, a script a line: users' scripts in `snippets/published/`, those of the operators'
guides in `guides/` below it. Of a text nothing is kept but what names and proves it (repository, commit, path, lines,
sha256) and what it asks for: the first line, the directives' options and, of users' scripts, the first words of each
command. A script that is refused says why.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scripts.facts import Cluster
from scripts.facts.schedulers import WORDS
from scripts.models import Strict, load_model
from scripts.paths import SNIPPETS

FOLDER = SNIPPETS / "published"
SEE = "See scripts/published/record.py."
Verdict = Literal["accepted", "refused", "not judged"]
WHY = {
    "incomplete": "The script is a template, or omits something that its page explains in the text",
    "outdated": "The script requests something that the system no longer has or that has changed",
    "private": "The script names a partition of one group, which is not in the public documentation",
    "wrong": "The scheduler never accepted the script as written",
    "other": "The script is for a system other than the one that its page names",
    "unclear": "The operator's own texts contradict each other, or do not cover this case",
    "ours": "This guide has an error that is not fixed yet",
}


@dataclass(frozen=True)
class Drawn:
    """`shell` is the first line; `options` has a directive's options each, without its prefix; `commands` the body."""

    shell: str
    options: tuple[str, ...]
    commands: tuple[str, ...]

    def script(self, kind: str) -> str:
        """A job script of this scheduler that asks for the same."""
        directives = [f"{WORDS[kind].prefix} {option}" for option in self.options]
        return "\n".join([self.shell, *directives, *self.commands]) + "\n"


class Published(Strict):
    """What is kept of any script."""

    path: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    shell: str = "#!/bin/bash"
    options: list[str]
    why: Literal[tuple(WHY)] | None = None  # type: ignore[valid-type]
    because: str | None = Field(None, description="What is refused, and since when, in words")

    @model_validator(mode="after")
    def _a_refusal_has_its_reason(self):
        if (self.verdict == "refused") != bool(self.why and self.because):
            raise ValueError("a script that is refused, and no other, says `why:` and `because:`")
        return self


class Used(Published):
    """A user's script, and what its cluster's twin says of it."""

    cluster: str
    known_by: Annotated[str, Field(description="What of the script says which system it is for")]
    commands: list[str]
    verdict: Verdict

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.shell, tuple(self.options), tuple(self.commands))


class Printed(Published):
    """A script of an operator's guide, and what the engine says of it for each system that it is, or may be, for."""

    lines: tuple[int, int] | None = None  # first and last, from 1; left out: the whole file
    verdicts: Annotated[dict[str, Verdict], Field(min_length=1)]

    @property
    def verdict(self) -> Verdict:
        """Accepted where one of its systems takes it."""
        return next(each for each in ("accepted", "not judged", "refused") if each in self.verdicts.values())

    def drawn(self, cluster: Cluster) -> Drawn:
        """With an account where the guide leaves that to its reader."""
        sample, options = cluster.policy.sample_account, self.options
        named = any(word.startswith(("--acc", "-A")) for option in options for word in option.split())
        if sample and cluster.scheduler.kind == "slurm" and not named:
            options = [*options, f"--account={sample}"]
        return Drawn(self.shell, tuple(options), ("./program",))


class Place(Strict):
    """Users' scripts in one repository, at one commit."""

    repository: Annotated[str, Field(pattern="^[^/ ]+/[^/ ]+$")]  # on GitHub
    commit: Annotated[str, Field(pattern="^[0-9a-f]{40}$")]
    scripts: list[Used]


class Guide(Place):
    """The scripts of one repository of an operator."""

    operator: str
    dated: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]  # of the commit
    scripts: list[Printed]


@cache
def load_published() -> dict[Path, Place]:
    """Every record of users' scripts, by its file. Raises BadInput with each fault of a file."""
    return {path: load_model(path, Place, SEE)[0] for path in sorted(FOLDER.glob("*.yml"))}


@cache
def load_guides() -> dict[Path, Guide]:
    """Every record of the operators' guides, by its file. Raises BadInput with each fault of a file."""
    return {path: load_model(path, Guide, SEE)[0] for path in sorted(FOLDER.glob("guides/*.yml"))}


def share() -> dict[str, Counter[str]]:
    """cluster -> how many of users' scripts are `accepted`, `not judged`, or refused, by the reason."""
    return _counted((script.cluster, script) for place in load_published().values() for script in place.scripts)


def share_of_guides() -> dict[str, Counter[str]]:
    """The same by operator, of the guides' scripts."""
    return _counted((guide.operator, script) for guide in load_guides().values() for script in guide.scripts)


def _counted(scripts: Iterable[tuple[str, Published]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for whose, script in scripts:
        found.setdefault(whose, Counter())[script.why or script.verdict] += 1
    return found
