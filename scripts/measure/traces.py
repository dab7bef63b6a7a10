"""The trace that the page on profiling shows: shortened to what its picture needs, and read again.

To record it anew, run `profile_steps.py` without and with workers on a quiet machine, rename each `trace.json`, and
run `python -m scripts.measure.traces "NAME=FILE" ... > snippets/measured/traces/profile_steps.json`.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

from scripts.errors import run
from scripts.paths import SNIPPETS

RECORDED = SNIPPETS / "measured/traces/profile_steps.json"
PARTS = ("load", "train")  # what the program names in its trace


class Span(NamedTuple):
    """One event: its name, and when it began and how long it took, in milliseconds."""

    name: str
    start: float
    length: float


Runs = dict[str, list[Span]]


def load_runs(path: Path = RECORDED) -> Runs:
    """What was recorded, by the name of the run."""
    return {name: [Span(*each) for each in spans] for name, spans in json.loads(path.read_bytes()).items()}


def shorten(trace: dict) -> list[Span]:
    """The named parts, and the outermost operations in them, counted from the first part on."""
    events = sorted((each for each in trace["traceEvents"] if each.get("ph") == "X"), key=lambda each: each["ts"])
    start = next(each["ts"] for each in events if each["name"] in PARTS)
    spans, end = [], 0.0
    for event in events:
        operation = event.get("cat") == "cpu_op" and event["ts"] >= max(start, end)
        if operation:
            end = event["ts"] + event["dur"]
        if operation or event["name"] in PARTS:
            spans.append(Span(event["name"], round((event["ts"] - start) / 1e3, 2), round(event["dur"] / 1e3, 2)))
    return [span for span in spans if span.name in PARTS or span.length >= 0.1]  # a pixel is longer


def main() -> None:
    named = (argument.rsplit("=", 1) for argument in sys.argv[1:])
    runs = {name: shorten(json.loads(Path(file).read_bytes())) for name, file in named}
    lines = (f"{json.dumps(name)}: {json.dumps(spans)}" for name, spans in runs.items())
    print("{" + ",\n".join(lines) + "}")


if __name__ == "__main__":
    run(main)
