"""A mend cures: the finding is gone, no other comes, and the scheduler does not refuse what it wrote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

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
    texts = [(key, script.decode("utf-8", "surrogateescape")) for key, script in asked]
    return [each["findings"] for each in ask("verdicts", clusters, texts)]


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


LIMITS = {"slurm": faults_of_limits.SLURM, "grid_engine": faults_of_limits.GRID_ENGINE}
TRIED = 25


def test_what_is_mended_wholly_is_taken_by_the_scheduler(tmp_path: Path):
    """Faults in the guide's own scripts, mended until no mend is left: the twin takes what the page then accepts."""
    planted = corpus.planted("slurm", 3) + corpus.planted("grid_engine", 1)
    planted += [plant for kind, faults in LIMITS.items() for plant in plants(kind, faults, 2, 1)]
    clusters = load_all()
    asked = [(plant.script.parent.name, plant.data.decode("utf-8", "surrogateescape")) for plant in planted]
    refused = [each["verdict"] != "accepted" for each in ask("verdicts", clusters.values(), asked)]
    whole = [
        (key, each["text"])
        for (key, text), each, was in zip(asked, ask("wholly", clusters.values(), asked), refused, strict=True)
        if was and each["verdict"] == "accepted" and each["text"] != text
    ]
    assert len(whole) >= 100
    few = [key for key, _ in Counter(key for key, _ in whole).most_common(3)]
    path, wrong = tmp_path / "job.sh", []
    chosen = [each for each in whole if each[0] in few][:TRIED]
    for key, text in chosen:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        done = twins.twin(clusters[key]).judge(path)
        wrong += [f"{key}: {done.stderr}{text}"] if done.returncode else []
    assert len(chosen) == TRIED and not wrong, "\n".join(wrong[:3])


def test_a_mend_leaves_the_ends_of_other_lines_alone():
    script = b"\xef\xbb\xbf#!/bin/bash\r\n#SBATCH --account=myproject --partition=std\r\n#SBATCH --time=2h\r\n./a\r\n"
    (found,) = findings([("vermilion", script)])
    mends = {each["rule"]: applied(script, each["mend"]) for each in found if "mend" in each}
    assert mends["time-form"] == script.replace(b"2h", b"02:00:00")
    assert mends["byte-order-mark"] == script[3:]
    assert mends["windows-line-ends"] == script.replace(b"\r\n", b"\n")
