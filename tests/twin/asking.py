"""What a twin says of a job that is options alone."""

from __future__ import annotations

import subprocess

from scripts.twin.daemon import Twin
from tests.twin.pairs import Options


def option(name: str, value: str | int | None) -> str:
    return f"--{name}" if value is None else f"--{name}={value}"


def submit(twin: Twin, options: Options) -> subprocess.CompletedProcess[str]:
    if twin.cluster.scheduler.kind == "slurm":
        command = ["sbatch", "--test-only", *(option(name, value) for name, value in options.items()), "--wrap=true"]
    else:
        named = [
            ["-pe", "smp", str(value)] if name == "pe smp" else ["-l", f"{name}={value}"]
            for name, value in options.items()
        ]
        command = ["qsub", "-w", "v", *(word for words in named for word in words), "-b", "y", "true"]
    return subprocess.run(command, env=twin.environment, capture_output=True, encoding="utf-8")
