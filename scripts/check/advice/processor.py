"""Programs built for another kind of processor than the job's nodes have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report

NAMES = {
    "x86_64": re.compile(r"(x86_64|x86-64|amd64|\blinux-64\b)", re.I),
    "aarch64": re.compile(r"(aarch64|arm64|\blinux-aarch64\b)", re.I),
}
TALK = {"echo", "printf", "[", "[[", "test", "rm", "grep"}


def advise(case: Case) -> Iterator[Report]:
    kinds = {node.architecture for node in case.nodes}
    if len(kinds) != 1:
        return
    (here,) = kinds
    for command in case.certain:
        if command.name in TALK:
            continue
        for word in (*command.words, *command.sets):
            for kind, named in NAMES.items():
                found = named.search(word)
                if kind != here and found and not NAMES[here].search(word):
                    what = f"`{word[:60]}` is built for {kind}; this job's nodes are {here}."
                    key = next(k for k, node in case.cluster.node_types.items() if node in case.nodes)
                    cure = f"Take what is built for {here}."
                    yield case.report("processor-other", what, cure, command, f"node_types.{key}.architecture")
                    return
