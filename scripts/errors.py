"""One way to say that an input is wrong: file, line, what, cure."""

import argparse
import difflib
import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # a terminal obeys these, also in a name


def plain(text: str) -> str:
    """A text that can be shown in a terminal, whatever names and words of others it has."""
    return CONTROL.sub("?", text)


class BadInput(Exception):
    """A fault a person can mend. ``str()`` is the one line they are shown.

    path: the file, relative to the repository's root where possible.
    line: counted from 1; None where the whole file is meant.
    """

    def __init__(self, path: Path | str, line: int | None, what: str, cure: str):
        place = f"{path}:{line}" if line else str(path)
        super().__init__(plain(f"{place}: {what} {cure}".rstrip()))


class BadInputs(BadInput):
    """Several faults at once: one line each."""

    def __init__(self, faults: Sequence[BadInput]):
        Exception.__init__(self, "\n".join(dict.fromkeys(map(str, faults))))


def refuse(faults: Sequence[BadInput]) -> None:
    """Raise what was found, all of it together; return if that is nothing."""
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise BadInputs(faults)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """The cure for a name that is not known: the one that is spelled almost so, or all of them."""
    close = difflib.get_close_matches(name, known, 1)
    return f"Did you mean `{close[0]}`?" if close else f"Choose from {', '.join(known)}."


def utf8(data: bytes, name: Path | str) -> str:
    """The text of a file. Raises BadInput with the line of what is no text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BadInput(name, line, "this is not UTF-8 text.", "Save the file as UTF-8.") from None


def parser_of(prog: str, about: str | None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=prog, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def named(word: str) -> Path:
    """A file or folder of the command line: an empty word, such as an unset variable, is not the current folder."""
    if not word:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(word)


def run(main: Callable[[], int | None], status: int = 1) -> None:
    """Run a tool's main(); a BadInput, or what the system refuses, ends it with a sentence on stderr and this status.

    What a terminal's encoding has no letter for is shown as `?`. A stream that is closed is empty.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # None where it is closed
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")
    try:
        end = main()
        sys.stdout.flush()
        sys.exit(end)
    except BadInput as fault:
        print(fault, file=sys.stderr)
    except BrokenPipeError:  # whoever reads, such as head, has enough
        _write_nowhere()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as fault:
        what = f"{fault.strerror or fault}."
        place = fault.filename2 if fault.errno == errno.ENOSPC else None  # of a copy, the file that has no space
        told = BadInput(place or fault.filename or "guide", None, what, "Fix the problem, and try again.")
        print(told, file=sys.stderr)
        if fault.filename is None:  # a full disk, below standard output
            _write_nowhere()
    sys.exit(status)


def _write_nowhere() -> None:
    """Python says at its end what it cannot flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
