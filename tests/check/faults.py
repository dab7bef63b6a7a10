"""What people really get wrong in job scripts: from manuals, operators' guides, issue trackers, slips."""

import random
import re

from tests.check.planted import (
    LONG,
    Lines,
    Planter,
    Spoilt,
    change,
    directives,
    say,
    whole,
)


def slip(word: str, draw: random.Random) -> str:
    """The word with one slip: two letters exchanged, one left out, doubled, or another one."""
    while True:
        place = draw.randrange(len(word) - 1)
        spelling = draw.choice(
            (
                word[:place] + word[place + 1] + word[place] + word[place + 2 :],
                word[:place] + word[place + 1 :],
                word[:place] + word[place] + word[place:],
                word[:place] + draw.choice("EIKLMN") + word[place + 1 :],
            )
        )
        if not spelling.startswith(word):
            return spelling


def misspelt_prefix(line: str, draw: random.Random) -> str:
    prefix = slip("SBATCH", draw)
    return line.replace("SBATCH", draw.choice((prefix, prefix, prefix.lower(), "sbatch", "Sbatch", "SBatch")), 1)


def misspelt_option(line: str, draw: random.Random) -> str:
    name = re.search(r"--([a-z-]+)", line)[1]
    place = draw.randrange(1, len(name) - 1)
    swapped = name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]
    spellings = [name[:place] + name[place] + name[place:], name + "s" * 2, "my" + name]
    spellings += [swapped] if swapped != name else []
    spellings += [name.replace("-", "_"), name.replace("-", "")] if "-" in name else [name.capitalize()]
    return line.replace(f"--{name}", f"--{draw.choice(spellings)}", 1)


def short_with_equals(line: str, draw: random.Random) -> str:
    name, value = re.search(r"--([a-z-]+)=(\S+)", line).groups()
    short = next(short for short, long in LONG.items() if long == name)
    return f"#SBATCH -{short}={value}"


SHORT_ONES = "|".join(f"--{name}=" for name in LONG.values() if name not in ("qos", "chdir"))
TYPOGRAPHIC = "\u2013\u2014\u2010\u2011\u2212"


def moved_below(lines: Lines, draw: random.Random) -> Spoilt:
    places = directives(lines)
    line = lines.pop(draw.choice(places))
    at = draw.randrange(max(places) + 2, len(lines))
    return [*lines[:at], line, *lines[at:]], {at + 1}


def command_above(lines: Lines, draw: random.Random) -> Spoilt:
    commands = ["set -e", "module load gcc", "export A=1", "cd /tmp", "echo start", "A=1", "source env.sh", "date"]
    commands += ["if true; then :; fi", "ulimit -s unlimited", "f() { :; }"]
    at = draw.choice(directives(lines)[:-1])
    return [*lines[:at], draw.choice(commands), *lines[at:]], {place + 2 for place in directives(lines) if place >= at}


