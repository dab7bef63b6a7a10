"""Job scripts that their authors and the operators hold to be right, to be accused of nothing.

A file of YAML for each repository. Of others' texts nothing is kept but what names and proves them: repository, commit,
path, lines, the sha256 of the text; and what they ask for. Where a record of the operators' guides in
`snippets/published/guides/` has the text, its path, lines, first line and options stand there alone, and here the
commands behind the sha256.
"""

from functools import cache, reduce
from pathlib import Path
from typing import Literal

from pydantic import model_validator

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
    """Its path ends with the lines as GitHub writes them (`#L3-L20`), unless it is the whole file."""

    commands: list[str]
    verdict: Literal["accepted"] = "accepted"

    @property
    def drawn(self) -> Drawn:
        return Drawn(self.shell, tuple(self.options), tuple(self.commands))


class Repository(Place):
    operators: bool  # is it a guide or course of those who run the cluster?
    filled: dict[str, str] = {}  # a placeholder in the directives, and what was written for it before it was judged
    scripts: dict[str, dict[str, Script]]  # by their clusters, several where it is for any of an operator's; by sha256

    @model_validator(mode="before")
    @classmethod
    def _fills_scripts(cls, data: dict) -> dict:
        filled = sorted(data.get("filled", {}).items(), key=lambda pair: -len(pair[0]))
        scripts = {
            clusters: {sha256: {"sha256": sha256} | _whole(sha256, given, filled) for sha256, given in some.items()}
            for clusters, some in data["scripts"].items()
        }
        return data | {"scripts": scripts}


def _whole(sha256: str, given: dict | list[str], filled: list[tuple[str, str]]) -> dict:
    """Of a text that a record of the operators' guides has, the commands alone are given."""
    if isinstance(given, dict):
        return given
    of = printed().get(sha256)
    if of is None:
        raise ValueError("no guide has a script of this sha256; add `path:`, `shell:` and `options:`")
    path = of.path + ("#L{}-L{}".format(*of.lines) if of.lines else "")
    options = [reduce(lambda text, pair: text.replace(*pair), filled, option) for option in of.options]
    return {"path": path, "shell": of.shell, "options": options, "commands": given}


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
