"""A mend cures: the finding is gone, no other comes, and the scheduler does not refuse what it wrote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from scripts.check.rules import rules
from scripts.check.rules.model import load_rules
from scripts.facts import load_all
from scripts.jobscript.node import ask
from tests.check import faults_of_limits
from tests.check.planted import plants
from tests.check.rules.test_samples import whole
from tests.jobscript import corpus
from tests.twin import kept as twins

# A system of each kind that asks for little, and that little.
ASKED = {
    "slurm": ("vermilion", b"#SBATCH --account=myproject --partition=std --time=1:0:0"),
    "grid_engine": ("arc4", b"#$ -l h_rt=1:0:0"),
}
LEAST = 140  # rules with a mend


def findings(asked: list[tuple[str, bytes]]) -> list[list[dict]]:
    """What the page says of each (system, script): one process for all."""
    clusters = [cluster for key, cluster in load_all().items() if key in dict(asked)]
    return ask("mends", clusters, [(key, script.decode("utf-8", "surrogateescape")) for key, script in asked])


def applied(script: bytes, mend: dict) -> bytes:
    """As the page makes the edit."""
    lines = script.decode("utf-8", "surrogateescape").split("\n")
    if "lines" in mend:
        lines = mend["lines"]
    else:
        assert mend["from"] in lines[mend["line"] - 1]
        lines[mend["line"] - 1] = lines[mend["line"] - 1].replace(mend["from"], mend["to"], 1)
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def counts(script: bytes, kind: str) -> Counter:
    return Counter(report.rule for report in rules(script, kind, "job.sh"))


def samples(kind: str) -> dict[str, bytes]:
    found = {}
    for rule in load_rules():
        for number, sample in enumerate(rule.samples.bad if rule.schedulers[0] == kind else []):
            script = whole(rule, sample, kind)
            if rule.where not in ("first line", "file"):
                script = script.replace(b"\n", b"\n" + ASKED[kind][1] + b"\n", 1) + b"./program\n"
            found[f"{rule.id} {number}"] = script
    return found


def test_a_mend_takes_its_finding_away_and_brings_no_other():
    """Asked of Python's rules, which know nothing of mends."""
    cured = Counter()
    for kind, (key, _) in ASKED.items():
        scripts = samples(kind)
        for (name, script), found in zip(
            scripts.items(), findings([(key, script) for script in scripts.values()]), strict=True
        ):
            before = counts(script, kind)
            for each in found:
                if "mend" not in each or each["rule"] not in before:
                    continue
                after = counts(applied(script, each["mend"]), kind)
                assert after[each["rule"]] < before[each["rule"]], (each, script)
                assert not after - before, (each, script, after - before)
                cured[each["rule"]] += each["rule"] == name.split()[0]
    assert len(+cured) >= LEAST, len(+cured)


@pytest.fixture(scope="module")
def mended() -> list[tuple[str, bytes, bytes, str]]:
    """(system, script, what its first mend makes of it, rule) of faults in the guide's own scripts."""
    planted = corpus.planted("slurm", 2) + corpus.planted("grid_engine", 1)
    planted += [plant for kind, faults in LIMITS.items() for plant in plants(kind, faults, 2, 1)]
    asked = [(plant.script.parent.name, plant.data) for plant in planted]
    firsts = (next((each for each in found if "mend" in each), None) for found in findings(asked))
    return [
        (key, script, applied(script, mend["mend"]), mend["rule"])
        for (key, script), mend in zip(asked, firsts, strict=True)
        if mend
    ]


LIMITS = {"slurm": faults_of_limits.SLURM, "grid_engine": faults_of_limits.GRID_ENGINE}


def test_most_planted_faults_have_a_mend(mended):
    assert len(mended) >= 200


def test_the_scheduler_takes_what_a_mend_wrote(mended, tmp_path: Path):
    """One of each rule, on as few systems as will do: what the twin said before, it says no more."""
    often = Counter(key for key, *_ in mended)
    one = {rule: (key, before, after) for key, before, after, rule in sorted(mended, key=lambda each: often[each[0]])}
    path, refused = tmp_path / "job.sh", 0
    for rule, (key, before, after) in one.items():
        said = []
        for script in (before, after):
            path.write_bytes(script)
            done = twins.twin(load_all()[key]).judge(path)
            said.append(done.stderr if done.returncode else "")
        refused += bool(said[0])
        assert not said[1] or said[0] and said[0] != said[1], (rule, said, after)
    assert len(one) >= 60 and refused >= 10
