"""The form of the rules in this folder's YAML files, and what each may look at."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from scripts.errors import BadInput, refuse
from scripts.models import Strict, load_model
from scripts.paths import shown

FOLDER = Path(__file__).parent
# Where a rule's pattern is searched. A function (functions.py) sees the whole script.
Where = Literal["first line", "file", "directive", "option", "comment", "late comment", "command", "last command"]


def _portable(pattern: str) -> str:
    """A pattern that means the same to Python and to JavaScript."""
    if strange := re.search(r"(?<!\\)\(\?(?![:=!])|\\[AZzpPhGKRXU]|[*+?}]\+|\[\[:", pattern):
        raise ValueError(f"`{strange[0]}` is not a sign that Python and JavaScript read alike; write it without")
    try:
        re.compile(pattern)
    except re.error as fault:
        raise ValueError(f"this is no regular expression, {fault}; mend it") from None
    return pattern


Regex = Annotated[str, AfterValidator(_portable)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]


class Samples(Strict):
    """Scripts, or parts of one: a sample that does not begin with `#!` stands below `#!/bin/bash`, unless the rule
    looks at the first line or the file. Of each bad one the rule says something, of a good one nothing."""

    bad: list[str] = Field(min_length=2)
    good: list[str] = Field(min_length=1)


class Rule(Strict):
    """One thing that people get wrong.

    options: the canonical names whose values the pattern is searched in. pattern and unless: searched in the same text;
    `any_case`: capitals and small letters are the same. needs, without: options that the script must have, or not have
    any of. body, no_body: patterns that some command must match, or none may. words and cure: `{0}` is what the pattern
    matched, `{1}` its first group, `{option}` the option's name.
    """

    id: Name
    kind: Literal["refused", "ignored", "unwise", "doubtful"]
    schedulers: list[Literal["slurm", "grid_engine"]] = Field(min_length=1)
    where: Where | None = None
    options: list[str] = []
    pattern: Regex | None = None
    unless: Regex | None = None
    any_case: bool = False
    needs: list[str] = []
    without: list[str] = []
    body: Regex | None = None
    no_body: Regex | None = None
    function: str | None = None
    words: str
    cure: str
    samples: Samples

    @model_validator(mode="after")
    def _whole(self) -> Rule:
        if bool(self.function) == bool(self.where) or bool(self.where) != bool(self.pattern):
            raise ValueError("a rule has either `where` and `pattern`, or `function`")
        if (self.where == "option") != bool(self.options):
            raise ValueError("`options` belongs to `where: option`, and it to `options`")
        return self


class _File(Strict):
    rules: list[Rule]


@cache
def load_rules() -> tuple[Rule, ...]:
    """All rules, in the order of files and lines. Raises BadInput, with the line of each fault."""
    found: dict[str, Rule] = {}
    faults = []
    for path in sorted(FOLDER.glob("*.yml")):
        file, lines = load_model(path, _File, "See scripts/check/rules/model.py.")
        for number, rule in enumerate(file.rules):
            if rule.id in found:
                line = lines["rules", number]
                faults.append(BadInput(shown(path), line, f"there are two rules `{rule.id}`.", "Rename one."))
            found[rule.id] = rule
    refuse(faults)
    return tuple(found.values())
