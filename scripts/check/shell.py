"""What shellcheck says of a script."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from scripts.check.report import Report


def shellcheck(script: bytes, file: str) -> list[Report]:
    """Its warnings and errors; nothing where it is not installed."""
    program = shutil.which("shellcheck")
    if not program:
        return []
    result = subprocess.run(
        [program, "--shell=bash", "--severity=warning", "--exclude=SC1091", "--format=json", "-"],
        input=script,
        capture_output=True,
        env=os.environ | {"LC_ALL": "C.UTF-8"},  # under a poorer locale it ends at the first letter outside ASCII
    )
    return [
        Report(file, item["line"], "unwise", item["message"], "", f"SC{item['code']}")
        for item in json.loads(result.stdout or b"[]")
    ]
