"""The commands of a script's body, each with its line. A small reader of bash: it knows words, quotes, comments,
here-documents and what stands inside `if`, `case` and functions; it expands nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Words that stand before a command, and do not belong to it.
_OPEN = {"if", "while", "until", "case", "select"}
_BEFORE = {"then", "do", "else", "elif", "!", "time", "{", "exec", "nohup", "command", "builtin", "eval"}
_CLOSE = {"fi", "done", "esac", "}"}
_TESTS = {"[", "[[", "test", "command", "type", "which", "grep", "((", "!"}
_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+)|(?P<comment>\#[^\n]*)|(?P<here><<-?[ \t]*(?P<mark>'[^'\n]*'|"[^"\n]*"|[\w.\\-]+))"""
    r"""|(?P<end>\n|&&|\|\||;;|[;&|()])|(?P<redirect>[0-9]*(?:<<<|>>|>\||[<>]&?)|&>>?)""",
)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")


@dataclass(frozen=True)
class Command:
    """One command. `words` has no quotes any more; `sets` holds the assignments before it; `certain` says that it runs
    whatever else happens: it stands in no branch and in no function.
    """

    line: int
    words: tuple[str, ...]
    sets: tuple[str, ...]
    certain: bool
    raw: str

    @property
    def name(self) -> str:
        """The program, without its folder; empty where variables are set and nothing is started."""
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


def read(lines: list[str]) -> list[Command]:
    """All commands of a script, in their order; directives are comments here, as for the shell."""
    return _Reader("\n".join(lines) + "\n").commands


class _Reader:
    def __init__(self, text: str):
        self.text, self.at, self.line = text, 0, 1
        self.commands: list[Command] = []
        self.words: list[str] = []
        self.start = 1
        self.began = 0
        self.stack: list[str] = []  # what is open: if, while, case, function, for
        self.after = ""  # what stands between the last command and this one
        self.documents: list[tuple[str, bool]] = []
        self.ended = False  # an `exit` that is sure to be reached stands above
        self.run()

    def run(self) -> None:
        while self.at < len(self.text):
            match = _TOKEN.match(self.text, self.at)
            if match and not (match["comment"] and self.at and self.text[self.at - 1] not in " \t\n;&|()"):
                self.at = match.end()
                if match["here"]:
                    self.documents.append((re.sub(r"['\"\\]", "", match["mark"]), match["here"].startswith("<<-")))
                elif match["redirect"]:
                    self.redirected()
                elif match["end"]:
                    self.finish(match["end"])
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
                self.line += 1
            else:
                self.word()
        self.finish("\n")

    def redirected(self) -> None:
        """A file that output goes to, or input comes from, is no argument."""
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        if self.text[self.at : self.at + 1] not in ("", "\n", ";", "&", "|", "(", ")", "<", ">"):
            self.word(keep=False)

    def word(self, keep: bool = True) -> None:
        if keep and not self.words:
            self.start, self.began = self.line, self.at
        text = ""
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\n;&|()<>":
                break
            if letter == "\\":
                text += self.text[self.at + 1 : self.at + 2].strip("\n")
                self.line += self.text.startswith("\n", self.at + 1)
                self.at += 2
            elif letter == "'":
                text += self.until("'", self.at + 1)[1:-1]
            elif letter == '"':
                text += self.quoted()
            elif self.text.startswith("$(", self.at) or self.text.startswith("${", self.at):
                text += self.nested()
            elif letter == "`":
                text += self.until("`", self.at + 1)
            else:
                text += letter
                self.at += 1
        if keep:
            self.words.append(text)

    def take(self, end: int) -> str:
        taken = self.text[self.at : end]
        self.line += taken.count("\n")
        self.at = end
        return taken

    def until(self, mark: str, begin: int) -> str:
        end = self.text.find(mark, begin)
        return self.take(len(self.text) if end < 0 else end + 1)

    def quoted(self) -> str:
        """What stands between double quotes; a `$(...)` in it may hold quotes of its own."""
        text, self.at = "", self.at + 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self.text.startswith("$(", self.at) or self.text.startswith("${", self.at):
                text += self.nested()
            else:
                text += self.take(self.at + 1 + (self.text[self.at] == "\\"))
        self.at += 1
        return text

    def nested(self) -> str:
        """`$(...)`, `$((...))` or `${...}`, whole."""
        opening = self.text[self.at + 1]
        closing, depth, end = {"(": ")", "{": "}"}[opening], 0, self.at + 1
        while end < len(self.text):
            letter = self.text[end]
            if letter == "\\":
                end += 1
            elif letter == "'" and opening == "(":
                end = max(end, self.text.find("'", end + 1))
            else:
                depth += (letter == opening) - (letter == closing)
            end += 1
            if not depth:
                break
        return self.take(end)

    def finish(self, end: str) -> None:
        words = self.words
        raw = self.text[self.began : self.at].rstrip("\n;&| \t") if words else ""
        self.words = []
        if end == "(" and len(words) == 1 and re.fullmatch(r"[A-Za-z_]\w*\+?=", words[0]):
            self.until(")", self.at)  # a list of values
            words = []
        elif end == "(" and not words and self.text.startswith("(", self.at):
            self.until("))", self.at)
            self.at += 1
        elif end == "(" and len(words) == 1 or words[:1] == ["function"]:
            self.stack.append("function")  # `name() {`: its `}` closes it
            words = []
            if self.text.startswith(")", self.at):
                self.at += 1
            brace = re.compile(r"[ \t\n]*\{").match(self.text, self.at)
            if brace:
                self.take(brace.end())
        self.command(words, raw)
        if words or end != "\n":
            self.after = end
        if end == "\n":
            self.line += 1
            for mark, tabs in self.documents:
                self.skip_document(mark, tabs)
            self.documents = []

    def command(self, words: list[str], raw: str) -> None:
        inside = False
        while words and (words[0] in _OPEN | _BEFORE | _CLOSE or words[0] in ("for", "in")):
            if words[0] in _BEFORE and len(words) > 1 and words[1].startswith("-"):
                break  # `command -v program` starts nothing
            first = words.pop(0)
            if first in _OPEN:
                self.stack.append(first)
                inside = first in ("if", "while", "until")
                if first in ("case", "select"):
                    words = []
            elif first == "for":
                self.stack.append("for")
                words = []
            elif first == "{":
                self.stack.append("group")
            elif first in _CLOSE and self.stack:
                self.stack.pop()
        sets = []
        while words and _ASSIGNED.match(words[0]):
            sets.append(words.pop(0))
        if words and words[0] == "env":
            words = words[1:]
            while words and _ASSIGNED.match(words[0]):
                sets.append(words.pop(0))
        if not words and not sets:
            return
        branch = any(each not in ("for", "group") for each in self.stack[: -1 if inside else None])
        last = self.commands[-1] if self.commands else None
        tested = last and (last.name in _TESTS or last.words[-1:] == ("]]",) or not last.certain)
        depends = self.after == "||" or self.after == "&&" and tested
        self.commands.append(Command(self.start, tuple(words), tuple(sets), not (branch or depends or self.ended), raw))
        self.ended |= self.commands[-1].certain and self.commands[-1].name == "exit"

    def skip_document(self, mark: str, tabs: bool) -> None:
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            line = self.text[self.at : end]
            self.at = end + 1
            self.line += 1
            if (line.lstrip("\t") if tabs else line) == mark:
                return
