"""The comments and simple commands of a shell script, by line, for rules that look at what a job does. Judges nothing.

A small reader instead of a whole grammar of bash, since a page reads scripts in the same way in the browser: it knows
comments, quotes, lines that go on, here-documents, and what separates commands; of all else it is unaware.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HERE = re.compile(r"(?<!<)<<(?!<)(-?)\s*['\"\\]?([^\s'\"<>|&;()\d][^\s'\"<>|&;()]*)['\"]?")
_BETWEEN = re.compile(r"&&|\|\||;+|\|&?|&")
# Words that stand before a command.
_BEFORE = re.compile(r"^(?:(?:if|then|elif|else|while|until|do|time|exec|!|\{)(?:\s+|$)|\(\s*)+")


@dataclass(frozen=True)
class Command:
    """One simple command. line: where it begins, from 1. text: its words on one line; `| ` stands before one that reads
    a pipe, ` &` behind one that runs in the background. Of a text in quotes over several lines the first is kept."""

    line: int
    text: str


@dataclass
class Shell:
    """comments: (line from 1, text) of each line that is nothing else, without the first. commands: in order."""

    comments: list[tuple[int, str]] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)


class _Reader:
    def __init__(self) -> None:
        self.shell = Shell()
        self.ends: list[tuple[bool, str]] = []  # open here-documents: may tabs stand before the end, and the word
        self.quote, self.quoted_since = "", 0
        self.text, self.start, self.pipe = "", 0, False

    def line(self, number: int, line: str) -> None:
        if self.ends:
            tabs, word = self.ends[0]
            if (line.lstrip("\t") if tabs else line) == word:
                self.ends.pop(0)
            return
        if not self.quote and not self.text and re.match(r"\s*#", line):
            if number > 1 or not line.startswith("#!"):
                self.shell.comments.append((number, line))
            return
        here: list[tuple[bool, str]] = []
        at = 0
        while at < len(line):
            if self.quote:
                at += self._in_quotes(number, line, at)
            elif line[at] == "#" and line[at - 1 : at] in ("", " ", "\t", ";"):
                break
            elif (match := _HERE.match(line, at)) and "((" not in line[:at]:
                here.append((match[1] == "-", match[2]))
                self._add(number, match[0])
                at = match.end()
            elif (match := _BETWEEN.match(line, at)) and ">" not in line[at - 1 : at] + line[at + 1 : at + 2]:
                self._end(match[0])
                at = match.end()
            else:
                at += self._letter(number, line, at)
        self.ends = here
        if not self.quote and not line.endswith("\\"):
            self._end("\n")

    def _letter(self, number: int, line: str, at: int) -> int:
        letter = line[at]
        if letter == "\\":
            self._add(number, " " if at + 1 == len(line) else line[at : at + 2])
            return 2
        if letter in "\"'":
            self.quote, self.quoted_since = letter, number
        self._add(number, letter)
        return 1

    def _in_quotes(self, number: int, line: str, at: int) -> int:
        step = 2 if line[at] == "\\" and self.quote == '"' else 1
        if line[at] == self.quote:
            self.quote = ""
        if number == self.quoted_since or not self.quote:
            self._add(number, line[at : at + step])
        return step

    def _add(self, number: int, letters: str) -> None:
        if not self.text.strip():
            self.start = number
        self.text += letters

    def _end(self, by: str) -> None:
        if text := _BEFORE.sub("", re.sub(r"[ \t\r]+", " ", self.text).strip(" ")):
            text = ("| " if self.pipe else "") + text + (" &" if by == "&" else "")
            self.shell.commands.append(Command(self.start, text))
        self.text, self.pipe = "", by in ("|", "|&")


def read_shell(lines: list[str]) -> Shell:
    """What a shell would read of these lines."""
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        reader.line(number, line)
    reader._end("\n")
    return reader.shell
