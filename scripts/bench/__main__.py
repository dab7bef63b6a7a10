"""Print tasks for job scripts in users' words, and grade the answers of an assistant or your own.

    guide bench tasks > tasks.jsonl                 the tasks (select them with --kind, --system, --seed)
    guide bench tasks --made-up --seed 7 --with-instructions
                                                    tasks for a made-up cluster, with its INSTRUCTIONS.md
    guide bench answer --by form > answers.jsonl    the answers of the guide's form, which are all correct
    guide bench grade answers.jsonl                 the first step that each answer fails, and a table

An answer is a line {"id": …, "answer": …}. Give `grade` the same options as `tasks`, or the file of tasks.
The exit status is 0, or 1 if an answer fails.
"""

import argparse
import json
from collections.abc import Iterable

from scripts.agents.instructions import of_cluster
from scripts.bench import answers, made_up, reference
from scripts.bench.choose import SEED, chosen
from scripts.bench.grade import grade
from scripts.bench.table import lines, table
from scripts.bench.task import KINDS, Task, read
from scripts.errors import BadInput, did_you_mean, named, parser_of, run
from scripts.facts import Cluster, load_all
from scripts.twin import twin_of

BY = {"form": reference.form, "breaker": reference.breaker}


def main() -> int:
    given = _arguments().parse_args()
    return COMMANDS[given.command](given)


def _arguments() -> argparse.ArgumentParser:
    parser = parser_of("guide bench", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in COMMANDS:
        command = commands.add_parser(name, help=COMMANDS[name].__doc__)
        command.add_argument(
            "--seed", type=int, default=SEED, help=f"draws other tasks of the same kinds; default: {SEED}"
        )
        command.add_argument("--kind", action="append", choices=KINDS, help="a kind of task; can be repeated")
        command.add_argument("--system", action="append", help="a system, such as kestrel; can be repeated")
        command.add_argument("--made-up", action="store_true", help="only for the made-up cluster of this seed")
        for words, options in OPTIONS[name].items():
            command.add_argument(*words.split(), **options)
    return parser


def _chosen(given: argparse.Namespace) -> tuple[list[Task], dict[str, Cluster]]:
    systems = given.system or ()
    if given.seed < 0:
        raise BadInput("--seed", None, "a seed is 0 or more.", "Choose such a number.")
    if given.made_up:
        if systems:
            raise BadInput("bench", None, "--made-up has only one system, so --system has no effect.", "Omit --system.")
        cluster = made_up.made_up(given.seed)
        clusters = {cluster.key: cluster}
    else:
        clusters = load_all()
        for key in systems:
            if key not in clusters:
                raise BadInput("bench", None, f"there is no system `{key}`.", did_you_mean(key, list(clusters)))
    found = chosen(clusters, given.seed, given.kind or KINDS, systems)
    if not found:
        cure = "Choose --kind explain, because a retired system has no scripts to write or repair."
        raise BadInput("bench", None, "no task matches these options.", cure)
    return found, clusters


def tasks(given: argparse.Namespace) -> int:
    """print the tasks"""
    found, clusters = _chosen(given)
    systems = sorted({task.system for task in found}) if given.with_instructions else ()
    known = {key: of_cluster(clusters[key], clusters, "../../") for key in systems}
    for task in found:
        more = {"instructions": known[task.system]} if known else {}
        _print([task.shown(given.with_answers) | more])
    return 0


def answer(given: argparse.Namespace) -> int:
    """print the answers of the guide's form, or deliberately wrong ones"""
    found, clusters = _chosen(given)
    _print({"id": name, "answer": text} for name, text in BY[given.by](found, clusters).items())
    return 0


def grade_file(given: argparse.Namespace) -> int:
    """grade a file of answers"""
    given_answers = answers.read(given.file)  # before the tasks are made, which takes longer
    if given.tasks:
        found = read(given.tasks)
        seeds = {int(task.system.removeprefix("madeup")) for task in found if task.system.startswith("madeup")}
        clusters = load_all() | {cluster.key: cluster for cluster in map(made_up.made_up, sorted(seeds))}
    else:
        found, clusters = _chosen(given)
    own = answers.of_tasks(given.file, given_answers, {task.id for task in found})
    grades = grade(found, own, clusters, twin_of if given.twin or given.run else None, given.run)
    if given.json:
        print(json.dumps([each.as_json() for each in grades], indent=1, ensure_ascii=False))
    else:
        print(*lines(grades), "", *table(grades), sep="\n")
    return 0 if all(each.passed for each in grades) else 1


def _print(entries: Iterable[dict]) -> None:
    for entry in entries:
        print(json.dumps(entry, ensure_ascii=False))


COMMANDS = {"tasks": tasks, "answer": answer, "grade": grade_file}
OPTIONS: dict[str, dict[str, dict]] = {
    "tasks": {
        "--with-answers": {"action": "store_true", "help": "include the expected answers, for the grader only"},
        "--with-instructions": {"action": "store_true", "help": "include the system's INSTRUCTIONS.md"},
    },
    "answer": {"--by": {"choices": list(BY), "default": "form", "help": "who answers"}},
    "grade": {
        "file": {"type": named, "help": "the answers, as JSON lines"},
        "--tasks": {
            "type": named,
            "help": "a file of tasks, printed with --with-answers, instead of options that select them",
        },
        "--twin": {"action": "store_true", "help": "let the simulated scheduler decide what is accepted"},
        "--run": {"action": "store_true", "help": "also run each script to its end there"},
        "--json": {"action": "store_true", "help": "print the grades as JSON"},
    },
}

if __name__ == "__main__":
    run(main, status=2)
