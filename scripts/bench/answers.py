"""Read answers, and take the script, the command or the letter out of each. An answer is data, whatever it says."""

import json
import re
import shlex
from codecs import BOM_UTF8
from pathlib import Path

from scripts.bench.task import Task
from scripts.errors import BadInput

LONGEST = 200_000  # bytes of one answer, of which a job script needs a few thousand
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n(.*?)^ {0,3}\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
SCRIPT = re.compile(r"^(#!|#SBATCH|#\$ )", re.MULTILINE)
COMMANDS = ("salloc", "srun", "ijob")
COMMAND = re.compile(rf"^[ \t]*(?:\$ )?((?:{'|'.join(COMMANDS)})\b.*)$", re.MULTILINE)
BY_HAND = {"--pty", "--x11", "--unbuffered", "-u", "--no-shell"}  # of a command, not of a job


class Unread(Exception):
    """Why nothing can be taken out of an answer: a sentence."""


def read(path: Path) -> dict[str, tuple[int, str]]:
    """id -> line, answer. Raises BadInput for the first line that is no answer, or answers again."""
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).split(b"\n")
    except OSError as fault:
        raise BadInput(path, None, f"the file cannot be read: {fault.strerror}.", "Name a file of answers.") from None
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, answer = _one(path, number, line)
        if name in found:
            raise BadInput(path, number, f"the task `{name}` is answered twice.", "Keep one answer.")
        found[name] = number, answer
    return found


def of_tasks(path: Path, found: dict[str, tuple[int, str]], known: set[str]) -> dict[str, str]:
    """id -> answer. Raises BadInput for the first that answers none of these tasks."""
    for name, (number, _) in found.items():
        if name not in known:
            cure = "Choose the tasks with the same --seed, --kind, --system and --made-up as before."
            raise BadInput(path, number, f"there is no task `{name[:80]}`.", cure)
    return {name: answer for name, (_, answer) in found.items()}


def _one(path: Path, number: int, line: bytes) -> tuple[str, str]:
    form = 'Write {"id": "…", "answer": "…"} on one line.'
    if len(line) > LONGEST:
        what = f"the line has {len(line):,} bytes, but at most {LONGEST:,} are allowed."
        raise BadInput(path, number, what, "Shorten the answer.")
    try:
        entry = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput(path, number, "this line is not UTF-8 text.", form) from None
    except (ValueError, RecursionError):
        raise BadInput(path, number, "this line is not JSON.", form) from None
    for key in ("id", "answer"):
        if not isinstance(entry, dict) or not isinstance(entry.get(key), str):
            raise BadInput(path, number, f"this line has no text `{key}`.", form)
    return entry["id"], entry["answer"]


def taken(task: Task, answer: str) -> str:
    """The letter, or the script; a command becomes the script that asks for the same. Raises Unread."""
    if not answer.strip():
        raise Unread("the answer is empty")
    if task.reply == "letter":
        letters = set(re.findall(r"\b[A-D]\b", answer))
        if len(letters) != 1:
            raise Unread(f"the answer names {len(letters)} letters, not one")
        return letters.pop()
    if task.reply == "command":
        return as_script(answer)
    text = _script(answer)
    if re.search("[\0\ud800-\udfff]", text):
        raise Unread("the script is not text")
    return text


def _script(answer: str) -> str:
    """That of the one fence that holds one; without a fence all from its first line on."""
    fenced = [inside for _, inside in FENCE.findall(answer)]
    if fenced:
        scripts = [inside for inside in fenced if SCRIPT.search(inside)]
        if len(scripts) != 1:
            raise Unread(f"the answer has {len(scripts)} scripts in code fences, not one")
        return scripts[0]
    start = SCRIPT.search(answer)
    if not start:
        raise Unread("the answer has no script")
    return answer[start.start() :].strip("\n") + "\n"


def as_script(answer: str) -> str:
    """The batch script that asks for what a command of the login node asks for. Raises Unread."""
    lines = COMMAND.findall(re.sub(r"\\\n\s*", "", answer))
    if len(lines) != 1:
        raise Unread(f"the answer has {len(lines)} commands ({', '.join(COMMANDS)}), not one")
    try:
        words = shlex.split(lines[0])[1:]
    except ValueError:
        raise Unread("a quotation mark in the command is not closed") from None
    options = []
    while words and (words[0].startswith("-") or options and "=" not in options[-1] and options[-1].startswith("-")):
        options.append(words.pop(0))
        if options[-1] in BY_HAND:
            options.pop()
            if words and not words[0].startswith("-"):
                break
    return f"#!/bin/bash\n#SBATCH {shlex.join(options)}\nhostname\n"