# In scripts for either scheduler.
BOTH: dict[str, Planter] = {
    "Windows line ends": whole(lambda text: text.replace("\n", "\r\n")),
    "byte-order mark": whole(lambda text: "\ufeff" + text),
    "empty line before #!": whole(lambda text: "\n" + text),
    "blank before #!": whole(lambda text: " " + text),
    "comment before #!": whole(lambda text: "# my job\n" + text),
    "no #!": whole(lambda text: text.split("\n", 1)[1]),
    "#! without #": whole(lambda text: text[1:]),
    "#! without !": whole(lambda text: "#" + text[2:]),
    "#! misspelt": whole(lambda text: text.replace("bash", "bahs", 1)),
    "#! relative": whole(lambda text: text.replace("#!/bin", "#!bin", 1)),
    "env with two words": whole(lambda text: "#!/usr/bin/env bash -l\n" + text.split("\n", 1)[1]),
}
SLURM: dict[str, Planter] = {
    **BOTH,
    "null character": whole(lambda text: text + "echo a\0b\n", None),
    # the prefix
    "blank after #": change(lambda line, draw: line.replace("#", "#" + draw.choice((" ", "  ", "\t", "\u00a0")), 1)),
    "indented": change(lambda line, draw: draw.choice((" ", "  ", "    ", "\t", " \t")) + line),
    "prefix misspelt": change(misspelt_prefix),
    "prefix misspelt again": change(lambda line, draw: line.replace("SBATCH", slip("SBATCH", draw), 1)),
    "colon after the prefix": change(
        lambda line, draw: line.replace("SBATCH", draw.choice(("SBATCH:", "SBATCH :")), 1)
    ),
    "letters after the prefix": change(lambda line, draw: line.replace("SBATCH", "SBATCH" + draw.choice("XEShH_"), 1)),
    "# missing": change(lambda line, draw: draw.choice(("", "$", "//", "%")) + line[1:]),
    "#! for #": change(lambda line, draw: "#!" + line[1:]),
    "below the first command": moved_below,
    "a command above": command_above,
    "directive without an option": change(lambda line, draw: draw.choice(("#SBATCH", "#SBATCH #" + line[8:]))),
    "goes on behind a backslash": change(lambda line, draw: line + draw.choice((" \\", "\\", "  \\"))),
    # the form of an option
    "one dash": change(lambda line, draw: line.replace("--", "-", 1)),
    "no dashes": change(lambda line, draw: line.replace("--", "", 1)),
    "three dashes": change(lambda line, draw: line.replace("--", "---", 1)),
    "misspelt option": change(misspelt_option),
    "equals behind a short option": change(short_with_equals, SHORT_ONES),
    "blanks around =": change(lambda line, draw: line.replace("=", draw.choice((" = ", "= ", " =", "  =")), 1)),
    "colon for =": change(lambda line, draw: line.replace("=", ":", 1)),
    "two equals": change(lambda line, draw: line.replace("=", "==", 1)),
    "typographic dash": change(
        lambda line, draw: line.replace(
            "--", draw.choice(("{}", "-{}", "{}-", "{0}{0}")).format(draw.choice(TYPOGRAPHIC))
        )
    ),
    "typographic quotes": change(
        lambda line, draw: "{}={}{}{}".format(
            line.split("=", 1)[0],
            *draw.choice((("\u201c", line.split("=", 1)[1], "\u201d"), ("\u2018", line.split("=", 1)[1], "\u2019"))),
        ),
        r"--(job-name|time|nodes|ntasks|mem|output|account|partition|cpus-per-task)=",
    ),
    "non-breaking space": change(lambda line, draw: line.replace("SBATCH ", "SBATCH\u00a0")),
    "non-breaking space at the end": change(
        lambda line, draw: line + draw.choice("\u00a0\u200b"), r"--(job-name|time|nodes|ntasks|mem|output|account)="
    ),
    "comma at the end": change(
        lambda line, draw: line + draw.choice(",;"),
        r"--(job-name|time|nodes|ntasks|mem|output|account|partition|cpus-per-task)=",
    ),
    "placeholder": change(
        lambda line, draw: line.split("=")[0] + draw.choice(("=<value>", "=<your value>", "=<PROJECT>", "=<my-value>"))
    ),
    # found missing when the check was attacked
    "two directives on a line": change(lambda line, draw: f"{line} {draw.choice(('#SBATCH', '# SBATCH'))} --nodes=1"),
    "prefix with a strange sign": change(lambda line, draw: line.replace("#", draw.choice(("#@", "#$", "#%")), 1)),
    "sbatch for the prefix": change(lambda line, draw: line.replace("#SBATCH", "sbatch"), "--[a-z-]+="),
    "no command": whole(lambda text: "\n".join(line for line in text.split("\n") if line.startswith("#")) + "\n"),
    "bash under another interpreter": whole(lambda text: re.sub("^#!.*", "#!/usr/bin/env python3", text), None),
    "bash under csh": whole(lambda text: re.sub("^#!.*", "#!/bin/csh", text), None),
}


