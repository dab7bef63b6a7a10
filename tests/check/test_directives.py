"""The reader of directives finds what the schedulers' own parsers find."""

import subprocess

import pytest

from scripts.check.directives import HETJOB, components, last, read
from scripts.facts import load_all
from tests.twin import kept as twins

PUHTI = load_all()["puhti"]

# Ways to write directives; what sbatch makes of each is asked of sbatch.
SLURM = {
    "long": "#SBATCH --time=5 --job-name=x",
    "long, blank": "#SBATCH --time 5 --mem 4G",
    "short": "#SBATCH -t5 -N 2-3 -c4 -J x -H",
    "several letters": "#SBATCH -HO",
    "abbreviated": "#SBATCH --cpus-per-t=2 --part=small --ntasks-per-n=3 --comm=x",
    "another name": "#SBATCH --tasks-per-node=3",
    "quotes": "#SBATCH --job-name='two words' --comment=\"it's\"",
    "backslash": r"#SBATCH --job-name=two\ words --comment=a\#b",
    "comment": "#SBATCH --time=5 # --mem=4G",
    "comment without a blank": "#SBATCH --comment=x#y --mem=4G",
    "empty word": '#SBATCH --time=5 "" --mem=4G',
    "no blank behind the prefix": "#SBATCH--time=5",
    "value on the next line": "#SBATCH --time\n#SBATCH 5",
    "value that looks like an option": "#SBATCH --job-name --time=5",
    "tabs": "#SBATCH\t--time=5\t--mem=4G",
    "indented, not read": "#SBATCH --time=5\n #SBATCH --mem=4G",
    "misspelt, not read": "#SBATCH --time=5\n# SBATCH --mem=4G\n##SBATCH --mem=4G\n#Sbatch --mem=4G",
    "below a command": "#SBATCH --time=5\ntrue\n#SBATCH --mem=4G",
    "below blanks and comments": "#SBATCH --time=5\n\n   \n  # here\n#SBATCH --mem=4G",
    "equals behind a short one": "#SBATCH -J=x",
    "one dash": "#SBATCH -comment=x -time=5",
    "maybe a value": "#SBATCH --exclusive=user --nice --no-kill -k --propagate",
    "twice": "#SBATCH --time=5\n#SBATCH --time=6",
}


def sbatch(text: str) -> dict[str, str]:
    """The options that sbatch says it has read from a script."""
    twin = twins.twin(PUHTI)
    with twin.in_use():
        done = subprocess.run(
            ["sbatch", "-v", "--test-only"], input=text, env=twin.environment, capture_output=True, encoding="utf-8"
        )
    lines = done.stderr.partition("defined options")[2].partition("end of defined options")[0].splitlines()
    pairs = [line.removeprefix("sbatch: ").partition(":") for line in lines if ":" in line.removeprefix("sbatch:")]
    return {name.strip(): value.strip() for name, _, value in pairs} | {"error": done.stderr[-300:]}


@pytest.mark.parametrize("text", SLURM.values(), ids=SLURM.keys())
def test_what_sbatch_reads_is_read(text):
    ours = last(read(f"#!/bin/bash\n{text}\ntrue".split("\n"), "slurm"))
    theirs = sbatch(f"#!/bin/bash\n{text}\ntrue\n")
    error = theirs.pop("error")
    if not theirs:  # sbatch gave up at an option that has a value of the wrong form
        assert "-time" in text and "Invalid --time" in error or "Invalid" in error, error
        return
    del theirs["test-only"], theirs["verbose"]
    assert set(ours) == set(theirs)
    for name in ("comment", "job-name", "partition", "account"):
        assert name not in ours or ours[name].value == theirs[name]


def test_an_option_knows_its_line_and_its_words():
    time, cores = read(["#!/bin/bash", "", "#SBATCH -t 5 --cpus-per-t=2  # two"], "slurm")
    assert (time.line, time.name, time.written, time.value, time.pieces) == (
        3,
        "time",
        "-t 5",
        "5",
        ((3, 8, 10), (3, 11, 12)),
    )
    assert (cores.name, cores.written, cores.value) == ("cpus-per-task", "--cpus-per-t=2", "2")


@pytest.mark.parametrize(
    "text, name, value",
    [
        ("--tiem=5", "tiem", "5"),
        ("--tiem 5", "tiem", "5"),
        ("--gpus-per=1", "gpus-per", "1"),
        ("-Z", "Z", None),
        ("word", "word", None),
        ("\u2013time=5", "\u2013time=5", None),
    ],
)
def test_what_sbatch_does_not_know_is_not_known(text, name, value):
    (option,) = read(["#!/bin/bash", f"#SBATCH {text}"], "slurm")
    assert (option.name, option.value, option.known) == (name, value, False)


def test_components_of_a_heterogeneous_job():
    options = read(
        ["#!/bin/bash", "#SBATCH -p a", "#SBATCH hetjob", "#SBATCH -p b -N", "#SBATCH packjob", "#SBATCH -n3"], "slurm"
    )
    assert [option.name for option in options].count(HETJOB) == 2
    assert [[(o.name, o.value) for o in each] for each in components(options)] == [
        [("partition", "a")],
        [("partition", "b"), ("nodes", None)],
        [("ntasks", "3")],
    ]


def test_grid_engine_reads_every_line():
    options = read(
        ["#$ -l h_rt=1:0:0 -cwd -V", "true", "#$-pe smp 4", " #$ -N no", "#$ -h -N name -foo"], "grid_engine"
    )
    assert [(o.line, o.name, o.value, o.known) for o in options] == [
        (1, "l", "h_rt=1:0:0", True),
        (1, "cwd", None, True),
        (1, "V", None, True),
        (3, "pe", "smp 4", True),
        (5, "h", None, True),
        (5, "N", "name", True),
        (5, "foo", None, False),
    ]
