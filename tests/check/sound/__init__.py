"""Job scripts that their authors and the operators hold to be right, to be accused of nothing.

A file of YAML for each repository. Of others' texts nothing is kept but what names and proves them: repository, commit,
path, lines, the sha256 of the text; and what they ask for. Where a record of the operators' guides in
`snippets/published/guides/` has the text, its path, lines, first line and options stand there alone.
"""

from functools import cache, reduce
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scripts.check.report import Report
from scripts.facts import Cluster
from scripts.models import load_model
from scripts.published.record import Drawn, Place, Printed, Published, load_guides

RECORDS = Path(__file__).parent


@cache
def printed() -> dict[str, Printed]:
    """The scripts of operators' guides by their sha256."""
    return {script.sha256: script for guide in load_guides().values() for script in guide.scripts}


class Script(Published):
    clusters: Annotated[list[str], Field(min_length=1)]  # several where the text is for any of an operator's
    lines: tuple[int, int] | None = None  # first and last, from 1; left out: the whole file
    filled: dict[str, str] = {}  # a placeholder in its directives, and what was written for it before it was judged
    commands: list[str]
    verdict: Literal["accepted"] = "accepted"

    @model_validator(mode="before")
    @classmethod
    def _takes_the_rest_from_a_guide(cls, script: dict) -> dict:
        if "path" in script:
            return script
        of = printed().get(script["sha256"])
        if of is None:
            raise ValueError("no guide has a script of this sha256; add `path:`, `shell:` and `options:`")
        filled = script.get("filled", {}).items()
        options = [reduce(lambda text, pair: text.replace(*pair), filled, option) for option in of.options]
        return script | {"path": of.path, "lines": of.lines, "shell": of.shell, "options": options}

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.shell, tuple(self.options), tuple(self.commands))


class Repository(Place):
    operators: bool  # is it a guide or course of those who run the cluster?
    clusters: list[str] = []  # those of scripts that name none
    filled: dict[str, str] = {}  # that of scripts without one of their own
    scripts: list[Script]

    @model_validator(mode="before")
    @classmethod
    def _fills_scripts(cls, data: dict) -> dict:
        of_all = {field: data[field] for field in ("clusters", "filled") if field in data}
        return data | {"scripts": [of_all | script for script in data["scripts"]]}


@cache
def records() -> dict[Path, Repository]:
    """Every record, by its file. Raises BadInput with each fault of a file."""
    see = f"See {RECORDS.name}/{Path(__file__).name}."
    return {path: load_model(path, Repository, see)[0] for path in sorted(RECORDS.glob("*.yml"))}


# Of commands the records keep the first words alone, so they cannot show what a program is not told.
NEEDS_WHOLE_COMMANDS = {"program-threads-under", "program-option-missing", "tasks-for-one-process"}


def accusations(reports: list[Report], cluster: Cluster) -> list[Report]:
    """Those findings that say something against a script. That a retired system is switched off says nothing of it."""
    return [
        report
        for report in reports
        if report.kind in ("refused", "fails", "ignored", "unwise")
        and (cluster.running or report.rule != "switched-off")
        and report.rule not in NEEDS_WHOLE_COMMANDS
    ]
