"""A job script as the rules see it: its text, directives, options, comments and commands."""

from __future__ import annotations

import re

from scripts.check.commands import Command, read_shell
from scripts.check.directives import PREFIX, live, read

# What ends many scripts and is not what the job is for.
_IDLE = re.compile(r"^(echo|date|printf|exit|disown|fi|done|esac|\}|\)|true|:|cd|popd|set)\b|^[})]$")

# First lines of scripts in which commands are written otherwise.
_OTHER_LANGUAGE = re.compile(r"#!.*\b(t?csh|fish|python[\d.]*|perl|Rscript|julia|ruby)\b")


class Script:
    """lines: the text at its line ends, without them, nor a carriage return or byte-order mark. names: those of the
    options. directives: (line from 1, text) of those that the scheduler reads. late_comments: the comments below the
    first command that begin with the scheduler's prefix. comments: all others."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.kind, self.prefix = kind, PREFIX[kind]
        self.text = data.decode("utf-8", "replace")
        self.lines = self.text.lstrip("\ufeff").replace("\r", "").split("\n")
        self.directives = list(live(self.lines, kind))
        self.options = read(self.lines, kind)
        self.names = {option.name for option in self.options}
        shell = read_shell(self.lines)
        self.commands = [] if _OTHER_LANGUAGE.match(self.lines[0]) else shell.commands
        read_lines = {line for line, _ in self.directives}
        comments = [(line, text) for line, text in shell.comments if line not in read_lines]
        self.late_comments = [(line, text) for line, text in comments if text.startswith(self.prefix)]
        self.comments = [(line, text) for line, text in comments if not text.startswith(self.prefix)]

    def does(self, pattern: str) -> bool:
        """Does some command match?"""
        return any(re.search(pattern, command.text) for command in self.commands)

    def last_command(self) -> Command | None:
        """The last command that does something."""
        return next((each for each in reversed(self.commands) if not _IDLE.match(each.text)), None)
