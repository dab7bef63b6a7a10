"""A fix cures: the finding is gone, no other comes, and the scheduler does not refuse what it wrote."""

from collections import Counter

import pytest

from scripts.engine.ask import ask
from tests.check.faults import OF_LIMITS
from tests.check.planted import plants
from tests.clusters import CLUSTERS
from tests.engine import corpus
from tests.engine.samples import few, samples
from tests.tiers import by_day
from tests.twin import kept as twins
from tests.twin.many import ask_many

# A system of each kind that asks for little, and that little.
ASKED = {
    "slurm": ("vermilion", "#SBATCH --account=myproject --partition=std --time=1:0:0"),
    "grid_engine": ("arc4", "#$ -l h_rt=1:0:0"),
}
LEAST = 140  # rules with a fix


def applied(script: str, mend: dict) -> str:
    """As the page makes the edit."""
    if "lines" in mend:
        return "\n".join(mend["lines"])
    lines = script.split("\n")
    assert mend["from"] in lines[mend["line"] - 1]
    lines[mend["line"] - 1] = lines[mend["line"] - 1].replace(mend["from"], mend["to"], 1)
    return "\n".join(lines)


def told(asked: list[list[str]]) -> list[Counter]:
    """Which rules find something in each [key, script], and how often."""
    return [Counter(each["rule"] for each in found) for found in ask("rules", CLUSTERS.values(), asked)]


def asked_about_samples(some) -> tuple[list[str], list[list[str]]]:
    """The rule, and [key, script], of bad samples."""
    bad = some(each for each in samples() if each.bad and each.own)
    scripts = [
        each.script
        if each.rule["where"] in ("first line", "file")
        else each.with_options(ASKED[each.kind][1]) + "./program\n"
        for each in bad
    ]
    keys = [ASKED[each.kind][0] for each in bad]
    return [each.rule["id"] for each in bad], [list(pair) for pair in zip(keys, scripts, strict=True)]


@pytest.mark.parametrize("some", by_day([few, list], [few]))
def test_a_fix_takes_its_finding_away_and_brings_no_other(some):
    names, asked = asked_about_samples(some)
    judged, before = ask("judge", CLUSTERS.values(), asked), told(asked)
    fixed = [
        (place, each["rule"], applied(asked[place][1], each["mend"]))
        for place, answer in enumerate(judged)
        for each in answer["findings"]
        if "mend" in each and each["rule"] in before[place]
    ]
    after = told([[asked[place][0], text] for place, _, text in fixed])
    cured = set()
    for (place, rule, text), now in zip(fixed, after, strict=True):
        assert now[rule] < before[place][rule], (rule, asked[place][1], text)
        assert not now - before[place], (rule, asked[place][1], now - before[place])
        cured |= {rule} & {names[place]}
    assert len(cured) >= LEAST, len(cured)


@pytest.mark.nightly
def test_what_is_fixed_wholly_is_accepted_by_the_scheduler():
    """Faults in the guide's own scripts, fixed until no fix is left: the twin accepts what the engine then accepts."""
    planted = [
        *plants("slurm", corpus.FAULTS["slurm"], 6, 1),
        *plants("grid_engine", corpus.FAULTS["grid_engine"], 1, 1),
    ]
    planted += [plant for kind, faults in OF_LIMITS.items() for plant in plants(kind, faults, 2, 1)]
    asked = [[plant.script.parent.name, plant.data.decode("utf-8", "surrogateescape")] for plant in planted]
    before = ask("found", CLUSTERS.values(), asked)
    refused = [pair for pair, answer in zip(asked, before, strict=True) if answer["verdict"] != "accepted"]
    whole = [
        (key, each["text"])
        for (key, text), each in zip(refused, ask("wholly", CLUSTERS.values(), refused), strict=True)
        if each["verdict"] == "accepted" and each["text"] != text
    ]
    assert len(whole) >= 100
    wrong = []
    for key, _ in Counter(key for key, _ in whole).most_common(3):
        texts = [text for of, text in whole if of == key]
        answers = ask_many(twins.twin(CLUSTERS[key]), texts)
        wrong += [f"{key}: {each.said}\n{text}" for text, each in zip(texts, answers, strict=True) if not each.accepted]
    assert wrong == []


