"""What the facts cannot know has words of its own, so that nobody takes it for a rule of the cluster."""

from collections.abc import Iterable

from scripts.check.scheduler import Answer
from scripts.facts import load_all
from tests.twin import kept
from tests.twin.many import ask_many

ROIHU = load_all()["roihu"]
UNKNOWN = {
    "--constraint=nosuch": "Invalid feature specification",
    "--prefer=nosuch": "Invalid preferred feature specification",
    "--licenses=nosuch": "Invalid license specification",
    "--reservation=nosuch": "Requested reservation is invalid",
    "--nodelist=nosuch": "Invalid node name specified",
    "--exclude=nosuch": "Invalid node name specified",
    "--clusters=nosuch": "invalid entry for --cluster",
}
TAKEN = (
    "--qos=nosuch",
    "--dependency=afterok:1234",
    "--wckey=nosuch",
    "--bb='#BB_LUA SBF storagesize=10G'",
    "--array=1-9999",
)


def ask(options: Iterable[str]) -> list[Answer]:
    job = f"#SBATCH --account={ROIHU.policy.sample_account} --partition=medium --nodes=1 --time=10"
    return ask_many(kept.twin(ROIHU), [f"#!/bin/bash\n{job}\n#SBATCH {option}\ntrue\n" for option in options])


def test_what_no_fact_names_is_refused_in_words_of_its_own():
    for (option, words), answer in zip(UNKNOWN.items(), ask(UNKNOWN), strict=True):
        assert not answer.accepted and words in answer.said, option


def test_what_no_fact_limits_is_not_refused():
    for option, answer in zip(TAKEN, ask(TAKEN), strict=True):
        assert answer.accepted, f"{option}: {answer.said}"
