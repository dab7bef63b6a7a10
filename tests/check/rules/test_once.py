"""One fault is one finding, and what is only like a fault is none."""

import pytest

from scripts.check.rules import rules


def found(directives: str) -> list[tuple[int, str]]:
    return [(each.line, each.rule) for each in rules(f"#!/bin/bash\n{directives}\n./a\n".encode(), "slurm", "job.sh")]


@pytest.mark.parametrize("words", ["--time = 1:00:00", "--time= 1:00:00", "-t = 10", "-t= 10", "--gres = gpu:a100:1"])
def test_a_value_behind_a_blank_is_told_once(words):
    assert found(f"#SBATCH {words}") == [(2, "blank-after-equals")]


def test_a_word_behind_that_value_is_told_as_well():
    assert found("#SBATCH --time = 10 minutes") == [(2, "blank-after-equals"), (2, "stray-word")]
    assert found("#SBATCH --time=10\n#SBATCH minutes") == [(3, "stray-word")]


@pytest.mark.parametrize(
    "words",
    [
        "# use -mem here",
        "# see --help, --tasks 4 or -o C:\\x",
        "# 4 GB \u2013per node",
        "# it's -time, \"and",
        "--comment='# a -n = 3'",
        '--comment="-n = 3"',
        '--comment=a\\"b',
    ],
)
def test_a_comment_or_a_quoted_text_is_no_fault(words):
    assert found(f"#SBATCH --time=10 {words}") == []


def test_a_directive_in_a_comment_is_told():
    assert found("#SBATCH --time=10 # #SBATCH --mem=4G") == [(2, "two-directives-on-a-line")]


def test_outside_of_quotes_a_blank_ends_a_word_behind_a_backslash_too():
    assert found("#SBATCH --comment=a\\ b") == [(2, "stray-word")]
    assert found('#SBATCH --comment="a\\ b"') == []


@pytest.mark.parametrize("words", ["-t=10", "--time =10"])
def test_an_equals_sign_in_the_value_is_told_once(words):
    assert found(f"#SBATCH {words}") == [(2, "short-option-with-equals-refused")]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--gres=gpu:a100:1\n#SBATCH --gpus=1", 3),
        ("--gpus=1\n#SBATCH --gres=gpu:a100:1", 3),
        ("--gres=gpu:a100:1 --gpus=a100:1", None),
        ("--gres=nvme:1 --gpus=a100:1", None),
        ("--gres=gpu:a100:1\n#SBATCH hetjob\n#SBATCH --gpus=1", None),
    ],
)
def test_the_model_of_gpus_is_named_in_each_request_or_in_none(words, line):
    assert found(f"#SBATCH {words}") == ([(line, "gpu-model-once")] if line else [])
