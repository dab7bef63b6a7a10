"""Rules that no pattern can express. Each says where, and the words that its sentence is filled with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.check.directives import Option, components, last
from scripts.check.rules.script import Script
from scripts.check.slurm_options import SRUN_TAKES, TAKES

# How an option asks for GPUs with their model, and without.
_GPUS = (r"^[A-Za-z][\w.-]*(:[1-9]\d*)?$", r"^[1-9]\d*$")
REQUESTS = {
    "gres": (r"(^|,)gpu:[A-Za-z][\w.-]*(:[1-9]\d*)?(,|$)", r"(^|,)gpu(:[1-9]\d*)?(,|$)"),
    "gpus": _GPUS,
    "gpus-per-node": _GPUS,
    "gpus-per-task": _GPUS,
}


@dataclass(frozen=True)
class Fault:
    line: int
    matched: tuple[str, ...]
    option: str | None = None


ADD_UP = {"mail-type", "licenses"}  # options whose values add up when they are given again
COUNTS_ONCE = {"N", "pe", "j"}  # Grid Engine: those that it says it overrides
# Variables that are there only with an option, or with one of several (Slurm's manual of sbatch, output environment).
ONLY_WITH = {
    "SLURM_NTASKS_PER_NODE": ("ntasks-per-node",),
    "SLURM_NTASKS_PER_GPU": ("ntasks-per-gpu",),
    "SLURM_NTASKS_PER_CORE": ("ntasks-per-core",),
    "SLURM_NTASKS_PER_SOCKET": ("ntasks-per-socket",),
    "SLURM_GPUS": ("gpus",),
    "SLURM_GPUS_PER_NODE": ("gpus-per-node",),
    "SLURM_GPUS_PER_TASK": ("gpus-per-task",),
    "SLURM_GPUS_PER_SOCKET": ("gpus-per-socket",),
    "SLURM_CPUS_PER_GPU": ("cpus-per-gpu",),
    "SLURM_MEM_PER_GPU": ("mem-per-gpu",),
    "SLURM_MEM_PER_CPU": ("mem-per-cpu",),
}


def said_twice(script: Script) -> Iterator[Fault]:
    """An option that is there twice with two values: the last one counts."""
    grid_engine = script.kind == "grid_engine"
    for options in [script.options] if grid_engine else components(script.options):
        counts = last(options)
        for option in options:
            other = counts[option.name]
            counted = option.name in COUNTS_ONCE if grid_engine else option.name not in ADD_UP
            if option.known and option.value != other.value and counted:
                yield Fault(option.line, (option.written, other.written, str(other.line)), option.written)


def resource_twice(script: Script) -> Iterator[Fault]:
    """Grid Engine: a resource of -l that is there twice with two values: the last one counts."""
    lists = [option for option in script.options if option.name == "l" and option.value]
    asked = [(part.split("=")[0], part, option) for option in lists for part in option.value.split(",")]
    counts = {name: (part, option.line) for name, part, option in asked}
    for name, part, option in asked:
        other, line = counts[name]
        if part != other:
            yield Fault(option.line, (part, other, str(line)), option.written)


def array_backwards(script: Script) -> Iterator[Fault]:
    """Grid Engine: the first task of an array has a larger number than the last."""
    for option in script.options:
        ends = re.match(r"(\d{1,15})-(\d{1,15})(?!\d)", option.value or "") if option.name == "t" else None
        if ends and int(ends[1]) > int(ends[2]):
            yield Fault(option.line, (option.written, f"{ends[2]}-{ends[1]}"), option.written)


def unknown_option(script: Script) -> Iterator[Fault]:
    """A word that begins with two dashes and is no option of sbatch."""
    for option in script.options:
        if not option.known and option.written.startswith("--") and re.match(r"--[\w-]", option.written):
            name = option.written[2:].split("=")[0].split()[0]
            close = difflib.get_close_matches(name, TAKES, 1)
            yield Fault(option.line, (f"--{name}", f"Did you mean --{close[0]}?" if close else ""), option.written)


def stray_word(script: Script) -> Iterator[Fault]:
    """A word in a directive that belongs to no option. Behind `--time =` it is the value, which another rule tells."""
    for before, option in _stray(script):
        if not before:
            yield Fault(option.line, (option.written,), option.written)


def blank_after_equals(script: Script) -> Iterator[Fault]:
    """An option that ends with an equals sign, and its value as a word of its own."""
    for before, _ in _stray(script):
        if before:
            yield Fault(before.line, (before.written,), before.written)


def _stray(script: Script) -> Iterator[tuple[Option | None, Option]]:
    """Each word that is no option, with the option before it that lacks its value, if there is one."""
    for before, option in zip([None, *script.options], script.options, strict=False):
        if not option.known and not option.written.startswith("-"):
            lacks = before and before.line == option.line and re.match(r"-.*=$", before.written)
            yield before if lacks else None, option


def more_nodes_than_tasks(script: Script) -> Iterator[Fault]:
    """More nodes than tasks: Slurm takes fewer nodes, and says so only where one looks."""
    for options in components(script.options):
        found = last(options)
        nodes, tasks = _number(found, "nodes"), _number(found, "ntasks")
        if nodes and tasks and nodes > tasks:
            yield Fault(found["nodes"].line, (str(nodes), str(tasks)), found["nodes"].written)


def _number(options: dict[str, Option], name: str) -> int | None:
    value = options[name].value if name in options else None
    return int(value) if value and re.fullmatch("[0-9]{1,15}", value) else None


def late_folder(script: Script) -> Iterator[Fault]:
    """The folder of the output is made by the job itself, which starts only once its output is open."""
    made = " ".join(each.text for each in script.commands if each.text.startswith("mkdir"))
    for option in script.options:
        folder = (option.value or "").rpartition("/")[0].removeprefix("./")
        named = re.escape(folder)
        if option.name in ("output", "error", "o", "e") and folder and re.search(rf"[ /'\"]{named}/?(['\" ]|$)", made):
            yield Fault(option.line, (option.value or "", folder), option.written)


def purged_at_the_end(script: Script) -> Iterator[Fault]:
    """Modules are unloaded behind the last one that was loaded, and before the work."""
    loads = r"^(module\s+(load|add|swap|restore|use)|ml\s+(?!purge|reset|list|avail))\b"
    loaded = [place for place, each in enumerate(script.commands) if re.match(loads, each.text)]
    if not loaded:
        return
    behind = script.commands[loaded[-1] + 1 :]
    for place, command in enumerate(behind):
        if re.match(r"(module|ml)\s+(--force\s+)?(purge|reset)\b", command.text):
            worked = any(not re.match(r"(module|ml|echo|export|set)\b", each.text) for each in behind[:place])
            if not worked and behind[place + 1 :]:
                yield Fault(command.line, (command.text,))
            return


def variable_without_option(script: Script) -> Iterator[Fault]:
    """A variable that Slurm sets only with an option, which the script has not."""
    told = set()
    for command in script.commands:
        for name in re.findall(r"\$\{?(SLURM_\w+)(?![\w]|:?[-=+?])", command.text):
            options = ONLY_WITH.get(name, ())
            if not options or name in told or not script.names.isdisjoint(options):
                continue
            if name == "SLURM_MEM_PER_CPU" and script.names.isdisjoint({"mem", "mem-per-gpu"}):
                continue  # a partition's default may set it
            told.add(name)
            if not script.does(rf"\b{name}=|^\[.*{name}|^(if|test)\b.*{name}"):
                yield Fault(command.line, (f"${name}", f"--{options[0]}", name))


def threads_of_the_tasks(script: Script) -> Iterator[Fault]:
    """The number of threads is that of tasks or nodes, though each task has several cores."""
    cores = _number(last(script.options), "cpus-per-task")
    of = r"SLURM_(?:(NTASKS|NPROCS|NTASKS_PER_NODE|TASKS_PER_NODE)|(NNODES|JOB_NUM_NODES)|(JOB_ID))\b"
    for command in script.commands:
        match = re.search(rf"\bOMP_NUM_THREADS=[\"']?(\$\{{?{of}\}}?)", command.text)
        if match and cores and cores > 1:
            yield Fault(
                command.line, (match[1], "tasks" if match[2] else "nodes" if match[3] else "the job", str(cores))
            )


def tasks_per_node_over_tasks(script: Script) -> Iterator[Fault]:
    """More tasks a node than there are tasks: Slurm takes it for an upper bound."""
    for options in components(script.options):
        found = last(options)
        each, tasks = _number(found, "ntasks-per-node"), _number(found, "ntasks")
        if each and tasks and each > tasks:
            here = found["ntasks-per-node"]
            yield Fault(here.line, (here.written, str(tasks), str(found["ntasks"].line)), here.written)


def model_named_once(script: Script) -> Iterator[Fault]:
    """Two requests for GPUs, of which one names the model and the other does not."""
    for options in components(script.options):
        found = last(options)
        asked = [each for each in options if each.name in REQUESTS and each == found[each.name]]
        typed = [each for each in asked if re.search(REQUESTS[each.name][0], each.value or "")]
        plain = [each for each in asked if re.search(REQUESTS[each.name][1], each.value or "")]
        if typed and plain:
            first, second = sorted((typed[-1], plain[-1]), key=asked.index)
            yield Fault(second.line, (first.written, second.written), second.written)


def unknown_srun_option(script: Script) -> Iterator[Fault]:
    """A long option of srun's own, before the program's name, that it does not have."""
    for command in script.commands:
        words = command.text.split()
        if not words or words[0] != "srun":
            continue
        for word in words[1:]:
            if not word.startswith("-"):
                if re.fullmatch(r"\d[\d:.-]*", word):
                    continue  # the value of a short option
                break
            name = word[2:].split("=")[0]
            if not re.fullmatch(r"--[a-z][\w-]*(=.*)?", word) or any(each.startswith(name) for each in SRUN_TAKES):
                continue
            close = difflib.get_close_matches(name, SRUN_TAKES, 1)
            cure = f"Did you mean --{close[0]}?" if close else "See man srun."
            yield Fault(command.line, (f"--{name}", cure))
            return
