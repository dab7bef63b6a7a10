"""A script that ends before its work: an `exit` that stands in no branch, with programs behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import SETUP, Case, program
from scripts.check.report import Report

ALONE = re.compile(r"(exit|logout)(\s+\d+)?\s*;?\s*(#.*)?")  # on a line of its own, not indented


def advise(case: Case) -> Iterator[Report]:
    for place, command in enumerate(case.commands):
        if command.certain and ALONE.fullmatch(case.lines[command.line - 1]):
            behind = [each for each in case.commands[place + 1 :] if program(each) not in SETUP | {""}]
            if behind:
                what = f"the script ends here; `{program(behind[0])}` on line {behind[0].line} is never started."
                yield case.report("ends-early", what, "Take the line out.", command)
            return
