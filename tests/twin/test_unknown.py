"""What the facts cannot know has words of its own, so that nobody takes it for a rule of the cluster."""

import pytest

from scripts.facts import load_all
from tests.twin import kept

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
    "--bb=#BB_LUA SBF storagesize=10G",
    "--array=1-9999",
)


def ask(option: str):
    job = [f"--account={ROIHU.policy.sample_account}", "--partition=medium", "--nodes=1", "--time=10", option]
    twin = kept.twin(ROIHU)
    with twin.in_use():
        return twin.verdict(["sbatch", "--test-only", *job, "--wrap=true"])


@pytest.mark.parametrize("option", UNKNOWN)
def test_what_no_fact_names_is_refused_in_words_of_its_own(option):
    said = ask(option)
    assert said.returncode and UNKNOWN[option] in said.stderr


@pytest.mark.parametrize("option", TAKEN)
def test_what_no_fact_limits_is_not_refused(option):
    assert ask(option).returncode == 0
