"""What keeps a file from being taken for a script, or from being started, whatever it asks for."""

from __future__ import annotations

import re

from scripts.check.report import Report

MARK = b"\xef\xbb\xbf"


def file_faults(data: bytes, file: str, kind: str) -> tuple[bytes, list[Report]]:
    """The script without such faults, and a finding for each. An empty text comes back where nothing is left.

    sbatch refuses all of them. Grid Engine takes a mark and Windows line ends, but the node then finds no program of
    the name that the first line has; without a first line it runs the file by /bin/sh.
    """
    found: list[Report] = []

    def refuse(line: int, rule: str, what: str, cure: str, report_kind: str = "refused") -> None:
        found.append(Report(file, line, report_kind, what, cure, rule))

    if not data.strip():
        refuse(1, "empty", "the file is empty.", "Start from one of the guide's scripts.")
        return b"", found
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        refuse(line, "null-byte", "there is a byte 0 in the file.", "Save it as plain text, in UTF-8.")
        data = data.replace(b"\0", b"")
    if data.startswith(MARK):
        refuse(1, "byte-order-mark", "a byte-order mark stands before `#!`.", "Save the file as UTF-8 without one.")
        data = data.removeprefix(MARK)
    if b"\r\n" in data:
        line = data[: data.index(b"\r\n")].count(b"\n") + 1
        refuse(line, "windows-line-ends", "Windows line ends.", f"Convert the file: dos2unix {file}")
        data = data.replace(b"\r\n", b"\n")
    if not data.startswith(b"#!"):
        how = "refused" if kind == "slurm" else "unwise"
        if later := re.search(rb"^\s*#!/", data, re.MULTILINE):
            line = data[: later.end()].count(b"\n") + 1
            words = f"`#!` stands on line {line}." if line > 1 else "blanks stand before `#!`."
            refuse(1, "first-line", words, "Make it the very beginning of the file.", how)
        else:
            refuse(1, "first-line", "the first line does not name the shell.", "Begin with #!/bin/bash", how)
    return data, found
