"""The engine's verdict beside the twin's, for many scripts at once."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.facts import Cluster
from scripts.jobscript.node import ask
from scripts.twin.daemon import Twin
from tests.jobscript.generator import Case

# All scripts of a folder in one shell: a process for each `sbatch`, and none besides.
ASK_ALL = """
for script in [0-9]*; do sbatch --test-only "$script" > said 2>&1; echo "$script $? $(tr '\\n' ' ' < said)"; done
"""


@dataclass(frozen=True)
class Answer:
    accepted: bool
    said: str


@dataclass(frozen=True)
class Difference:
    """A case on which the engine is sure, and wrong."""

    case: Case
    engine: str
    twin: str

    def __str__(self) -> str:
        return f"{self.case.cluster}: the engine says {self.engine}; the twin: {self.twin}\n{self.case.script}"


def twin_says(twin: Twin, scripts: Sequence[str]) -> list[Answer]:
    """What the twin says of each script."""
    with twin.in_use(), tempfile.TemporaryDirectory(dir=twin.folder, prefix="asked-") as folder:
        for number, script in enumerate(scripts):
            Path(folder, f"{number:06}").write_text(script, encoding="utf-8", errors="surrogateescape")
        done = subprocess.run(
            ["bash", "-c", ASK_ALL],
            env=twin.environment,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
    answers = [line.split(" ", 2) for line in done.stdout.splitlines()]
    assert len(answers) == len(scripts), done.stdout[-500:] + done.stderr[-500:]
    for _, _, said in answers:
        assert not re.search(r"Unable to contact|Zero Bytes|timed out", said), said
    return [Answer(status == "0", said.strip()) for _, status, said in answers]


def engine_says(clusters: Sequence[Cluster], cases: Sequence[Case]) -> list[dict]:
    """verdict, refused and unjudged of each case."""
    return ask("decide", clusters, [[case.cluster, case.script] for case in cases])


def differences(cases: Sequence[Case], engine: Sequence[dict], twin: Sequence[Answer]) -> list[Difference]:
    found = []
    for case, ours, theirs in zip(cases, engine, twin, strict=True):
        if ours["verdict"] != "not judged" and (ours["verdict"] == "accepted") != theirs.accepted:
            why = "; ".join(each["what"] for each in ours["refused"])
            found.append(Difference(case, f"{ours['verdict']} {why}".strip(), theirs.said or "refused"))
    return found


def unjudged(engine: Sequence[dict]) -> Counter:
    return Counter(written for each in engine if each["verdict"] == "not judged" for written in each["unjudged"])
