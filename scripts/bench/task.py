"""What a task is, and what of it everybody may see."""

import json
import random
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from scripts.errors import BadInput
from scripts.facts import Cluster, load_all
from scripts.facts.model import Rule

WORDS = Path(__file__).with_name("words.yml")
KINDS = ("write", "repair", "move", "explain")


@dataclass(frozen=True)
class Task:
    """given: a script or a message. choices: letter -> text of an explain task.

    wanted is the grader's: gpus, gpu (keys of the facts, any of which will do), nodes, tasks, cores, jobs, at_once:
    numbers. minutes; memory: MiB on each node. account, program: names. software: pytorch, jax, numba or container.
    disk: the node's own is used. choice: a letter. reply: script, command or letter.
    fields: what the guide's form is asked; for the reference answer alone.
    """

    id: str
    kind: str
    system: str
    request: str
    given: str = ""
    source: str = ""
    choices: dict[str, str] = field(default_factory=dict)
    reply: str = "script"
    wanted: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)

    def shown(self, with_answers: bool) -> dict[str, Any]:
        hidden = {"wanted": self.wanted} if with_answers else {}
        seen = {"id": self.id, "kind": self.kind, "system": self.system, "request": self.request, "reply": self.reply}
        return seen | ({"from": self.source} if self.source else {}) | hidden


@cache
def words() -> dict[str, Any]:
    return yaml.safe_load(WORDS.read_text(encoding="utf-8"))


def say(draw: random.Random, *names: str, **values: object) -> str:
    """One phrase of each list, filled in, and as sentences. A program's name stays as it is."""
    phrases = [draw.choice(words()[name]) for name in names]
    said = ((phrase.format(**values), phrase.startswith(("{program}", "hi,"))) for phrase in phrases)
    return " ".join(text if as_it_is else text[0].upper() + text[1:] for text, as_it_is in said)


def drawer(seed: int, cluster: Cluster, kind: str, number: int) -> random.Random:
    """Each task draws for itself, so that one more elsewhere changes none."""
    return random.Random(f"{seed}/{cluster.key}/{kind}/{number}")


def named(seed: int, cluster: Cluster, kind: str, number: int) -> str:
    return f"{cluster.key}-{kind}-{number:02}-s{seed}"


def account(cluster: Cluster) -> str | None:
    """The account that the user of a task has; none where jobs name none."""
    policy = cluster.policy
    return None if policy.account.rule in (Rule.LEAVE_OUT, Rule.IGNORED) else policy.sample_account


def clock(minutes: int) -> str:
    """As people say it: `90 minutes`, `2 days`, `36 hours`."""
    if minutes % 1440 == 0 and minutes > 1440:
        return f"{minutes // 1440} days"
    if minutes % 60 == 0:
        return f"{minutes // 60} hour{'s' if minutes > 60 else ''}"
    return f"{minutes} minutes"


def gpu_words(cluster: Cluster, key: str, number: int) -> str:
    """As people say it: `two GPUs`, with the model where the system has several."""
    gpu = cluster.gpus[key]
    whole = [each for each in cluster.gpus.values() if each.is_slice == gpu.is_slice]
    counted = {1: "one", 2: "two", 3: "three", 4: "four", 8: "eight"}.get(number, str(number))
    if gpu.is_slice:
        return f"{counted} slice{'s' if number > 1 else ''} of {gpu.model} with {gpu.memory}"
    model = f" ({gpu.model}, {gpu.memory}{' each' if number > 1 else ''})" if len(whole) > 1 else ""
    return f"{counted} GPU{'s' if number > 1 else ''}{model}"


def read(path: Path) -> list[Task]:
    """A file of tasks with what is wanted, as `guide bench tasks --with-answers` prints it.

    Raises BadInput for the first line that is no such task.
    """
    cure = "Write the file with `guide bench tasks --with-answers`."
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        raise BadInput(path, None, "it is not a readable text file.", "Name a file of tasks.") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            given = {name: entry[name] for name in ("id", "kind", "system", "request", "reply", "wanted")}
            task = TypeAdapter(Task).validate_python(given)
            real = task.system in load_all() or re.fullmatch("madeup(0|[1-9][0-9]*)", task.system)
            if not real or task.kind not in KINDS or (task.reply == "letter" and "choice" not in task.wanted):
                raise KeyError(task.id)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise BadInput(path, number, "this line is not a task with its expected answer.", cure) from None
        found.append(task)
    if not found:
        raise BadInput(path, None, "this file has no tasks.", cure)
    return found
