"""An old script beside the successor's of the same name, line by line."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from scripts.facts.model import Cluster
from scripts.families import shared
from scripts.migration.line import options, script

# What an option of Grid Engine is called in Slurm.
SAME = {"N": "job-name", "o": "output", "h_rt": "time", "h_vmem": "mem", "pe": "cpus-per-task", "m": "mail-type"}
SOFTWARE = ("module load", "export PATH=", "virtualenv")
GPUS = ("gres", "gpus", "gpus-per-node")
Pair = tuple[str, str]  # old, new; empty where there is none


def scripts(old: Cluster, new: Cluster) -> list[str]:
    """The names of those that both have."""
    here, there = ({path.name for path in shared.scripts(cluster.key)} for cluster in (old, new))
    return sorted(here & there, key=lambda name: (name != "one_gpu.sh", name))


def side_by_side(old: Cluster, new: Cluster, name: str) -> list[Pair]:
    """Directives by what they ask for, all other lines in their order. Empty lines are left out."""
    before, after = _body(old, name), _body(new, name)
    first = [(before.pop(0), after.pop(0))] if before[0][:2] == after[0][:2] == "#!" else []
    return [*first, *_directives(old, new, name), *_commands(before, after)]


def _named(cluster: Cluster, name: str) -> dict[str, str]:
    """What it asks for -> the directive."""
    resources = {gpu.gres for gpu in cluster.gpus.values()}
    found = {}
    for option, given in options(cluster, name).items():
        what = "gpu" if option in GPUS or option in resources else SAME.get(option, option)
        found[what] = f"{cluster.scheduler.words.prefix} {given.written}"
    return found


def _directives(old: Cluster, new: Cluster, name: str) -> Iterator[Pair]:
    before, after = _named(old, name), _named(new, name)
    for what, line in before.items():
        yield line, after.pop(what, "")
    for line in after.values():
        yield "", line


def _body(cluster: Cluster, name: str) -> list[str]:
    prefix = cluster.scheduler.words.prefix
    return [line for line in script(cluster, name) if line and not line.startswith(prefix)]


def _commands(before: list[str], after: list[str]) -> Iterator[Pair]:
    bare = [[line.removeprefix("srun ").partition("=")[0] for line in lines] for lines in (before, after)]
    for _, old, old_end, new, new_end in SequenceMatcher(None, *bare, autojunk=False).get_opcodes():
        for line, other in zip_longest(before[old:old_end], after[new:new_end], fillvalue=""):
            if not (line and other) or _does(line) == _does(other):
                yield line, other
            else:
                yield line, ""
                yield "", other


def _does(line: str) -> str:
    """Its command; all that bring software are one, and so are all that open a session."""
    if line.startswith("qrsh") or "--pty" in line:
        return "session"
    return "software" if line.startswith(SOFTWARE) else line.removeprefix("srun ").split()[0].partition("=")[0]
