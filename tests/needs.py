"""Programs that the tests use but Python cannot install: skipped with a sentence,
a failure under CI=true; all of them are listed at the end.
"""

import glob
import os
import shutil
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from scripts import browser
from scripts.paths import ROOT

LIST = ROOT / "scripts/system_packages.txt"
NOT_INSTALLED = "is not installed:"


@cache
def packages() -> dict[str, tuple[list[str], str]]:
    """Package -> (one of these, a command or a file, is there with it; what is left out without it)."""
    rows = [line.split("|") for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {package.strip(): (probes.split(), cost.strip()) for package, probes, cost in rows}


def is_there(package: str) -> bool:
    """Whether a package of the list, or what does instead of it, is on this machine."""
    if package == "chromium":
        return browser.find() is not None
    return any(shutil.which(probe) or glob.glob(probe) for probe in packages()[package][0])


def leave_out(package: str) -> NoReturn:
    """Skip the test; under CI=true fail it."""
    _, cost = packages().get(package, ([], "the checks that need it are left out."))
    sentence = f"{package} {NOT_INSTALLED} {cost}"
    if os.environ.get("CI") == "true":
        pytest.fail(sentence + " Under CI=true it must be there.", pytrace=False)
    pytest.skip(sentence)


def need(program: str, package: str) -> str:
    """Return the path of a program (a name on the PATH, or an absolute path), which Debian's `package` brings."""
    found = program if program.startswith("/") and Path(program).exists() else shutil.which(program)
    return found or leave_out(package)


def need_browser() -> str:
    for package in ("libatomic1", "chromium"):
        if not is_there(package):
            leave_out(package)
    return browser.browser()


@pytest.hookimpl(wrapper=True, tryfirst=True)  # outermost, so after pytest's own summary
def pytest_terminal_summary(terminalreporter):
    """At the very end: a sentence for each package that is missing, if tests were left out for one."""
    yield
    if any(NOT_INSTALLED in str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])):
        missing = [package for package in packages() if not is_there(package)]
        terminalreporter.section("not installed here, so left out", yellow=True)
        for package in missing:
            terminalreporter.write_line(f"{package} {NOT_INSTALLED} {packages()[package][1]}")
        terminalreporter.write_line(f"For all of it: apt-get install {' '.join(missing)}")
