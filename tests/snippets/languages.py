"""Compile and run what `snippets/languages/` has: OpenMP and OpenACC fall back to the CPU, and HIP has a stand-in."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from tests.needs import need
from tests.snippets.sandbox import STANDINS, environment_in

UNRUN = {".jl": "Julia", ".R": "torch for R", ".m": "MATLAB"}
COMPILERS = {".cpp": ["g++", "-fopenmp"], ".f90": ["gfortran", "-fopenacc"]}
LAUNCH = re.compile(r"(\w+)<<<(.+?), (.+?)>>>\(")


def run(program: Path) -> tuple[subprocess.CompletedProcess[str], str]:
    """What compiling it, or else running it, gave, and the words of a record."""
    compiler, option = COMPILERS[program.suffix]
    command = [need(compiler, compiler), "-Wall", "-O2"]
    with tempfile.TemporaryDirectory(prefix="snippet-") as folder:
        source = Path(folder, program.name)
        text = program.read_text(encoding="utf-8")
        if ".hip" in program.suffixes:
            text, option = LAUNCH.sub(r"launch(\1, \2, \3, ", text), f"-I{STANDINS}"
        source.write_text(text, encoding="utf-8")
        done = _output([*command, option, source.name, "-o", "program"], folder)
        if not done.returncode:
            done = _output(["./program"], folder)
    version = _output([command[0], "-dumpfullversion"], "/").stdout.strip()
    how = ", HIP replaced by a loop over its threads" if ".hip" in program.suffixes else f" and `{option}`"
    return done, f"with {compiler} {version}{how}"


def _output(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment_in(Path(folder)), capture_output=True, encoding="utf-8", timeout=120
    )
