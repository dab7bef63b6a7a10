"""A mend cures: the finding is gone, no other comes, and the scheduler does not refuse what it wrote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scripts.check.rules import rules
from scripts.check.rules.model import load_rules

from scripts.engine.ask import ask
from scripts.facts import load_all
from tests.check import faults_of_limits
from tests.check.planted import plants
from tests.check.rules.test_samples import whole
from tests.engine import corpus
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


def verdict(key: str, *options: str) -> dict:
    text = "".join(f"#SBATCH {option}\n" for option in options)
    (found,) = ask("verdicts", [load_all()[key]], [(key, f"#!/bin/bash\n{text}srun ./a\n")])
    return found


def test_no_mend_that_is_not_certain():
    gpu = ("--account=project_2009999", "--gres=gpu:gh200:1", "--time=1:00:00")
    for found in (
        verdict("roihu", *gpu, "--partition=gpusmall"),
        verdict("roihu", *gpu, "--partition=smal"),
        verdict("roihu", "--account=project_2009999", "--gres=gpu:a100:1", "--partition=gpularge", "--time=1:00:00"),
        verdict("fir", "--account=def-me", "--time=1:00:00", "--mem=4 G"),
    ):
        assert found["findings"] and not any("mend" in each for each in found["findings"]), found
    (typo,) = verdict("roihu", "--account=project_2009999", "--partition=smal", "--time=1:00:00")["findings"]
    assert typo["mend"]["to"] == "#SBATCH --partition=small"


def test_a_stray_word_is_told_once():
    (found,) = verdict("fir", "--account=def-me", "--time=1:00:00 word")["findings"]
    assert found["rule"] == "stray-word"


def test_what_only_a_doubtful_fact_refuses_is_not_judged():
    found = verdict("roihu", "--account=project_2009999", "--partition=gpularge", "--gres=gpu:1", "--time=1:00:00")
    assert {each["rule"]: each["kind"] for each in found["findings"]} == {
        "no-gpu-model": "doubtful",
        "partition-access": "not judged",
    }
    assert found["verdict"] == "not judged"
    assert found["doubt"] is True


def test_what_sbatch_cannot_read_hides_no_other_fault():
    wrong = (
        "--account=project_2009999",
        "--partition=gpu",
        "--gres=gpu:v100:5",
        "--time=96:00:00",
        "--mail-type=ENDING",
    )
    found = [each["option"] for each in verdict("puhti", *wrong)["findings"] if each["kind"] == "refused"]
    assert found == list(wrong[2:])
    known = [each["option"] for each in verdict("puhti", *wrong[:3], "--time=9", "--frobnicate=2")["findings"]]
    assert {"--frobnicate=2", "--gres=gpu:v100:5"} <= set(known)
    typo = verdict("puhti", *wrong[:3], "--time=9", "--partitoin=small")["findings"]
    assert "--gres=gpu:v100:5" not in {each["option"] for each in typo}, "who means another partition has other limits"


@pytest.mark.parametrize(
    ("key", "gpus", "time", "said"),
    [
        *((key, "--gpus-per-node=h100:1", "10-0", f"longer than {key.title()} allows, 7 days")
          for key in ("fir", "nibi", "rorqual")),
        ("narval", "--gpus-per-node=a100:1", "10-0", "longer than Narval allows, 7 days"),
        ("kestrel", "--gpus=h100:1", "11-0", "longer than Kestrel allows, 10 days"),
        ("trillium", "--gpus-per-node=2", "1:00:00", "Trillium gives 1 or a multiple of 4"),
        ("trillium", "--gpus-per-node=1", "25:00:00", "longer than compute allows, 24 hours"),
        ("trillium", "--gpus-per-node=4 --nodes=7", "1:00:00", "asks for 7 nodes; compute allows 5"),
    ],
)  # fmt: skip
def test_without_a_partition_the_systems_own_limit_is_told(key, gpus, time, said):
    found = verdict(key, "--account=def-me", gpus, f"--time={time}")
    assert found["verdict"] == "refused"
    assert any(said in each["what"] and each["kind"] == "refused" for each in found["findings"]), found
