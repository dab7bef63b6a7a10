"""Faults that are planted by machine into the guide's own sound job scripts: each class has many spellings, drawn by a
seed, so that every run plants the same. A planter changes the lines and says on which of them the fault stands."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.facts import load_all
from scripts.paths import SNIPPETS

Lines = list[str]
Spoilt = tuple[Lines, set[int]] | None  # the lines, and those (from 1) of which one must be named; None: not here
Planter = Callable[[Lines, random.Random], Spoilt]


@dataclass(frozen=True)
class Plant:
    """A spoilt script. fault: the class of the fault. lines: a finding must stand on one of them."""

    fault: str
    script: Path
    data: bytes
    lines: frozenset[int]

    def planted(self) -> str:
        lines = self.data.decode().split("\n")
        return " / ".join(lines[line - 1] for line in sorted(self.lines)[:3])


@cache
def job_scripts(kind: str) -> list[Path]:
    keys = [key for key, cluster in load_all().items() if cluster.scheduler.kind == kind]
    return [path for key in keys for path in sorted((SNIPPETS / key).glob("*.sh")) if path.name != "interactive.sh"]


def plants(kind: str, faults: dict[str, Planter], most: int, spellings: int) -> Iterator[Plant]:
    """Each fault in so many scripts at most, drawn, and in so many spellings; fewer where they come out the same."""
    for fault, plant in faults.items():
        scripts = job_scripts(kind)
        for script in random.Random(fault).sample(scripts, min(most, len(scripts))):
            text = script.read_text(encoding="utf-8")
            seen = {text}
            for spelling in range(spellings):
                draw = random.Random(f"{fault}/{script.parent.name}/{script.name}/{spelling}")
                spoilt = plant(text.split("\n"), draw)
                new = "\n".join(spoilt[0]) if spoilt else text
                if spoilt and new not in seen:
                    seen.add(new)
                    yield Plant(fault, script, new.encode(), frozenset(spoilt[1]))


# --- how a fault is planted


def directives(lines: Lines) -> list[int]:
    return [place for place, line in enumerate(lines) if line.startswith(("#SBATCH ", "#$ "))]


def change(change: Callable[[str, random.Random], str], having: str = "") -> Planter:
    """One directive (of those that match) becomes another line."""

    def plant(lines: Lines, draw: random.Random) -> Spoilt:
        places = [place for place in directives(lines) if re.search(having, lines[place])]
        if not places:
            return None
        place = draw.choice(places)
        lines[place] = change(lines[place], draw)
        return lines, {place + 1}

    return plant


def say(*spellings: str) -> Planter:
    """A directive, in one of these spellings (several lines: `|` between them), replaces those of the same option. The
    fault stands on each of its lines."""

    def plant(lines: Lines, draw: random.Random) -> Spoilt:
        words = draw.choice(spellings).split("|")
        prefix = next(line for line in lines if line.startswith(("#SBATCH", "#$"))).split(" ")[0]
        names = {
            name for word in words for name in re.findall(r"--([a-z-]+)|(?<=-)([A-Za-z]+)\b", word) for name in name
        }
        names |= {LONG[name] for name in names if name in LONG}
        kept = [line for line in lines if not (line.startswith(prefix) and names & option_names(line))]
        new = [f"{prefix} {word}" if not word.startswith("#") else word for word in words]
        at = draw.randint(1, 2) if len(kept) > 3 and kept[1].startswith(prefix) else 1
        return kept[:at] + new + kept[at:], set(range(at + 1, at + 1 + len(new)))

    return plant


LONG = {"A": "account", "J": "job-name", "o": "output", "e": "error", "p": "partition", "t": "time", "n": "ntasks"}
LONG |= {"N": "nodes", "c": "cpus-per-task", "G": "gpus", "a": "array", "D": "chdir", "q": "qos"}


def option_names(line: str) -> set[str]:
    return {long or short for long, short in re.findall(r"\s--([a-z-]+)|\s-([A-Za-z]+)\b", line)}


def whole(change: Callable[[str], str], at: int | None = 1) -> Planter:
    """The whole text changes; the fault is on this line, or (None) anywhere."""

    def plant(lines: Lines, draw: random.Random) -> Spoilt:
        new = change("\n".join(lines)).split("\n")
        return new, {at} if at else set(range(1, len(new) + 1))

    return plant
