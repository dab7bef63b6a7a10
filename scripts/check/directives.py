"""The one reader of a script's directives: which option stands on which line. It judges nothing.

Slurm's are read as sbatch does it (its opt.c and getopt_long): `#SBATCH` at the start of a line, down to the first
command; quotes, `\\` and `#` as there; a word that lacks its value takes the next one, also from the next line. Grid
Engine's `#$` counts on every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.check.slurm_options import SAME, SHORT, TAKES

PREFIX = {"slurm": "#SBATCH", "grid_engine": "#$"}
BLANKS = " \t\n\v\f\r"
HETJOB = "hetjob"  # the name under which the line between two components is handed out


@dataclass(frozen=True)
class Option:
    """An option of a live directive.

    name: the long name without dashes, `cpus-per-task`; Grid Engine's `l`, `pe`; of an unknown one what was written.
    written: the words as they stand, `-t 5`. value: what the scheduler gets, without quotes; None if there is none.
    known: does the scheduler have such an option? pieces: where the words stand, as (line, first column, end column).
    """

    line: int
    name: str
    written: str
    value: str | None
    known: bool
    pieces: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class _Word:
    line: int
    start: int
    end: int
    raw: str
    text: str


def read(lines: list[str], kind: str) -> list[Option]:
    """All options of the live directives, in their order. `kind` is slurm or grid_engine."""
    if kind == "grid_engine":
        return _grid_engine([word for number, text in live(lines, kind) for word in _words(number, text, "#$")])
    found: list[Option] = []
    component: list[_Word] = []
    for number, text in live(lines, kind):
        words = _words(number, text, "#SBATCH")
        if words and words[0].text.lower() in ("hetjob", "packjob"):
            found += _slurm(component)
            found.append(Option(number, HETJOB, words[0].raw, None, True, _pieces(words[:1])))
            component = []
            words = words[1:]
        component += words
    return found + _slurm(component)


def last(options: list[Option]) -> dict[str, Option]:
    """The option that counts for each name: the last one."""
    return {option.name: option for option in options}


def components(options: list[Option]) -> list[list[Option]]:
    """The options of each component of a heterogeneous job; of any other job one list."""
    found: list[list[Option]] = [[]]
    for option in options:
        if option.name == HETJOB:
            found.append([])
        else:
            found[-1].append(option)
    return found


def live(lines: list[str], kind: str) -> Iterator[tuple[int, str]]:
    """(line from 1, the whole line) of each directive that the scheduler of this kind reads."""
    for number, line in enumerate(lines, 1):
        if line.startswith(PREFIX[kind]):
            yield number, line
        elif kind == "slurm" and not re.match(r"[ \t\n\v\f\r]*(#|$)", line):
            return


def _words(number: int, line: str, prefix: str) -> list[_Word]:
    """The words of a directive: split at blanks, quotes and `\\` taken out, up to a `#` that is not quoted."""
    found, at = [], len(prefix)
    while True:
        while at < len(line) and line[at] in BLANKS:
            at += 1
        start, text, quote = at, "", ""
        while at < len(line) and (quote or line[at] not in BLANKS):
            letter = line[at]
            if letter == "\\":  # outside of quotes a blank ends the word all the same
                if quote or line[at + 1 : at + 2] not in [*BLANKS]:
                    at += 1
                    text += line[at : at + 1]
            elif quote and letter == quote:
                quote = ""
            elif not quote and letter in "\"'":
                quote = letter
            elif not quote and letter == "#":
                break
            else:
                text += letter
            at += 1
        if not text:  # the end, a comment, or an empty word, at which sbatch stops, too
            return found
        found.append(_Word(number, start, at, line[start:at], text))


def _pieces(words: list[_Word]) -> tuple[tuple[int, int, int], ...]:
    return tuple((word.line, word.start, word.end) for word in words)


def _option(name: str, value: str | None, known: bool, *words: _Word) -> Option:
    used = list(words)
    return Option(used[0].line, name, " ".join(word.raw for word in used), value, known, _pieces(used))


def _slurm(words: list[_Word]) -> list[Option]:
    """The words of one component, as getopt_long takes them."""
    found, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        if word.text.startswith("--") and len(word.text) > 2:
            name, equals, value = word.text[2:].partition("=")
            full = _full_name(name)
            takes = TAKES.get(full or "", "value")
            if equals or takes != "value":
                found.append(_option(full or name, value if equals else None, full is not None, word))
            elif rest and (full or not rest[0].text.startswith("-")):
                value_word = rest.pop(0)
                found.append(_option(full or name, value_word.text, full is not None, word, value_word))
            else:
                found.append(_option(full or name, None, full is not None, word))
        elif word.text.startswith("-") and len(word.text) > 1 and word.text != "--":
            found += _short(word, rest)
        elif word.text != "--" or rest:  # `--` at the end is nothing
            found.append(_option(word.text, None, False, word))
    return found


def _short(word: _Word, rest: list[_Word]) -> Iterator[Option]:
    """`-N2`, `-N 2`, and several letters in one word: `-HO`."""
    letters = word.text[1:]
    while letters:
        name, letters = SHORT.get(letters[0]), letters[1:]
        takes = TAKES.get(name or "", "none")
        if name is None:
            yield _option(word.text.lstrip("-"), None, False, word)
            return
        if takes == "none" or takes == "maybe" and not letters:
            yield _option(name, None, True, word)
        elif letters:
            yield _option(name, letters, True, word)
            return
        elif rest:
            value_word = rest.pop(0)
            yield _option(name, value_word.text, True, word, value_word)
        else:
            yield _option(name, None, True, word)


def _full_name(name: str) -> str | None:
    """The option that a long name means, be it cut short; None if there is none, or more than one."""
    if name in TAKES:
        return SAME.get(name, name)
    meant = {SAME.get(full, full) for full in TAKES if full.startswith(name)}
    return meant.pop() if len(meant) == 1 else None


# qsub's options by the number of words that follow each; what is not here is a switch or unknown.
GRID_ENGINE = {"pe": 2, "-help": 0} | {
    name: words
    for words, names in (
        (0, "clear cwd hard help masterq notify soft V verify nostdin terse"),
        (
            1,
            "a ac A ar b binding c C ckpt dc display dl e h hold_jid hold_jid_ad i j js jsv l m M mc N now o P p q R r "
            "S sc shell sync t tc u v w wd",
        ),
    )
    for name in names.split()
}
_OWN_DEFAULT = {"h": "u"}  # options whose value may be left out


def _grid_engine(words: list[_Word]) -> list[Option]:
    found, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        name = word.text[1:] if word.text.startswith("-") else None
        number = GRID_ENGINE.get(name or "", 0)
        if name in _OWN_DEFAULT and (not rest or rest[0].line != word.line or rest[0].text.startswith("-")):
            number = 0
        taken = []
        while len(taken) < number and rest and rest[0].line == word.line:
            taken.append(rest.pop(0))
        value = " ".join(each.text for each in taken) if taken else None
        found.append(_option(name or word.text, value, name in GRID_ENGINE, word, *taken))
    return found
