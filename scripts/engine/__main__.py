"""Write and move a job script, and explain a message, with the engine of the guide's page and without a scheduler.

    guide choices kestrel                  each field of the form, with its values, as JSON
    guide write cluster=kestrel gpu=h100 gpus=2 time=4h
    guide move puhti roihu my.sh           the script for the other system (stderr has the changes)
    guide explain kestrel 'MESSAGE'        what a message or a pending reason means there
    seff 123456 | guide explain kestrel --script my.sh -
                                           what a finished job used, and the script of the next one
    guide fit 'Llama 3.1 8B' --use lora    how much GPU memory a model needs, and which GPUs have it

The exit status is 0, 1 if something is rejected, impossible or left to do, or 2 if it could not be judged.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.check.files import scripts
from scripts.check.report import LEVELS, Report
from scripts.engine.ask import ask, explained, moved
from scripts.errors import BadInput, parser_of, run
from scripts.facts import load_all, load_named
from scripts.facts.load import files


def main() -> int:
    parser = parser_of("guide", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in ARGUMENTS.items():
        command = commands.add_parser(name, help=COMMANDS[name].__doc__, description=COMMANDS[name].__doc__)
        for word in words:
            command.add_argument(word, help=ABOUT[word], nargs="+" if word == "fields" else None)
        if name == "fit":
            for option, about in FIT.items():
                command.add_argument(f"--{option}", help=about)
            command.add_argument("--checkpointing", action="store_true", help="assume activation checkpointing")
        if name in ("move", "explain", "fit"):
            command.add_argument("--json", action="store_true", help="print the result as JSON")
        if name == "explain":
            command.add_argument("--script", help="the finished job's script, to also get a script for the next job")
    given = parser.parse_args()
    return COMMANDS[given.command](given)


def choices(given: argparse.Namespace) -> int:
    """Print the fields that `guide write` accepts, with their values, as JSON."""
    show(ask("choices", [load_named(given.cluster)], given.cluster))
    return 0


def write(given: argparse.Namespace) -> int:
    """Write a job script from these fields, which `guide choices` lists."""
    fields = "&".join(given.fields)  # also `cluster=kestrel gpus=2`, which needs no quotes
    parts = fields.removeprefix("#").split("&")
    named = [key for path in files() if f"cluster={(key := path.parent.name)}" in parts]
    (found,) = ask("write", [*map(load_named, named)] or load_all().values(), [fields])
    if "script" not in found:
        print(found["reason"], file=sys.stderr)
        return 1
    print(found["script"], end="")
    return 0


def move(given: argparse.Namespace) -> int:
    """Rewrite one system's script for another system."""
    here, there = load_named(given.source), load_named(given.target)
    found = moved(here, there, _script_of(given.script, here.scheduler.kind), given.script)
    said = [Report(**each) for each in found["findings"]]
    if given.json:
        show(found)
    else:
        print(found["script"], end="")
        for change in found["changes"]:
            lines = " -> ".join(f"`{change[side]}`" if change[side] else "nothing" for side in ("from", "to"))
            print(f"{lines}: {change['reason']}", file=sys.stderr)
        for line in (*found["impossible"], *map(_of_new, said)):
            print(line, file=sys.stderr)
    return 1 if found["impossible"] or any(LEVELS[each.kind] != "note" for each in said) else 0


def _of_new(found: Report) -> str:
    """A finding about the script that `move` wrote, which has no file yet."""
    return str(found).replace(f"{found.file}:{found.line}: ", f"New script, line {found.line}: ", 1)


def _script_of(path: str, kind: str) -> str:
    found = list(scripts([path], kind))
    if len(found) > 1:
        raise BadInput(path, None, "this folder contains several scripts.", "Name one.")
    ((_, data),) = found
    if isinstance(data, BadInput):
        raise data
    return data.decode("utf-8", "surrogateescape")


