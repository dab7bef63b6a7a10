"""Many scripts to one twin, in one shell: a process for each question, and none besides."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.check.scheduler import Answer
from scripts.twin.daemon import Twin

COMMANDS = {"slurm": "sbatch --test-only", "grid_engine": "qsub -w v"}
ASK_ALL = 'for script in job-*; do {} "$script" > "said-$script" 2>&1; echo $?; done'
NO_ANSWER = re.compile(r"Unable to contact|Zero Bytes|timed out|unable to send message to qmaster")


def ask_many(twin: Twin, scripts: Sequence[str | bytes]) -> list[Answer]:
    """What the twin says of each script."""
    if not scripts:
        return []
    with twin.in_use(), tempfile.TemporaryDirectory(dir=twin.folder, prefix="asked-") as folder:
        names = [f"job-{number:06}" for number in range(len(scripts))]
        for name, script in zip(names, scripts, strict=True):
            data = script if isinstance(script, bytes) else script.encode("utf-8", "surrogateescape")
            Path(folder, name).write_bytes(data)
        command = ["bash", "-c", ASK_ALL.format(COMMANDS[twin.cluster.scheduler.kind])]
        done = subprocess.run(command, env=twin.environment, cwd=folder, capture_output=True, encoding="utf-8")
        said = [Path(folder, f"said-{name}").read_text(encoding="utf-8", errors="replace") for name in names]
    statuses = done.stdout.split()
    assert len(statuses) == len(scripts), done.stderr[-500:]
    assert not (silent := [text for text in said if NO_ANSWER.search(text)]), silent[0]
    return [Answer(status == "0", text.strip()) for status, text in zip(statuses, said, strict=True)]
