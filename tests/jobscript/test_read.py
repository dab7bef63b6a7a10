"""The engine reads directives as scripts/check/directives.py does: the same options, on the same lines."""

import random

import pytest

from scripts.check.directives import read
from scripts.jobscript.node import ask
from tests.check.test_directives import SLURM
from tests.jobscript.corpus import own, samples, spoilt

WORDS = [
    *(
        "#SBATCH",
        "#SBATCH ",
        "#$ ",
        "#",
        "\n",
        " ",
        "\t",
        "\v",
        "-",
        "--",
        "=",
        "time",
        "mem",
        "N",
        "n4",
        "cpus-per-t",
        "5",
    ),
    *(
        "exclusive",
        "hetjob",
        "packjob",
        "'",
        '"',
        "\\",
        "-l",
        "-pe smp 4",
        "h_rt=1",
        "-h",
        "u",
        "constructor",
        "__proto__",
    ),
    *("nice", "k", "HO", "ntasks", "tasks-per-node", "cluster", "é", "\udcff", "\u0130", "true\n", "#SBATCH --", "-$"),
]


def as_python(options):
    return [{**vars(option), "pieces": [list(piece) for piece in option.pieces]} for option in options]


def random_texts(number):
    draw = random.Random("words")
    return ["".join(draw.choices(WORDS, k=draw.randint(1, 25))) for _ in range(number)]


@pytest.mark.parametrize("kind", ["slurm", "grid_engine"])
def test_the_engine_reads_what_the_check_reads(kind):
    texts = [data.decode("utf-8", "surrogateescape") for data in spoilt(300, kind, f"read {kind}")]
    texts += [data.decode("utf-8", "surrogateescape") for has, data in [*samples(), *own()] if has == kind]
    texts += [*SLURM.values(), *random_texts(2000)]
    texts = [text for text in texts if all(ord(letter) < 0x10000 for letter in text)]  # columns are counted otherwise
    found = ask("read", [], kind, texts)
    assert len(found) == len(texts) > 1000
    different = [
        text for text, ours in zip(texts, found, strict=True) if ours != as_python(read(text.split("\n"), kind))
    ]
    assert not different, different[0]
    assert sum(map(len, found)) > 1000
