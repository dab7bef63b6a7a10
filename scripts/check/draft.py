"""A script of which options are taken out or replaced, so that the scheduler can be asked about the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scripts.check.directives import HETJOB, PREFIX, Option, components, read


@dataclass(frozen=True)
class Addition:
    """An option that the script lacks, for one component of the job."""

    component: int
    name: str
    words: str


class Draft:
    """The script's text as the scheduler sees it, by lines, and its options."""

    def __init__(self, data: bytes, kind: str):
        self.kind = kind
        self.lines = data.decode("utf-8", "surrogateescape").split("\n")
        self.options = read(self.lines, kind)
        self.components = components(self.options)

    def component(self, option: Option) -> int:
        """In which component of a heterogeneous job an option stands, from 0."""
        return next((number for number, options in enumerate(self.components) if option in options), 0)

    def without(self, edits: Mapping[Option, str | None], additions: tuple[Addition, ...] = ()) -> bytes:
        """The script with these options replaced by other words, or taken out (None), and with what it lacks."""
        lines = list(self.lines)
        pieces = [
            (place, words if place == option.pieces[0] else None)
            for option, words in edits.items()
            for place in option.pieces
        ]
        for (number, start, end), words in sorted(pieces, reverse=True):
            line = lines[number - 1]
            lines[number - 1] = line[:start] + (words or "") + line[end:]
        for number in {number for (number, _, _), _ in pieces}:
            if not lines[number - 1][len(PREFIX[self.kind]) :].strip():
                lines[number - 1] = "#"
        starts = [1, *(option.line for option in self.options if option.name == HETJOB)]
        for addition in sorted(additions, key=lambda addition: -addition.component):
            lines.insert(starts[addition.component], f"{PREFIX[self.kind]} {addition.words}")
        return "\n".join(lines).encode("utf-8", "surrogateescape")
