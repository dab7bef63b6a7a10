"""What people write that a scheduler takes in silence, or otherwise than they mean, and what cannot start: no scheduler
is asked, no fact is needed. The rules are data (the YAML files here), since a page runs the same ones in the browser;
functions.py has those that no pattern can express, in few lines, so that they can be written there again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.report import Report
from scripts.check.rules import functions
from scripts.check.rules.model import Rule, load_rules
from scripts.check.rules.script import Script

# (line from 1, text, option's name, option as written)
Place = tuple[int, str, str | None, str | None]


def rules(data: bytes, kind: str, file: str) -> list[Report]:
    """All findings about a script, by line. data: the file as it is. kind: slurm or grid_engine."""
    script = Script(data, kind)
    found = [report for rule in load_rules() if kind in rule.schedulers for report in _apply(rule, script, file)]
    return sorted(found, key=lambda report: report.line)


def _apply(rule: Rule, script: Script, file: str) -> Iterator[Report]:
    names = script.names
    if rule.options and names.isdisjoint(rule.options):
        return
    if not names.issuperset(rule.needs) or not names.isdisjoint(rule.without):
        return
    if rule.body and not script.does(rule.body) or rule.no_body and script.does(rule.no_body):
        return
    if rule.function:
        for fault in getattr(functions, rule.function)(script):
            yield _report(rule, file, fault.line, fault.matched, fault.option)
        return
    flags = re.IGNORECASE if rule.any_case else 0
    for line, text, name, written in _places(rule, script):
        match = re.search(rule.pattern, text, flags)
        if not match or rule.unless and re.search(rule.unless, text, flags):
            continue
        if rule.where == "file":
            line = text.count("\n", 0, match.start()) + 1
        matched = (match[0].strip(), *(group or "" for group in match.groups()))
        yield _report(rule, file, line, matched, written, name)
        if rule.where in ("command", "file"):
            return  # said once: the cure is the same at each place


def _places(rule: Rule, script: Script) -> Iterator[Place]:
    if rule.where == "first line":
        yield 1, script.lines[0], None, None
    elif rule.where == "file":
        yield 1, script.text, None, None
    elif rule.where == "directive":
        slurm = script.kind == "slurm"
        yield from ((line, _uncommented(text) if slurm else text, None, None) for line, text in script.directives)
    elif rule.where == "option":
        for option in script.options:
            if option.name in rule.options:
                yield option.line, option.value or "", option.name, option.written
    elif rule.where == "comment":
        yield from ((line, text, None, None) for line, text in script.comments)
    elif rule.where == "late comment":
        yield from ((line, text, None, None) for line, text in script.late_comments)
    elif rule.where == "command":
        yield from ((command.line, command.text, None, None) for command in script.commands)
    elif last := script.last_command():
        yield last.line, last.text, None, None


def _uncommented(line: str) -> str:
    """A directive without the comment behind it; one that hides another directive stays."""
    at, quote = 1, ""
    while at < len(line):
        letter = line[at]
        if letter == "\\":
            at += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#" and line[at - 1] in " \t" and not re.search(r"#\s*SBATCH\s+-", line[at:]):
            return line[:at]
        at += 1
    return line


def _report(
    rule: Rule, file: str, line: int, matched: tuple[str, ...], written: str | None, name: str | None = None
) -> Report:
    words = [f"{text[:57]}..." if len(text) > 60 else text for text in matched]
    what = rule.words.format(*words, option=name, written=written)
    return Report(file, line, rule.kind, what, rule.cure.format(*words, option=name, written=written), rule.id, written)
