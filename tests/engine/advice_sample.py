"""The samples of each advice: scripts that earn it, and near ones that do not."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from scripts.check.report import KINDS
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.models import Strict, load_model

FOLDER = Path(__file__).with_name("advice_samples")


class Sample(Strict):
    """A script: its first line, one directive with all options, and the body below."""

    cluster: str
    options: str = ""
    body: str = "srun ./program"
    first: str = "#!/bin/bash -l"
    version: str | None = Field(None, description="Of the scheduler, instead of the one in the facts")
    every_module: list[str] = Field([], description="Every module of the system, as facts of it could list them")
    line: int = Field(
        3, description="Where the advice stands; the options are on line 2, and the body starts on line 3"
    )
    says: str = Field("", description="A part of its sentences, such as their numbers")
    kind: Annotated[str, Field(pattern=f"^({'|'.join(KINDS)})$")] = "unwise"

    def script(self, cluster: Cluster) -> str:
        return f"{self.first}\n{cluster.scheduler.words.prefix} {self.options}\n{self.body.strip()}\n"


class Samples(Strict):
    """`usual:` beside `bad` and `good` has what its samples do not say themselves."""

    bad: Annotated[list[Sample], Field(min_length=1)]
    good: Annotated[list[Sample], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _fills_in_the_usual(cls, given: dict) -> dict:
        usual = given.pop("usual", {})
        return {quality: [usual | each for each in listed] for quality, listed in given.items()}


class File(Strict):
    rules: dict[str, Samples]


def samples() -> dict[str, Samples]:
    """By rule, of every file. Raises BadInput for every fault of a file, and for a rule in two files."""
    see = f"See {Path(__file__).name}."
    found: dict[str, Samples] = {}
    for path in sorted(FOLDER.glob("*.yml")):
        rules = load_model(path, File, see)[0].rules
        if twice := sorted(found.keys() & rules):
            raise BadInput(f"{path.name}: another file has samples of {', '.join(twice)}, too. Keep them in one file.")
        found |= rules
    return found
