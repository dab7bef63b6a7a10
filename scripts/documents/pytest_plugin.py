"""A test for each job script in the documents that pytest collects:

    PYTHONPATH=/path/to/gpu-cluster-guide pytest -p scripts.documents.pytest_plugin --jobscripts docs/

`--jobscripts-system puhti` is `--system` of `guide docs`. A test fails if that command would end with 1. The packages
of requirements-check.txt must be installed.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.check.report import Report
from scripts.documents.files import may_have
from scripts.documents.judge import SEVERE, Judged, read_and_judge


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("job scripts")
    group.addoption("--jobscripts", action="store_true", help="test the job scripts in documents")
    group.addoption("--jobscripts-system", action="append", default=[], help="a system that the documents may be about")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    wanted = parent.config.getoption("jobscripts") and may_have(file_path)
    return Document.from_parent(parent, path=file_path) if wanted else None


class Document(pytest.File):
    """A document with its job scripts."""

    def collect(self) -> Iterator[pytest.Item]:
        judged, unread, _ = read_and_judge([str(self.path)], self.config.getoption("jobscripts_system"))
        for fault in unread:
            raise self.CollectError(str(fault))
        for each in judged:
            yield JobScript.from_parent(self, name=f"line {each.script.at[0]}", judged=each)


class Wrong(Exception):
    """A job script has severe findings; the sentences of all."""


class JobScript(pytest.Item):
    """One job script."""

    def __init__(self, *, judged: Judged, **more: object):
        super().__init__(**more)
        self.judged = judged

    def runtest(self) -> None:
        if not self.judged.system:
            pytest.skip(self.judged.told)
        found: list[Report] = [report for report in self.judged.reports if report.kind in SEVERE]
        if found:
            raise Wrong("\n".join(map(str, found)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: str | None = None) -> object:
        return str(excinfo.value) if excinfo.errisinstance(Wrong) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.judged.script.at[0] - 1, f"{self.path.name}:{self.judged.script.at[0]}"
