"""What shellcheck says of scripts."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

INTERPRETER = re.compile(rb"#!\s*(?:\S*/)?(?:env\s+(?:-S\s*)?)?(?:\S*/)?([\w.-]+)")
# On these clusters sh is bash.
READ_AS = {b"bash": "bash", b"sh": "bash", b"dash": "dash", b"ksh": "ksh"}
# What no job script can help: files that are not here, the status of a command inside an assignment, `{}` of parallel
# and xargs, words of `$(...)` that are meant to be several, and a directory that is gone (the engine's
# deletes-where-it-is says where that matters). The engine's braces-with-a-variable says SC2051, with a fix.
NOISE = "SC1083,SC1090,SC1091,SC2046,SC2051,SC2155,SC2164"
# What works, and shellcheck would write otherwise: `A= ./a`, the word done in a name (bash itself finds the missing
# semicolon), lists made of ls and find, $@ without quotes, traps that are expanded when they are set, `[ a -a b ]`.
STYLE = "SC1007,SC1010,SC2010,SC2011,SC2038,SC2044,SC2045,SC2048,SC2054,SC2061,SC2064,SC2068,SC2166,SC2206,SC2207"
UNUSED = "SC2034"  # counts only of a plain assignment: loops and `read` name what they do not need
ASSIGNMENT = re.compile(rb"^\s*(?:export\s+)?[A-Za-z_]\w*=")


def shellcheck(scripts: Iterable[bytes]) -> dict[bytes, list[tuple[int, str, str, str, str]]]:
    """Script -> what follows the file's name in each Report: warnings and errors, by one run for each kind of shell.

    Nothing for other languages, and where shellcheck is not installed.
    """
    found: dict[bytes, list] = {script: [] for script in scripts}
    program = shutil.which("shellcheck")
    for shell in set(READ_AS.values()) if program else ():
        for script, item in _run([program, f"--shell={shell}"], [each for each in found if _shell(each) == shell]):
            line = script.split(b"\n")[item["line"] - 1]
            if f"SC{item['code']}" == UNUSED and not ASSIGNMENT.match(line):
                continue
            found[script].append((item["line"], "unwise", item["message"], "", f"SC{item['code']}"))
    return found


def _shell(script: bytes) -> str | None:
    named = INTERPRETER.match(script)
    return READ_AS.get(named[1]) if named else "bash"


def _run(command: list[str], scripts: list[bytes]) -> Iterator[tuple[bytes, dict]]:
    if not scripts:
        return
    with tempfile.TemporaryDirectory() as folder:
        for number, script in enumerate(scripts):
            Path(folder, str(number)).write_bytes(script)
        command += ["--severity=warning", f"--exclude={NOISE},{STYLE}", "--format=json", *map(str, range(len(scripts)))]
        # under a poorer locale it ends at the first letter outside ASCII
        environment = os.environ | {"LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, cwd=folder, capture_output=True, env=environment)
    for item in json.loads(done.stdout or b"[]"):
        yield scripts[int(item["file"])], item
