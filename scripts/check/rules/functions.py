"""Rules that no pattern can express. Each says where, and the words that its sentence is filled with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.check.directives import Option, components, last
from scripts.check.rules.script import Script
from scripts.check.slurm_options import TAKES


@dataclass(frozen=True)
class Fault:
    line: int
    matched: tuple[str, ...]
    option: str | None = None


ADD_UP = {"mail-type", "licenses", "v", "l", "pe", "m"}  # options whose values add up when they are given again


def said_twice(script: Script) -> Iterator[Fault]:
    """An option that is there twice with two values: the last one counts."""
    if script.kind != "slurm":
        return
    for options in components(script.options):
        counts = last(options)
        for option in options:
            other = counts[option.name]
            if option.known and option.value != other.value and option.name not in ADD_UP:
                yield Fault(option.line, (option.written, other.written, str(other.line)), option.written)


def unknown_option(script: Script) -> Iterator[Fault]:
    """A word that begins with two dashes and is no option of sbatch."""
    for option in script.options:
        if not option.known and option.written.startswith("--") and re.match(r"--[\w-]", option.written):
            name = option.written[2:].split("=")[0].split()[0]
            close = difflib.get_close_matches(name, TAKES, 1)
            yield Fault(option.line, (f"--{name}", f"Did you mean --{close[0]}?" if close else ""), option.written)


def stray_word(script: Script) -> Iterator[Fault]:
    """A word in a directive that belongs to no option."""
    for option in script.options:
        if not option.known and not option.written.startswith("-"):
            yield Fault(option.line, (option.written,), option.written)


def more_nodes_than_tasks(script: Script) -> Iterator[Fault]:
    """More nodes than tasks: Slurm takes fewer nodes, and says so only where one looks."""
    for options in components(script.options):
        found = last(options)
        nodes, tasks = _number(found, "nodes"), _number(found, "ntasks")
        if nodes and tasks and nodes > tasks:
            yield Fault(found["nodes"].line, (str(nodes), str(tasks)), found["nodes"].written)


def _number(options: dict[str, Option], name: str) -> int | None:
    value = options[name].value if name in options else None
    return int(value) if value and value.isdecimal() else None


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
        if re.match(r"(module|ml)\s+(purge|reset)\b", command.text):
            worked = any(not re.match(r"(module|ml|echo|export|set)\b", each.text) for each in behind[:place])
            if not worked and behind[place + 1 :]:
                yield Fault(command.line, (command.text,))
            return
