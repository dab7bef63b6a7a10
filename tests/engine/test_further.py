"""What is refused first hides nothing: the page tells all faults that `guide check` finds by asking the scheduler."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from scripts.check.asked import asked
from scripts.check.broken import GPUS
from scripts.check.draft import Draft
from scripts.check.neutral import missing, neutral

from scripts.check import verdict as check
from scripts.engine.ask import ask
from scripts.facts import Cluster, Rule, load_all
from tests.engine import faulty
from tests.twin import kept as twins

SLURM = {key: cluster for key, cluster in load_all().items() if cluster.scheduler.kind == "slurm"}
ASKING = {
    key: cluster
    for key, cluster in SLURM.items()
    if Rule.REQUIRED in (cluster.policy.account.rule, cluster.policy.time.rule, cluster.policy.partition.rule)
}


@pytest.fixture(autouse=True)
def only_this_runs_twins(monkeypatch):
    monkeypatch.setattr("scripts.check.asked.twin_of", twins.twin)


def script(*options: str) -> str:
    return "".join(["#!/bin/bash\n", *(f"#SBATCH {option}\n" for option in options), "srun ./a\n"])


def told(findings) -> set[tuple]:
    """Line and rule of each fault."""
    return {(each["line"], each["rule"]) for each in findings if each["kind"] in ("refused", "doubtful")}


def page(key: str, *options: str) -> dict:
    (found,) = ask("judge", [SLURM[key]], key, {"job.sh": script(*options)})
    return found


def rules(found: set[tuple]) -> set[str]:
    return {rule for _, rule in found}


def both(key: str, *options: str) -> set[tuple]:
    """What the page refuses, and the check by its scheduler."""
    twins.need_scheduler("slurm")
    return same(SLURM[key], script(*options))


def same(cluster: Cluster, text: str, verdicts: tuple[str, ...] = ("refused",)) -> set[tuple]:
    answer, found = check.verdict(cluster, text.encode(), "job.sh")
    own = ask("scheduler", [cluster], cluster.key, text, "job.sh")
    ours, theirs = told(own["findings"]), told(map(vars, found))
    assert own["verdict"] in verdicts and answer.accepted == (own["verdict"] == "accepted"), f"{answer.said}\n{text}"
    assert ours == theirs, f"{cluster.key}: only the page {ours - theirs}, only the check {theirs - ours}\n{text}"
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


DRAWN = 30  # random scripts of each system


def drawn(cluster: Cluster) -> list[str]:
    """Those that the page judges."""
    draw = random.Random(f"further {cluster.key}")
    made = (faulty.script(cluster, draw) for _ in range(10 * DRAWN))
    judged = (
        text for text in made if ask("scheduler", [cluster], cluster.key, text, "job.sh")["verdict"] != "not judged"
    )
    return [text for text, _ in zip(judged, range(DRAWN), strict=False)]


@pytest.mark.parametrize("key", SLURM)
def test_page_and_check_tell_the_same_faults_of_random_scripts(key):
    twins.need_scheduler("slurm")
    found = [same(SLURM[key], text, ("refused", "accepted")) for text in drawn(SLURM[key])]
    assert sum(len(each) > 1 for each in found) > DRAWN / 2, "too few have several faults"


def test_what_is_told_of_random_scripts_is_refused_however_the_rest_is_put_right(record_property):
    """By the scheduler: each option that is past a limit, where all else that is told is in words that it takes.

    Not where that leaves GPUs out: other nodes have more cores and memory.
    """
    twins.need_scheduler("slurm")
    refused = [
        each for cluster in SLURM.values() for text in drawn(cluster)[:15] for each in still_refused(cluster, text)
    ]
    record_property("faults told of random scripts", [sum(refused), len(refused)])
    assert len(refused) > 90 and sum(refused) >= 0.97 * len(refused)


def still_refused(cluster: Cluster, text: str) -> Iterator[bool]:
    draft, first = Draft(text.encode(), "slurm"), asked(cluster, text.encode())
    found = ask("scheduler", [cluster], cluster.key, text, "job.sh")["findings"]
    rules = {each["rule"] for each in found}
    added = tuple(each for each in missing(cluster, draft, first) if f"no-{each.name}" in rules)
    told = {(each["line"], each.get("option")): each for each in found}
    at_fault = {option: told[place] for option in draft.options if (place := (option.line, option.written)) in told}
    for option in at_fault:
        others = {each: neutral(cluster, draft, each, first.job) for each in at_fault if each != option}
        if at_fault[option].get("limit") and not any(each.name in GPUS for each in others):
            yield not asked(cluster, draft.without(others, added)).accepted