GRID_ENGINE: dict[str, Planter] = {
    **BOTH,
    "blank after #": change(lambda line, draw: line.replace("#$", draw.choice(("# $", "#  $", "#\t$")))),
    "indented": change(lambda line, draw: draw.choice((" ", "  ", "    ", "\t")) + line),
    "another prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#%", "#&", "#S", "#\u00a7")))),
    "Slurm's or PBS's prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#SBATCH", "#PBS", "#BSUB")))),
    "no #": change(lambda line, draw: line[1:]),
    "# and $ exchanged": change(lambda line, draw: "$#" + line[2:]),
    "no option": change(lambda line, draw: draw.choice(("#$", "#$  "))),
    "no dash": change(lambda line, draw: line.replace("#$ -", draw.choice(("#$ ", "#$")))),
    "two dashes": change(lambda line, draw: line.replace("#$ -", "#$ --")),
    "typographic dash": change(lambda line, draw: line.replace(" -", " " + draw.choice("\u2013\u2014\u2212"), 1)),
    "non-breaking space": change(lambda line, draw: line.replace("#$ ", "#$\u00a0")),
    "placeholder": change(lambda line, draw: line.split("=")[0] + draw.choice(("=<value>", "=<your value>")), "-l"),
    "blanks around =": change(lambda line, draw: line.replace("=", draw.choice((" = ", "= ", " =")), 1), "-l"),
}


# What only the scheduler can find in a script: names and sizes that this cluster does not have.
OF_SLURM_LIMITS: dict[str, Planter] = {
    "unknown partition": say("--partition=nowhere", "-p gpuu", "--partition=no-such"),
    "too much memory": say("--mem=99T", "--mem=99000G", "--mem 50TB"),
    "too many cores": say("--cpus-per-task=9999", "-c 5000", "-c9999"),
    "too many nodes": say("--nodes=99999", "-N 50000"),
    "array with a step of nothing": say("--array=0-3:0", "--array=1-9:0"),
    "unknown GPU": change(
        lambda line, draw: f"#SBATCH --gres=gpu:{draw.choice(('x9000', 'rtx1', 'k1'))}:1", "--gres=gpu:"
    ),
    "too many GPUs": change(
        lambda line, draw: re.sub(r"\d+$", draw.choice(("99", "17", "64")), line), r"--g\S+[=:]\d+$"
    ),
}

OF_GRID_ENGINE_LIMITS: dict[str, Planter] = {
    "too long": say("-l h_rt=999:00:00", "-l h_rt=100:00:00"),
    "too much memory": say("-l h_rt=1:0:0,h_vmem=99T"),
    "memory that is no number": say("-l h_rt=1:0:0,h_vmem=4.5.1G"),
    "too many cores": say("-pe smp 999", "-pe smp 100"),
    "unknown environment": say("-pe spm 40", "-pe mp 4"),
    "unknown queue": say("-q nowhere.q -l h_rt=1:0:0"),
    "misspelt resource": change(lambda line, draw: re.sub(r"-l (\w)(\w)", r"-l \2\1", line), "-l"),
    "hyphen in a resource": change(lambda line, draw: line.replace("_", "-"), "-l"),
    "unknown GPU": change(lambda line, draw: "#$ -l coproc_x9000=1", "-l coproc"),
    "too many GPUs": change(lambda line, draw: "#$ -l coproc_v100=99", "-l coproc"),
    "no time": whole(lambda text: re.sub("#\\$ -l h_rt.*\n", "", text)),
}

FAULTS = {"slurm": SLURM, "grid_engine": GRID_ENGINE}
OF_LIMITS = {"slurm": OF_SLURM_LIMITS, "grid_engine": OF_GRID_ENGINE_LIMITS}
