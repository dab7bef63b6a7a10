"""Which scripts are meant: a file, standard input, or all job scripts of a folder."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts.schedulers import WORDS

STDIN = "<stdin>"
LARGEST = 4 * 2**20  # bytes: Slurm takes no larger script unless it is told to (max_script_size)
ENDINGS = (".sh", ".slurm", ".sbatch", ".job", ".qsub", ".pbs")


def scripts(names: list[str], kind: str) -> Iterator[tuple[str, bytes | BadInput]]:
    """(what a finding calls it, its bytes or why it cannot be read) for each script that the names stand for."""
    for name in names:
        if name == "-":
            yield STDIN, read(None)
        elif os.path.isdir(name):
            yield from _folder(Path(name), kind)
        else:
            yield name, read(Path(name))


def _folder(folder: Path, kind: str) -> Iterator[tuple[str, bytes | BadInput]]:
    """Its job scripts, and those of the folders below, in the order of their names. Links to folders lead nowhere."""
    found, closed = False, []
    files = [Path(base, file) for base, _, names in os.walk(folder, onerror=closed.append) for file in names]
    for path in sorted(files):
        if path.suffix in ENDINGS and not path.is_fifo():  # whose reader would wait forever
            data = read(path)
            if isinstance(data, BadInput) or WORDS[kind].looks_like.search(data):
                found = True
                yield str(path), data
    yield from ((fault.filename, unreadable(fault)) for fault in closed)
    if not (found or closed):
        cure = f"Job scripts end in {', '.join(ENDINGS)}, and contain a directive of the cluster's scheduler."
        yield str(folder), BadInput(folder, None, "there is no job script in this folder.", cure)


def unreadable(fault: OSError) -> BadInput:
    return BadInput(fault.filename, None, f"this folder cannot be read: {fault.strerror}.", "Check its permissions.")


def read(path: Path | None) -> bytes | BadInput:
    """Its bytes, or why it cannot be read; None is standard input."""
    name = path or STDIN
    try:
        if path and not path.exists() and not path.is_symlink():
            return BadInput(name, None, "there is no such file.", "Check the path.")
        with open(path, "rb") if path else open(sys.stdin.fileno(), "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    except OSError as fault:
        return BadInput(name, None, f"this file cannot be read: {fault.strerror}.", "Check its path and permissions.")
    return unfit(name, data) or data


def unfit(name: Path | str, data: bytes) -> BadInput | None:
    """Why this cannot be a job script, from its size and first bytes; None if it can."""
    if len(data) > LARGEST:
        return BadInput(name, None, "this file is over 4 MiB, which schedulers reject.", "Name a smaller file.")
    if b"\0" in data[:1024] and not data.startswith(b"#!"):
        return BadInput(name, None, "this is not a text file.", "Name a text file.")
    return None
