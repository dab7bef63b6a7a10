"""A scheduler's words: the reason in them, and which options they speak of."""

from __future__ import annotations

import re

from scripts.check.directives import Option

# What schedulers say around the reason.
AROUND = re.compile(
    r"^(sbatch: |srun: |error: |fatal: |allocation failure: |Unable to run job: |\S+: line \d+: "
    r"|Unable to read script file because of error: |Job \d+ (\(.*?\) )?)+|\.$"
)
EMPTY = {
    "",
    "Unspecified error",
    "Exiting",
    "verification: no suitable queues",
    'Try "sbatch --help" for more information',
}
# What Grid Engine says once for each of its hosts or queues: the pattern, and the words for all of them.
OF_EACH_HOST = (
    (re.compile(r'(cannot run at host) ".*?"'), r"\1"),
    (re.compile(r'cannot run in queue ".*?" because of cluster queue'), "longer than the queue allows"),
    (re.compile(r'(cannot run in queue) ".*?"'), r"\1"),
)
# Part of a refusal -> the options that it can be about, the likeliest first.
ABOUT = {
    "partition name": ("partition",),
    "partition configuration": ("partition",),
    "GPU jobs only": ("partition",),
    "time limit": ("time",),
    "time-min": ("time-min", "time"),
    "Invalid account": ("account",),
    "nnodes": ("nodes", "ntasks"),
    "Node count": ("nodes", "ntasks", "ntasks-per-node"),
    "node configuration": (
        *("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "nodes", "cpus-per-task", "ntasks"),
        *("ntasks-per-node", "mem", "mem-per-cpu", "mem-per-gpu", "constraint", "cpus-per-gpu", "tmp", "mincpus"),
        *("sockets-per-node", "cores-per-socket", "threads-per-core", "extra-node-info", "exclusive"),
    ),
    "CPU count": ("cpus-per-task", "ntasks", "ntasks-per-node", "cpus-per-gpu", "mincpus"),
    "processors": ("cpus-per-task", "ntasks", "ntasks-per-node", "nodes"),
    "Memory": ("mem", "mem-per-cpu", "mem-per-gpu", "ntasks", "cpus-per-task"),
    "GRES": ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task"),
    "GPU": ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "ntasks-per-gpu", "nodes"),
    "MIG": ("gres", "gpus", "gpus-per-node", "gpus-per-task"),
    "gres": ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task"),
    "TRES": ("gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task"),
    "cores": ("cpus-per-task", "ntasks", "ntasks-per-node", "cpus-per-gpu", "pe"),
    "feature": ("constraint", "prefer"),
    "array": ("array",),
    "dependency": ("dependency",),
    "nice": ("nice",),
    "h_rt": ("l",),
    "longer than the queue": ("l",),
    "offers only": ("l", "pe"),
    "resource": ("l",),
    "parallel environment": ("pe",),
    "project": ("P",),
}
_PARSER = (
    "unrecognized option",
    "invalid option",
    "ambiguous",
    "Invalid directive",
    "Unknown option",
    "invalid option argument",
)


def clean(line: str) -> str:
    """A line of a refusal without what stands around the reason."""
    line = AROUND.sub("", line)
    for pattern, words in OF_EACH_HOST:
        line = pattern.sub(words, line)
    return line


def reasons(said: str) -> list[str]:
    """The reasons in a scheduler's refusal, each once, at most three."""
    lines = dict.fromkeys(clean(line) for line in said.splitlines())
    told = [line for line in lines if line not in EMPTY and "unknown resource (" not in line]
    return told[:3] or [said.strip()]


def about(said: str, options: list[Option]) -> list[Option]:
    """The options that a refusal is likely to be about, the likeliest first."""
    names = re.findall(r"--?([a-z][\w-]+)", said)
    names += [name for part, known in ABOUT.items() if part in said for name in known]
    found = [option for name in names for option in options if option.name == name]
    if any(part in said for part in _PARSER):
        found = [option for option in options if not option.known] + found
    return list(dict.fromkeys(found))
