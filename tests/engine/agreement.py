"""The engine's verdict beside the twin's, for many scripts at once."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.jobscript.node import ENGINE, ask

import scripts.twin.slurm
from scripts.facts import Cluster
from scripts.paths import SNIPPETS
from scripts.twin.daemon import Twin
from tests.engine.generator import Case, cases

# What decides a verdict of Slurm, beside the facts and the twin.
PARTS = ("values", "slurm-job", "read", "gres", "slurm", "fit", "policy")
KEPT = Path(__file__).with_name("kept.json")
TWIN = Path(scripts.twin.slurm.__file__).parent

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


def seed(cluster: Cluster) -> str:
    """Another one whenever the engine, the facts of this cluster, or what sets up its twin is another."""
    files = [ENGINE / f"{part}.js" for part in PARTS]
    files += [SNIPPETS / cluster.key / "cluster.yml", *sorted(TWIN.glob("*.py")), *sorted(TWIN.glob("*.lua"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def kept(cluster: Cluster) -> list[Case]:
    """Cases on which the two differed once, shrunk, and others that are worth asking each time."""
    return [Case(key, script) for key, script in json.loads(KEPT.read_text(encoding="utf-8")) if key == cluster.key]


def keep(found: Sequence[Difference]) -> None:
    """Add shrunk cases to those that are asked each time."""
    known = json.loads(KEPT.read_text(encoding="utf-8"))
    known += [[each.case.cluster, each.case.script] for each in found]
    unique = {json.dumps(each): each for each in known}
    KEPT.write_text(json.dumps(sorted(unique.values()), indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Compared:
    cases: list[Case]
    engine: list[dict]
    twin: list[Answer]
    found: list[Difference]


def compare(cluster: Cluster, twin: Twin, number: int, seed: str) -> Compared:
    """So many random cases of one cluster, and those that are kept."""
    asked = kept(cluster) + cases(cluster, number, seed)
    answers = twin_says(twin, [case.script for case in asked])
    ours = engine_says([cluster], asked)
    found = [shrunk(cluster, twin, each) for each in differences(asked, ours, answers)]
    return Compared(asked, ours, answers, found)


def shrunk(cluster: Cluster, twin: Twin, difference: Difference) -> Difference:
    """The same difference with as few lines, and as few options on a line, as it takes."""
    lines = difference.case.script.split("\n")
    tries = True
    while tries:
        tries = [lines[:at] + lines[at + 1 :] for at in range(1, len(lines)) if lines[at]]
        smaller = [Case(cluster.key, "\n".join(each)) for each in tries]
        answers = twin_says(twin, [case.script for case in smaller]) if smaller else []
        found = differences(smaller, engine_says([cluster], smaller), answers)
        if not found:
            break
        difference, lines = found[0], found[0].case.script.split("\n")
    return difference
