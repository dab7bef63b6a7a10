"""Two answerers that bound the scale: the guide's own form, and a breaker that spoils each of its answers."""

import random
import re
from collections.abc import Callable, Iterable

from scripts.bench.task import Task
from scripts.engine.ask import ask, explained, moved
from scripts.facts import Cluster
from scripts.families.shared import script

OWN = re.compile(r"(?ms)^# Put your own program here.*\Z")
PROGRAM = re.compile(r"(?m)(?<=[\s\"])(?:\./my_program|\w+\.py)\b.*$")
CHECK = re.compile(r"(?m)^.*check_gpu\.py.*\n")


def form(tasks: Iterable[Task], clusters: dict[str, Cluster]) -> dict[str, str]:
    """id -> answer: what the form writes, mends, moves or explains."""
    makers = {"write": _written, "repair": _repaired, "move": _moved, "explain": _explained}
    return {task.id: makers[task.kind](task, clusters) for task in tasks}


def _written(task: Task, clusters: dict[str, Cluster]) -> str:
    cluster = clusters[task.system]
    if "file" in task.fields:
        return script(cluster.key, task.fields["file"]).read_text(encoding="utf-8")
    address = "&".join(f"{name}={value.replace('%', '%25')}" for name, value in task.fields.items())
    (found,) = ask("write", [cluster], [address])
    if "script" not in found:
        return found["reason"]
    text = CHECK.sub("", found["script"])
    program = task.wanted["program"]
    name = program if program.endswith(".py") else f"./{program}"
    name += ' "$SLURM_ARRAY_TASK_ID"' if "array" in task.fields else ""
    return OWN.sub(lambda own: PROGRAM.sub(lambda _: name, re.sub(r"\\\n\s*", "", own[0])), text)


def _repaired(task: Task, clusters: dict[str, Cluster]) -> str:
    (found,) = ask("wholly", [clusters[task.system]], [[task.system, task.given]])
    return found["text"]


def _moved(task: Task, clusters: dict[str, Cluster]) -> str:
    found = moved(clusters[task.source], clusters[task.system], task.given)
    return found["script"] or " ".join(found["impossible"])


def _explained(task: Task, clusters: dict[str, Cluster]) -> str:
    _, found = explained(clusters[task.system], task.given)
    means = found[0]["means"] if found else ""
    return next((letter for letter, text in task.choices.items() if means.endswith(text)), "")


# --- the breaker


def breaker(tasks: Iterable[Task], clusters: dict[str, Cluster]) -> dict[str, str]:
    """Each of the form's answers with one damage, drawn by the task's name, of those that change it."""
    tasks = list(tasks)
    right = form(tasks, clusters)
    return {task.id: _broken(task, right[task.id]) for task in tasks}


def _broken(task: Task, answer: str) -> str:
    draw = random.Random(task.id)
    if task.reply == "letter":
        return draw.choice([letter for letter in "ABCD" if letter != answer])
    names = list(DAMAGES)[: OF_COMMANDS if task.reply == "command" else None]
    draw.shuffle(names)
    return next(spoilt for name in names if (spoilt := DAMAGES[name](answer)) != answer)


def _double(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, lambda found: f"{found[1]}{int(found[2]) * 2}", text)


def _longer(text: str) -> str:
    return re.sub(
        r"((?:--time[= ]|-t |h_rt=))(?:(\d+)-)?(\d+)(:\d+:\d+)",
        lambda found: f"{found[1]}{int(found[2] or 0) * 48 + int(found[3]) * 2 + 1}{found[4]}",
        text,
    )


OF_COMMANDS = 4  # so many of them, from the first, spoil a command too
DAMAGES: dict[str, Callable[[str], str]] = {
    "other partition": lambda text: re.sub(r"(--partition=|-p )\S+", r"\1gpu-large", text),
    "no account": lambda text: re.sub(r"(?m)^#SBATCH --account=.*\n|--account=\S+ ?", "", text),
    "twice the GPUs": _double(r"((?:--gres=gpu|--gpus|--gpus-per-node)[:=](?:[\w.]+:)?)(\d+)\b"),
    "twice the time": _longer,
    "twice the array": _double(r"(--array=1-)(\d+)"),
    "no directive": lambda text: (
        text.replace("#SBATCH", "# SBATCH").replace("srun ", "sinfo ").replace("salloc", "sinfo")
    ),
    "quote left open": lambda text: text.rstrip("\n") + '\necho "done\n',
    "only words": lambda _: "Sure! Here is how I would do it: ask for the GPUs that you need, and start your program.",
}
