"""`module` without a login shell, where the operator asks for one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report

LOGIN = re.compile(r"#!\s*\S*sh\s+(-\w*l\w*|--login)\b")


def advise(case: Case) -> Iterator[Report]:
    export = case.option("export")
    if not case.cluster.policy.login_shell_without_export or not export:
        return
    if "ALL" in (export.value or "").split(",") or LOGIN.match(case.lines[0]):
        return
    module = next((command for command in case.certain if command.name in ("module", "ml")), None)
    sourced = any(command.name in ("source", ".") and "profile" in " ".join(command.words) for command in case.commands)
    if module and not sourced:
        what = f"with {export.written} the job has no `module`, unless it starts a login shell."
        fact = "policy.login_shell_without_export"
        yield case.report("no-login-shell", what, "Begin with #!/bin/bash -l.", module, fact)
