"""`python -m scripts.check`: the guide's scripts pass it, and faults that people make are named, with their line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.check.all import check
from scripts.check.asked import asked
from scripts.check.file_faults import file_faults
from scripts.check.silent import lint
from scripts.facts import Cluster, load_all
from tests.snippets.sandbox import ROOT
from tests.twin import kept as twins

CLUSTERS = load_all()


def scripts_for(kind: str) -> list[Path]:
    keys = [key for key, cluster in CLUSTERS.items() if cluster.scheduler.kind == kind]
    return [
        path for key in keys for path in sorted((ROOT / "snippets" / key).glob("*.sh")) if path.name != "interactive.sh"
    ]


SCRIPTS = {kind: scripts_for(kind) for kind in ("slurm", "grid_engine")}
PREFIXES = ("#SBATCH", "#$ ")


def directive(change: Callable[[str], str], option: str = "") -> Callable[[str, int], str]:
    """Change one directive of a script: the first with this option, or else one that differs from script to script."""

    def mutate(text: str, turn: int) -> str:
        lines = text.split("\n")
        places = [n for n, line in enumerate(lines) if line.startswith(PREFIXES) and option in line]
        if places:
            place = places[turn % len(places)]
            lines[place] = change(lines[place])
        return "\n".join(lines)

    return mutate


def moved_below(text: str, turn: int) -> str:
    lines = text.rstrip("\n").split("\n")
    places = [n for n, line in enumerate(lines) if line.startswith("#SBATCH")]
    moved = lines.pop(places[turn % len(places)])
    return "\n".join([*lines, moved]) + "\n"


# What people really get wrong: from the peers' own published faults, Slurm's manual, and slips of the finger.
FAULTS: dict[str, Callable[[str, int], str]] = {
    "blank after #": directive(lambda line: line.replace("#SBATCH", "# SBATCH")),
    "indented": directive(lambda line: "    " + line),
    "indented by a tab": directive(lambda line: "\t" + line),
    "letters exchanged": directive(lambda line: line.replace("SBATCH", "SBTACH")),
    "letter missing": directive(lambda line: line.replace("SBATCH", "SBATH")),
    "letter doubled": directive(lambda line: line.replace("SBATCH", "SBBATCH")),
    "small letters": directive(lambda line: line.replace("SBATCH", "sbatch")),
    "colon after the prefix": directive(lambda line: line.replace("SBATCH", "SBATCH:")),
    "no blank after the prefix": directive(lambda line: line.replace("SBATCH ", "SBATCH")),
    "below the first command": moved_below,
    "a command above": lambda text, turn: text.replace("\n", "\nmodule list\n", 1),
    "no dashes": directive(lambda line: line.replace("--", "")),
    "one dash": directive(lambda line: line.replace("--", "-")),
    "en dash": directive(lambda line: line.replace("--", "\u2013")),
    "en dash and dash": directive(lambda line: line.replace("--", "-\u2013")),
    "non-breaking space": directive(lambda line: line.replace("SBATCH ", "SBATCH\u00a0")),
    "misspelt option": directive(lambda line: re.sub(r"--(\w)(\w)", r"--\2\1", line)),
    "blanks around =": directive(lambda line: line.replace("=", " = ")),
    "placeholder": directive(lambda line: re.sub("=.*", "=<value>", line)),
    "Windows line ends": lambda text, turn: text.replace("\n", "\r\n"),
    "byte-order mark": lambda text, turn: "\ufeff" + text,
    "empty line before #!": lambda text, turn: "\n" + text,
    "blank before #!": lambda text, turn: " " + text,
    "comment before #!": lambda text, turn: "# my job\n" + text,
    "no #!": lambda text, turn: text.split("\n", 1)[1],
    "#! without #": lambda text, turn: text[1:],
    "unknown partition": directive(lambda line: "#SBATCH --partition=nowhere", "--partition"),
    "unknown GPU": directive(lambda line: re.sub(r"=.*", "=gpu:x9000:1", line), "--gres=gpu:"),
    "too many GPUs": directive(lambda line: re.sub(r"\d+$", "99", line), "--gres="),
    "too long": directive(lambda line: "#SBATCH --time=999-00:00:00", "--time"),
    "not a time": directive(lambda line: "#SBATCH --time=two hours", "--time"),
    "too much memory": directive(lambda line: "#SBATCH --mem=99T", "--mem"),
    "too many cores": directive(lambda line: "#SBATCH --cpus-per-task=9999", "--cpus-per-task"),
    "too many nodes": directive(lambda line: "#SBATCH --nodes=99999", "--nodes"),
}

GRID_ENGINE_FAULTS: dict[str, Callable[[str, int], str]] = {
    "blank after #": directive(lambda line: line.replace("#$", "# $")),
    "indented": directive(lambda line: "  " + line),
    "indented by a tab": directive(lambda line: "\t" + line),
    "another prefix": directive(lambda line: line.replace("#$", "#%")),
    "S for $": directive(lambda line: line.replace("#$", "#S")),
    "Slurm's prefix": directive(lambda line: line.replace("#$", "#SBATCH")),
    "PBS's prefix": directive(lambda line: line.replace("#$", "#PBS")),
    "no #": directive(lambda line: line[1:]),
    "no dash": directive(lambda line: line.replace("#$ -", "#$ ")),
    "en dash": directive(lambda line: line.replace(" -", " \u2013", 1)),
    "non-breaking space": directive(lambda line: line.replace("#$ ", "#$\u00a0")),
    "misspelt resource": directive(lambda line: re.sub(r"-l (\w)(\w)", r"-l \2\1", line), "-l"),
    "hyphen in a resource": directive(lambda line: line.replace("_", "-"), "-l"),
    "blanks around =": directive(lambda line: line.replace("=", " = "), "-l"),
    "placeholder": directive(lambda line: re.sub("=.*", "=<value>", line), "-l"),
    "unknown GPU": directive(lambda line: "#$ -l coproc_x9000=1", "-l coproc"),
    "too many GPUs": directive(lambda line: "#$ -l coproc_v100=99", "-l coproc"),
    "too long": directive(lambda line: "#$ -l h_rt=999:00:00", "-l h_rt"),
    "seconds": directive(lambda line: "#$ -l h_rt=48", "-l h_rt"),
    "not a time": directive(lambda line: "#$ -l h_rt=two", "-l h_rt"),
    "no time": directive(lambda line: "#", "-l h_rt"),
    "too much memory": directive(lambda line: "#$ -l h_vmem=99T", "-l h_vmem"),
    "too many cores": directive(lambda line: "#$ -pe smp 999", "-pe"),
    "no number of cores": directive(lambda line: "#$ -pe smp", "-pe"),
    "unknown environment": directive(lambda line: "#$ -pe spm 40", "-pe"),
    "unknown queue": lambda text, turn: text.replace("#$ -cwd", "#$ -cwd -q nowhere.q"),
    **{
        name: FAULTS[name]
        for name in (
            "Windows line ends",
            "byte-order mark",
            "empty line before #!",
            "blank before #!",
            "comment before #!",
            "no #!",
            "#! without #",
        )
    },
}
PLANTED = [("slurm", fault, FAULTS[fault]) for fault in FAULTS] + [
    ("grid_engine", fault, GRID_ENGINE_FAULTS[fault]) for fault in GRID_ENGINE_FAULTS
]

# Faults that nothing here can find, and why.
CANNOT_BE_FOUND = {("too long", "vermilion"): "its time limits were never published"}


def is_found(cluster: Cluster, data: bytes) -> bool:
    """Is there any finding, or does the scheduler refuse it? shellcheck is left out: it knows nothing of schedulers."""
    script, faults = file_faults(data, "job.sh", cluster.scheduler.kind)
    if faults or any(each.ignored or "placeholder" in each.what for each in lint(script, cluster)):
        return True
    answer = asked(cluster, script)
    return not answer.accepted or "arning" in answer.said


@pytest.mark.parametrize(
    "script", SCRIPTS["slurm"] + SCRIPTS["grid_engine"], ids=lambda path: str(path.relative_to(ROOT / "snippets"))
)
def test_none_of_the_guides_scripts_is_accused(script):
    cluster = CLUSTERS[script.parent.name]
    twins.need_scheduler(cluster.scheduler.kind)
    reports = check(cluster, script.read_bytes(), str(script))
    assert [str(report) for report in reports if report.kind != "unwise" or cluster.running] == []


@pytest.mark.parametrize("kind, fault, spoil", PLANTED, ids=[f"{kind}: {fault}" for kind, fault, _ in PLANTED])
def test_planted_faults_are_caught(kind, fault, spoil, record_property):
    missed, planted = [], 0
    for turn, script in enumerate(SCRIPTS[kind]):
        text = script.read_text(encoding="utf-8")
        spoilt = spoil(text, turn)
        if spoilt == text or (fault, script.parent.name) in CANNOT_BE_FOUND:
            continue
        planted += 1
        if not is_found(CLUSTERS[script.parent.name], spoilt.encode()):
            missed.append(f"{script.parent.name}/{script.name}")
    record_property("planted faults", planted)
    assert planted and missed == []


@pytest.mark.parametrize(
    "cluster, line, said",
    [
        ("puhti", "#$ -l h_rt=1:0:0", "another scheduler"),
        ("puhti", "#BSUB -n 1", "another scheduler"),
        ("arc4", "#SBATCH --time=10", "another scheduler"),
    ],
)
def test_a_directive_of_another_scheduler_is_named(cluster, line, said):
    assert any(said in finding.what for finding in lint(f"#!/bin/bash\n{line}\n".encode(), CLUSTERS[cluster]))


def test_grid_engine_reads_directives_anywhere():
    assert lint(b"#!/bin/bash\necho\n#$ -l h_rt=1:0:0\n# $5 is the price\n#- a list\n", CLUSTERS["arc4"]) == []


def test_a_switched_off_directive_is_no_fault():
    assert lint(b"#!/bin/bash\n##SBATCH --time=10\n# SBATCH is read by sbatch\necho\n", CLUSTERS["roihu"]) == []