def test_a_fix_leaves_the_ends_of_other_lines_alone():
    script = "\ufeff#!/bin/bash\r\n#SBATCH --account=myproject --partition=std\r\n#SBATCH --time=2h\r\n\r\n./a\r\n"
    (found,) = ask("judge", [CLUSTERS["vermilion"]], [["vermilion", script]])
    fixed = {each["rule"]: applied(script, each["mend"]) for each in found["findings"] if "mend" in each}
    assert fixed["time-form"] == script.replace("2h", "02:00:00")
    assert fixed["byte-order-mark"] == script[1:]
    assert fixed["windows-line-ends"] == script.replace("\r\n", "\n")
    mixed = "#!/bin/bash\n#SBATCH --account=myproject --partition=std\r\n./a\n"
    (found,) = ask("judge", [CLUSTERS["vermilion"]], [["vermilion", mixed]])
    (added,) = [applied(mixed, each["mend"]) for each in found["findings"] if each["rule"] == "no-time"]
    assert added == mixed.replace("./a", "#SBATCH --time=01:00:00\n./a")


def test_all_fixes_of_a_script_are_made():
    wrong = ("--job-name=my job", "--time=2h", "--ntasks=two", "--output=", "--gpus=gpu:h100:1")
    text = "#!/bin/bash\n#SBATCH --account=def-me --mem=4G\n" + "".join(f"#SBATCH {words}\n" for words in wrong)
    (whole,) = ask("wholly", [CLUSTERS["fir"]], [["fir", f"{text}srun ./a\n"]])
    assert whole["verdict"] == "accepted" and "--ntasks=2\n#SBATCH --gpus=h100:1\nsrun" in whole["text"], whole["text"]


def verdict(key: str, *options: str) -> dict:
    text = "".join(f"#SBATCH {option}\n" for option in options)
    (found,) = ask("judge", [CLUSTERS[key]], [[key, f"#!/bin/bash\n{text}srun ./a\n"]])
    return found


def test_no_fix_that_is_not_certain():
    gpu = ("--account=project_2009999", "--gres=gpu:gh200:1", "--time=1:00:00")
    for found in (
        verdict("roihu", *gpu, "--partition=gpusmall"),
        verdict("roihu", *gpu, "--partition=smal"),
        verdict("lumi", "--account=project_462000999", "--gpus=a100:1", "--time=1:00:00", "--partition=wrong"),
        verdict("roihu", *gpu[1:], "--partition=gpumedium"),  # whose account it is only its owner knows
        verdict("fir", "--account=def-me", "--time=1:00:00", "--mem=4 G"),
    ):
        assert found["findings"] and not any("mend" in each for each in found["findings"]), found
    (typo,) = verdict("roihu", "--account=project_2009999", "--partition=smal", "--time=1:00:00")["findings"]
    assert typo["mend"]["to"] == "#SBATCH --partition=small"


@pytest.mark.parametrize(
    ("key", "was", "now"),
    [
        ("roihu", "#SBATCH --gres=gpu:a100:2 --partition=gpumedium",
         "#SBATCH --gres=gpu:gh200:2 --partition=gpumedium"),
        ("roihu", "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium --mem=64G",
         "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium"),
        ("roihu", "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium\n#SBATCH --mem=64G\n",
         "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium\n"),
        ("roihu", "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium\nmodule load gcc pytorch/2.4",
         "#SBATCH --gres=gpu:gh200:1 --partition=gpumedium\nmodule load gcc python-pytorch"),
        ("rivanna", "module load singularity", "module load apptainer"),
        ("fir", "#SBATCH --account=def-me_gpu", "#SBATCH --account=def-me"),
        ("fir", "#SBATCH --mem=16.5G", "#SBATCH --mem=16896M"),
        ("fir", "#SBATCH --output=%jobname-%jobid.%user", "#SBATCH --output=%x-%j.%u"),
        ("rivanna", "module load pytorch/2.9.0 cuda", "module load pytorch/2.9.0"),
    ],
)  # fmt: skip
def test_advice_of_one_edit_has_a_fix(key, was, now):
    account = "" if "account" in was else "#SBATCH --account=project_2009999\n"
    script = f"#!/bin/bash -l\n{account}#SBATCH --time=1:00:00\n{was}\nsrun ./a\n"
    (found,) = ask("judge", [CLUSTERS[key]], [[key, script]])
    fixed = [applied(script, each["mend"]) for each in found["findings"] if "mend" in each]
    assert script.replace(was, now) in fixed, found["findings"]


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
    wrong = ("--account=project_2009999", "--partition=gpu", "--gres=gpu:v100:5", "--time=96:00:00", "--mail-type=LAST")
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
        ("trillium", "--gpus-per-node=1", "25:00:00", "longer than the partition `compute` allows, 24 hours"),
        ("trillium", "--gpus-per-node=4 --nodes=7", "1:00:00", "7 nodes, but the partition `compute` allows 5"),
    ],
)  # fmt: skip
def test_without_a_partition_the_systems_own_limit_is_told(key, gpus, time, said):
    found = verdict(key, "--account=def-me", gpus, f"--time={time}")
    assert found["verdict"] == "refused"
    assert any(said in each["what"] and each["kind"] == "refused" for each in found["findings"]), found
