"""Each rule finds its bad samples and passes its good ones; what it says of the scheduler, the scheduler does."""

import pytest

from scripts.engine.ask import ask
from tests.clusters import CLUSTERS
from tests.engine import versions
from tests.engine.samples import Sample, few, samples
from tests.tiers import by_day
from tests.twin import kept as twins
from tests.twin.many import ask_many

SAMPLES = samples()
RULES = sorted({sample.rule["id"] for sample in SAMPLES})
# A cluster of each kind that asks for little, so that a refusal is the sample's own; and that little.
ASKED = {
    "slurm": ("graham", "#SBATCH --account=def-myself --time=10"),
    "grid_engine": ("arc4", "#$ -l h_rt=1:0:0"),
    # Elsewhere a limit of the cluster would speak first.
    "time-of-months": ("vermilion", "#SBATCH --account=myproject --partition=std"),
    "time-unlimited": ("vermilion", "#SBATCH --account=myproject --partition=std"),
}


def judged(rule: str) -> list[tuple[Sample, list[dict]]]:
    systems = {kind: CLUSTERS[ASKED[kind][0]] for kind in ("slurm", "grid_engine")}
    own = [each for each in SAMPLES if each.rule["id"] == rule]
    answers = ask("rules", systems.values(), [[systems[each.kind].key, each.script] for each in own])
    return list(zip(own, answers, strict=True))


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_finds_its_bad_samples_and_passes_its_good_ones(rule):
    wrong = []
    for sample, found in judged(rule):
        own = [each for each in found if each["rule"] == rule]
        strange = [each for each in found if sample.own and each["kind"] != "doubtful"]
        if sample.bad and not own:
            wrong.append(f"not found for {sample.kind}: {sample.text!r}")
        if not sample.bad and (own or strange):
            wrong.append(f"found for {sample.kind}: {sample.text!r}: {own or strange}")
    assert wrong == []


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("variable-name-misspelt", "Did you mean CUDA_VISIBLE_DEVICES?"),
        ("expanded-on-the-first-node", "expands `$(hostname -s)` before"),
        ("expanded-on-the-first-node", "expands `${SLURM_PROCID}` before"),
    ],
)
def test_the_words_of_a_rule_name_what_the_script_has(rule, words):
    said = [each["what"] + each["cure"] for _, found in judged(rule) for each in found if each["rule"] == rule]
    assert any(words in each for each in said)


def test_a_directory_of_two_outputs_is_named_once():
    script = "#!/bin/bash\n#SBATCH -t 9 -o logs/%j.out -e logs/%j.err\n{}./a\n"
    asked = [["graham", script.format(body)] for body in ("", "mkdir -p logs\n")]
    answers = ask("rules", [CLUSTERS["graham"]], asked)
    assert [[each["rule"] for each in found] for found in answers] == [
        ["output-folder"],
        ["output-folder-made-too-late"],
    ]


def test_each_rule_has_samples_of_both_kinds():
    for rule in RULES:
        assert {each.bad for each in SAMPLES if each.rule["id"] == rule} == {True, False}, rule


@pytest.mark.parametrize("some", by_day([few, list], [few]))
@pytest.mark.parametrize("key", by_day(dict(ASKED.values()), {"graham"}))
def test_the_scheduler_does_what_the_rules_say(key, some):
    """It refuses each bad sample of a rule that is asked there, and accepts all others."""
    little = dict(ASKED.values())[key]
    own = [each for each in SAMPLES if each.own and ASKED.get(each.rule["id"], ASKED[each.kind]) == (key, little)]
    own = some(own)
    otherwise = versions.SAMPLES_IN_22_05 if versions.is_22_05() else versions.SAMPLES_IN_24_11
    wrong = []
    answers = ask_many(twins.twin(CLUSTERS[key]), [each.with_options(little) for each in own])
    for sample, answer in zip(own, answers, strict=True):
        refused = (sample.bad and sample.rule["kind"] == "refused") ^ (sample.text in otherwise)
        if answer.accepted == refused:
            done = "accepted" if answer.accepted else "refused"
            wrong.append(f"{sample.rule['id']}: {sample.text!r} is {done}: {answer.said}")
    assert own and wrong == []