def explain(given: argparse.Namespace) -> int:
    """Explain what a message, or the output of seff or sacct, means on a system."""
    cluster = load_named(given.cluster)
    message = _pasted(given.message)
    job = _script_of(given.script, cluster.scheduler.kind) if given.script else ""
    ended, found = explained(cluster, message, job)
    if given.json:
        show([{"key": "job", **ended}, *found] if ended else found)
        return 0 if found or ended else 1
    parts = [list(filter(None, (each[key] for key in ("title", "means", "cure", "now", "here")))) for each in found]
    if ended:  # that a job failed says less than why
        parts.insert(len(parts) if ended["key"] == "failed" else 0, list(_told(ended)))
    for lines in parts:
        print(*lines, "", sep="\n")
    (lost,) = [None] if ended else ask("unknown", [cluster], [[cluster.key, message, found]])
    if lost:
        near = (f"  {each['title']}{each['sign']} ({each['link']})" for each in lost["near"])
        print(lost["said"], *near, lost["search"] and f"{lost['search']}.", lost["ask"], sep="\n", file=sys.stderr)
    refused = ended and ended["next"] and ended["next"]["verdict"] == "refused"
    return 0 if (found or ended) and not refused else 1


def _pasted(message: str) -> str:
    if message == "-":
        return sys.stdin.read()
    file = Path(message.partition("\n")[0][:255])
    return file.read_text("utf-8", "replace") if str(file) == message and file.is_file() else message


def _told(job: dict) -> Iterator[str]:
    """What is said of a job that has ended, and the next one's script."""
    yield from filter(None, (job["title"], job["means"]))
    for row in job["rows"]:
        yield f"  {row['name']}: {row['used'] or '?'} of {row['asked'] or '?'}" + f" ({row['share']})" * bool(
            row["share"]
        )
    for change in job["changes"]:
        yield f"  Next: --{change['option']}={change['value']}. {change['why']}"
    yield from job["notes"]
    if job["next"]:
        yield from (f"Changed to what is possible: {why}" for why in job["next"]["adapted"])
        yield from (f"The next script is rejected: {why}" for why in job["next"]["against"])
        yield from filter(None, [job["next"]["unchanged"]])
        yield f"\n{job['next']['script']}"


def fit(given: argparse.Namespace) -> int:
    """Calculate how much GPU memory a language model needs, and list the GPUs that have it."""
    options = {name: getattr(given, name) for name in ("model", "checkpointing", *FIT)}
    (found,) = ask("fit", [], [options])
    if given.json:
        show(found)
    elif "reason" in found:
        print(found["reason"], file=sys.stderr)
    else:
        print(found["title"])
        print(*(f"  {part['name']:12} {part['size']:>8}" for part in found["parts"]), *found["notes"], sep="\n")
        for place in found["places"]:
            most = f"   at most {place['most']:,.0f} tokens/s" if place["most"] else ""
            print(f"{place['system'] + ': ' + place['label']:55} {place['enough']}{most}")
        if form := next((place["form"] for place in found["places"] if place["form"]), None):
            print(f"Write the script for the first GPU that has one: ./guide write '{form}'")
        if page := next((place["page"] for place in found["places"] if place["page"]), None):
            print(f"Where the guide has no script, start vLLM as this page shows: {page}")
    if "reason" in found:
        return 1 if "refused" in found else 2
    return 0 if any(place["gpus"] for place in found["places"]) else 1


def show(value: object) -> None:
    print(json.dumps(value, indent=1))


COMMANDS = {"choices": choices, "write": write, "move": move, "explain": explain, "fit": fit}
ARGUMENTS = {
    "choices": ("cluster",),
    "write": ("fields",),
    "move": ("source", "target", "script"),
    "explain": ("cluster", "message"),
    "fit": ("model",),
}
ABOUT = {
    "cluster": "a system, such as puhti",
    "fields": "fields and values, such as cluster=kestrel gpu=h100 time=4h",
    "source": "the system that the script is for, such as puhti",
    "target": "the system that it should run on, such as roihu",
    "script": "a job script",
    "message": "a message, a pending reason, a file that contains it, or - for standard input",
    "model": "a model such as 'Llama 3.1 8B', or a number of parameters such as 7B",
}
FIT = {
    "use": "inference, lora or full (fine-tuning); default: inference",
    "precision": "float32, bfloat16, float16, 8-bit or 4-bit; default: bfloat16",
    "context": "tokens of one sequence; default: 4096",
    "batch": "sequences at once; default: 1",
    "system": "only this system, such as roihu",
    "rate": "only GPUs whose memory is fast enough for this many tokens per second",
}

if __name__ == "__main__":
    run(main, status=2)
