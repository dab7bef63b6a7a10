"""What is refused first hides nothing: the page tells all faults that `guide check` finds by asking the scheduler."""

from __future__ import annotations

import pytest

from scripts.check import verdict as check
from scripts.facts import Rule, load_all
from scripts.jobscript.node import ask
from tests.twin import kept as twins

SLURM = {key: cluster for key, cluster in load_all().items() if cluster.scheduler.kind == "slurm"}
ASKING = {
    key: cluster
    for key, cluster in SLURM.items()
    if Rule.REQUIRED in (cluster.policy.account.rule, cluster.policy.time.rule, cluster.policy.partition.rule)
}


def script(*options: str) -> str:
    return "".join(["#!/bin/bash\n", *(f"#SBATCH {option}\n" for option in options), "srun ./a\n"])


def told(findings) -> set[tuple]:
    return {(each["line"], each["rule"]) for each in findings if each["kind"] in ("refused", "doubtful")}


def page(key: str, *options: str) -> dict:
    (found,) = ask("judge", [SLURM[key]], key, {"job.sh": script(*options)})
    return found


def rules(found: set[tuple]) -> set[str]:
    return {rule for _, rule in found}


def both(key: str, *options: str) -> set[tuple]:
    """What the page's scheduler refuses: on the lines of the check's findings, and all of them among its own."""
    twins.need_scheduler("slurm")
    _, found = check.verdict(SLURM[key], script(*options).encode(), "job.sh")
    ours = told(ask("scheduler", [SLURM[key]], key, script(*options), "job.sh")["findings"])
    theirs = told(map(vars, found))
    assert theirs <= ours, f"{key} {options}: only the check {theirs - ours}"
    assert {line for line, _ in ours} == {line for line, _ in theirs}, f"{key} {options}: {ours - theirs}"
    return ours


@pytest.mark.parametrize("key", ASKING)
def test_what_is_required_and_missing_hides_no_other_fault(key):
    policy = SLURM[key].policy
    wanted = [name for name in ("account", "time", "partition") if getattr(policy, name).rule is Rule.REQUIRED]
    found = both(key, "--ntasks=1", "--cpus-per-task=5000")
    assert {f"no-{name}" for name in wanted} < rules(found)
    assert page(key, "--ntasks=1", "--cpus-per-task=5000")["verdict"] == "refused"


@pytest.mark.parametrize(
    ("key", "options", "wanted"),
    [
        ("kestrel", "--gpus=h100:9 --nodes=1", {"no-account", "no-time", "gpus-over-node"}),
        ("narval", "--gpus-per-node=a100:9 --nodes=1", {"no-account", "no-time", "gpus-over-node"}),
        ("puhti", "--partition=gpu --gres=gpu:2 --time=9-0", {"no-account", "no-gpu-model", "time-over-partition"}),
        ("puhti", "--gres=gpu:2 --partition=nowhere --time=99-0 --mem=99T",
         {"no-account", "unknown-partition", "time-over-partition", "memory-over-node", "no-gpu-model"}),
        ("kestrel", "--time=abc --gpus=h100:9 --nodes=1", {"no-account", "scheduler", "gpus-over-node"}),
        ("kestrel", "--acount=x --time=99-0 --mem=9G", {"unknown-option", "time-over-partition"}),
        ("kestrel", "--account=mine --gpus=64 --time=99-0", {"time-over-partition"}),
        ("kestrel", "--time=99-0 --gpus=64", {"no-account", "time-over-partition"}),
        ("lumi", "--account=project_462000123 --mem=9G", {"no-partition"}),
    ],
)  # fmt: skip
def test_all_faults_are_told_at_once(key, options, wanted):
    options = options.split()
    assert rules(both(key, *options)) == wanted
    assert page(key, *options)["verdict"] == "refused"


def test_what_one_of_the_partitions_takes_is_not_refused_where_none_is_named():
    found = page("lumi", "--account=project_462000123", "--gpus=64", "--time=60")
    assert rules(told(found["findings"])) == {"no-partition"}


def test_a_value_that_a_later_one_replaces_is_not_told():
    found = page("kestrel", "--account=mine", "--time=99-0", "--time=abc")
    assert rules(told(found["findings"])) == {"time-form"}
