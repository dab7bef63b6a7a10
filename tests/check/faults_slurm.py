"""What people really get wrong in scripts for Slurm: from its manual, operators' guides, issue trackers, slips."""

import re

from tests.check.planted import (
    SHORT_ONES,
    TYPOGRAPHIC,
    Planter,
    change,
    command_above,
    do,
    misspelt_option,
    misspelt_prefix,
    moved_below,
    say,
    short_with_equals,
    slip,
    spelled,
    together,
    whole,
    without,
)


def without_gpus(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not re.match(r"#SBATCH .*(--gres=gpu|--gpus)", line))


def without_tasks(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("#SBATCH --ntasks"))


# In scripts for either scheduler.
BOTH: dict[str, Planter] = {
    **spelled("both"),
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
    "ends in the background": do("./a &|./b &", "srun python3 a.py > log 2>&1 &", "python3 x.py &", last=True),
    "modules purged again": do("module load gcc|module purge|./a", "module load gcc|ml purge|srun ./a", last=True),
}
FAULTS: dict[str, Planter] = {
    **BOTH,
    **spelled("slurm"),
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
    # GPUs
    "memory for GPUs not asked for": together(say("--mem-per-gpu=16G", "--mem-per-gpu=32G"), whole(without_gpus, None)),
    "cores for GPUs two ways": together(
        say("--cpus-per-gpu=4|--cpus-per-task=4|--gpus=1", "--gpus=1|--cpus-per-gpu=2 -c 2")
    ),
    # output
    "folder made by the job": together(
        say("--output=logs/%j.out", "--error=logs/x.err"), do("mkdir -p logs", "mkdir logs/")
    ),
    # what the job inherits
    "srun without the environment": together(
        say("--export=NONE", "--export=none"), do("srun hostname", "srun ./program")
    ),
    "signal not to the shell": together(
        say("--signal=USR1@60", "--signal=SIGTERM@120", "--signal=10@30"), do("trap 'echo x' USR1", 'trap "save" TERM')
    ),
    # commands
    "cores' variable without request": without(r"--cpus-per-task", "SLURM_CPUS_PER_TASK"),
    "tasks' variable without request": together(
        do("mpirun -np $SLURM_NTASKS ./a", "echo ${SLURM_NTASKS}"), whole(without_tasks, None)
    ),
    "submits itself": do("sbatch $0", 'sbatch "$0"', "sbatch --time=10 $0", last=True),
    # found missing when the check was attacked
    "two directives on a line": change(lambda line, draw: f"{line} {draw.choice(('#SBATCH', '# SBATCH'))} --nodes=1"),
    "prefix with a strange sign": change(lambda line, draw: line.replace("#", draw.choice(("#@", "#$", "#%")), 1)),
    "sbatch for the prefix": change(lambda line, draw: line.replace("#SBATCH", "sbatch"), "--[a-z-]+="),
    "nodes that talk to themselves": together(
        say("--nodes=2", "-N 4"),
        do("export MASTER_ADDR=localhost", "srun torchrun --nnodes=2 --master_addr=localhost x.py"),
    ),
    "no command": whole(lambda text: "\n".join(line for line in text.split("\n") if line.startswith("#")) + "\n"),
    "bash under another interpreter": whole(lambda text: re.sub("^#!.*", "#!/usr/bin/env python3", text), None),
    "bash under csh": whole(lambda text: re.sub("^#!.*", "#!/bin/csh", text), None),
    "threads of the tasks": together(
        do("export OMP_NUM_THREADS=$SLURM_NTASKS", 'export OMP_NUM_THREADS="$SLURM_NNODES"'), say("--cpus-per-task=8")
    ),
}
