"""A tool as people call it, in this process: a process of its own would spend a second on imports."""

import io
import runpy
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch


def call(module: str, *words: str | Path, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """`python -m module words` in the folder `cwd`; text: its standard input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv = [module, *map(str, words)]
    status: int | str | None = 0
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as given,
        chdir(cwd), redirect_stdout(out), redirect_stderr(err), patch.multiple(sys, argv=argv, stdin=given),
    ):  # fmt: skip
        given.write(text)
        given.seek(0)
        sys.modules.pop(f"{module}.__main__", None)
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            status = end.code
    shown, faults = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(argv, int(status or 0), shown, faults)
