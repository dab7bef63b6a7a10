"""Each rule finds its bad samples and passes its good ones; what it says of the scheduler, the scheduler does."""

from pathlib import Path

import pytest

from scripts.check.rules import rules
from scripts.check.rules.model import Rule, load_rules
from scripts.facts import load_all
from tests.twin import kept as twins

CLUSTERS = load_all()
# A cluster of each kind that asks for little, so that a refusal is the sample's own; and that little.
ASKED = {
    "slurm": ("graham", b"#SBATCH --account=def-myself --time=10"),
    "grid_engine": ("arc4", b"#$ -l h_rt=1:0:0"),
}
# Elsewhere a limit of the cluster would speak first.
WITHOUT_LIMITS = ("vermilion", b"#SBATCH --account=myproject --partition=std")
# On these Slurm 22.05, that of Debian 12, decides otherwise than the rule says, which speaks of newer ones.
OTHERWISE_IN_22_05 = {
    *("#SBATCH --gpus-per-task=1 --ntasks-per-node=1", "#SBATCH --gpus-per-task=t4:1 --ntasks-per-node=2"),
}
# And so does 24.11, that of Debian 13, on these.
OTHERWISE_IN_24_11 = {
    *("#SBATCH --gres=gpu=2", "#SBATCH --gpus=v100=1"),  # `=` is read like `:`
    *("#SBATCH --gpu-bind=near", "#SBATCH --gpu-bind=close"),
}


def whole(rule: Rule, sample: str, kind: str) -> bytes:
    """The sample as a script; where the rule looks at the file itself, the sample is one."""
    if rule.where in ("first line", "file") or sample.startswith("#!/"):
        return sample.encode()
    below = "hostname\n" if sample.startswith("#") else ""
    return f"#!/bin/bash\n{sample}\n{below}".encode()


def samples(quality: str) -> list:
    return [
        pytest.param(rule, kind, sample, id=f"{rule.id}: {kind}: {number}")
        for rule in load_rules()
        for kind in rule.schedulers
        for number, sample in enumerate(getattr(rule.samples, quality))
        if kind == rule.schedulers[0] or not sample.startswith("#SBATCH")
    ]


@pytest.mark.parametrize("rule, kind, sample", samples("bad"))
def test_a_bad_sample_is_found(rule, kind, sample):
    found = rules(whole(rule, sample, kind), kind, "job.sh")
    assert rule.id in {report.rule for report in found}, [str(report) for report in found]


@pytest.mark.parametrize("rule, kind, sample", samples("good"))
def test_a_good_sample_is_passed(rule, kind, sample):
    found = rules(whole(rule, sample, kind), kind, "job.sh")
    own = kind == rule.schedulers[0]  # a sample is written for the first; to another its commands may be strange
    assert [str(report) for report in found if report.rule == rule.id or own and report.kind != "doubtful"] == []


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_the_scheduler_does_what_the_rule_says(rule, tmp_path: Path):
    """It refuses each bad sample of a rule of that kind, and accepts all others."""
    kind = rule.schedulers[0]
    cluster, little = WITHOUT_LIMITS if rule.id in ("time-of-months", "time-unlimited") else ASKED[kind]
    twin = twins.twin(CLUSTERS[cluster])
    of_22_05 = kind == "slurm" and twins.version("slurm").startswith("Slurm 22.05")
    wrong = []
    for sample in rule.samples.bad + rule.samples.good:
        refused = rule.kind == "refused" and sample in rule.samples.bad
        refused ^= sample in (OTHERWISE_IN_22_05 if of_22_05 else OTHERWISE_IN_24_11)
        script = tmp_path / "job.sh"
        script.write_bytes(whole(rule, sample, kind).replace(b"\n", b"\n" + little + b"\n", 1))
        verdict = twin.judge(script)
        if (verdict.returncode != 0) != refused:
            wrong.append(f"{sample!r} is {'accepted' if refused else 'refused'}: {verdict.stdout}{verdict.stderr}")
    assert not wrong, "\n".join(wrong)
