"""A finding about a job script, of whatever kind."""

from dataclasses import dataclass

from scripts.errors import plain

# refused: the scheduler rejects it. fails: the job starts and cannot do its work. ignored: something in it has no
# effect, or another one. unwise: accepted as written, and not what a person would want. doubtful: one of these, if a
# fact that is not confirmed holds. not judged: nobody can know it here. Beside each stands what other tools call it.
LEVELS = {
    "refused": "error",
    "fails": "error",
    "ignored": "warning",
    "unwise": "warning",
    "doubtful": "note",
    "not judged": "note",
}
KINDS = tuple(LEVELS)


@dataclass(frozen=True)
class Report:
    """One finding.

    line: from 1. kind: one of LEVELS. rule: a name that stays, such as `time-over-partition` or `SC2086`.
    option: the directive's option, as written. limit: what the facts allow. source: `CSC, checked 2026-11-20`.
    """

    file: str
    line: int
    kind: str
    what: str
    cure: str
    rule: str
    option: str | None = None
    limit: str | None = None
    source: str | None = None

    @property
    def level(self) -> str:
        return LEVELS[self.kind]

    @property
    def text(self) -> str:
        """What is wrong, who says so, and what to do."""
        what = f"{self.what.removesuffix('.')} (source: {self.source})." if self.source else self.what
        return f"{what} {self.cure}".rstrip()

    def __str__(self) -> str:
        return plain(f"{self.file}:{self.line}: {self.level} ({self.kind}): {self.text}")


EXPECTED = "by-engine"  # a runner has no scheduler, and nobody needs to read that on each file


def notes(reports: list[Report]) -> list[str]:
    """Findings as workflow commands, which GitHub shows beside the line:
    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    return [
        f"::{report.level.replace('note', 'notice')} file={_property(report.file)},line={report.line},"
        f"title={_property(f'{report.kind}: {report.rule}')}::{_escaped(report.text)}"
        for report in reports
        if report.rule != EXPECTED
    ]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
