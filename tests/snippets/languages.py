"""Compile and run what `snippets/languages/` has: OpenMP and OpenACC fall back to the CPU, and HIP has a stand-in."""

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
    (compiler, option), text = COMPILERS[program.suffix], program.read_text(encoding="utf-8")
    need(compiler, compiler)
    how = f" and `{option}`"
    if ".hip" in program.suffixes:
        option, how = f"-I{STANDINS}", ", HIP replaced by a loop over its threads"
        text = LAUNCH.sub(r"launch(\1, \2, \3, ", text)
    with tempfile.TemporaryDirectory(prefix="snippet-") as folder:
        Path(folder, program.name).write_text(text, encoding="utf-8")
        steps = f"{compiler} -Wall -O2 {option} {program.name} -o program && ./program"
        run_in = {"cwd": folder, "env": environment_in(Path(folder)), "timeout": 120}
        done = subprocess.run(["bash", "-c", steps], capture_output=True, encoding="utf-8", **run_in)
    version = subprocess.check_output([compiler, "-dumpfullversion"], encoding="utf-8").strip()
    return done, f"with {compiler} {version}{how}"
