"""What the cluster's twin says of a script, in few words; and what shellcheck says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from scripts.check.report import Report
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.twin import twin_of


def verdict(cluster: Cluster, script: Path, file: str) -> list[Report]:
    """What the cluster's twin says."""
    try:
        result = twin_of(cluster).judge(script)
    except BadInput as fault:
        return [Report(file, 1, "not judged", str(fault), "", "twin")]
    if result.returncode == 0:  # accepted; a warning means that something was changed or left out
        warnings = [
            line.removeprefix("sbatch: ") for line in result.stderr.splitlines() if "arning" in line or "error" in line
        ]
        return [
            Report(
                file,
                1,
                "ignored",
                f"{cluster.name}'s twin accepts it, but says: {warning}.",
                "Say what you mean.",
                "warning",
            )
            for warning in warnings
        ]
    return [
        Report(
            file,
            1,
            "refused",
            f"{cluster.name}'s twin says: {' / '.join(reasons(result.stderr))}.",
            "Compare with the limits on the cluster's page.",
            "scheduler",
        )
    ]


# What schedulers say around the reason.
AROUND = re.compile(
    r"^(sbatch: |srun: |error: |allocation failure: |Unable to run job: "
    r"|Unable to read script file because of error: |Job \d+ (\(.*?\) )?)+|\.$"
)
EMPTY = {"", "Unspecified error", "Exiting", "verification: no suitable queues"}
# What Grid Engine says once for each of its hosts or queues: the pattern, and the words for all of them.
OF_EACH_HOST = (
    (re.compile(r'(cannot run at host) ".*?"'), r"\1"),
    (re.compile(r'cannot run in queue ".*?" because of cluster queue'), "longer than the queue allows"),
    (re.compile(r'(cannot run in queue) ".*?"'), r"\1"),
)


def clean(line: str) -> str:
    """A line of a refusal without what stands around the reason."""
    line = AROUND.sub("", line)
    for pattern, words in OF_EACH_HOST:
        line = pattern.sub(words, line)
    return line


def reasons(said: str) -> list[str]:
    """The reasons in a scheduler's refusal, each once, at most three."""
    lines = dict.fromkeys(map(clean, said.splitlines()))
    told = [line for line in lines if line not in EMPTY and "unknown resource (" not in line]
    return told[:3] or [said.strip()]


def shellcheck(script: Path, file: str) -> list[Report]:
    program = shutil.which("shellcheck")
    if not program:
        return []
    result = subprocess.run(
        [program, "--shell=bash", "--severity=warning", "--exclude=SC1091", "--format=json", script],
        capture_output=True,
        encoding="utf-8",
        env=os.environ
        | {"LC_ALL": "C.UTF-8"},  # under a poorer locale it ends at the first letter that is none of ASCII
    )
    return [
        Report(file, item["line"], "unwise", item["message"], "", f"SC{item['code']}")
        for item in json.loads(result.stdout or "[]")
    ]
