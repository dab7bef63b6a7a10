"""Programs that run in children of a process that has imported torch: that import is most of what a small run costs.

`python preloaded.py` reads a request a line, as JSON; the answer is a line, too: the status and what was printed.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from pathlib import Path

LIMIT_SECONDS = 240


@cache
def server() -> subprocess.Popen[str]:
    """One a test process; it ends with it, at the end of its input."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "PASSIVE"},
    )


def run(
    program: Path, arguments: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """`python3 program arguments` in the folder, with torch already there."""
    request = {"argv": [str(program), *arguments], "folder": str(folder), "environment": environment}
    asked = server()
    asked.stdin.write(json.dumps(request) + "\n")
    asked.stdin.flush()
    status, out, err = json.loads(asked.stdout.readline())
    return subprocess.CompletedProcess(request["argv"], status, out, err)


def answer(request: dict) -> tuple[int, str, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            signal.alarm(LIMIT_SECONDS)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(main(request))
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return os.waitstatus_to_exitcode(status), *texts


def main(request: dict) -> int:
    """The program as `__main__`, in the child. Returns its status."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["argv"]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    sys.stdout, sys.stderr = (open(fd, "w", encoding="utf-8", closefd=False) for fd in (1, 2))
    status = 0
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(bool(end.code))
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    import torch  # noqa: F401

    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
