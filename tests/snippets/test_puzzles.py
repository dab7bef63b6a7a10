"""The puzzles of Learn without a GPU: solutions pass, near misses are found. puzzles.out has what is said of blanks."""

import re

from scripts.paths import PROGRAMS
from tests.snippets.collector import until_changed
from tests.snippets.sandbox import run_program

BLANK = re.compile(r"(?m)^    pass  # .+$")
SOLUTIONS = {
    "double": "i = cuda.threadIdx.x\n    out[i] = 2 * x[i]",
    "guard": "i = cuda.threadIdx.x\n    if i < out.size:\n        out[i] = 2 * x[i]",
    "blocks": "i = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x\n    if i < out.size: out[i] = 2 * x[i]",
    "columns": "if row < x.shape[0] and column < x.shape[1]:\n        out[row, column] = x[row, column] + column",
    "stride": "for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n        out[i] = 2 * x[i]",
    "reverse": "cuda.syncthreads()\n    out[i] = tile[63 - i]",
}


def told(tmp_path, **answers) -> dict[str, str]:
    """What the program prints of each puzzle, and of them all under its number of those solved."""
    blanks = iter(SOLUTIONS)
    text = (PROGRAMS / "puzzles.py").read_text(encoding="utf-8")
    filled, count = BLANK.subn(lambda blank: f"    {answers.get(next(blanks)) or blank[0].strip()}", text)
    assert count == len(SOLUTIONS)
    (tmp_path / "puzzles.py").write_text(filled, encoding="utf-8")
    done = run_program(tmp_path / "puzzles.py", [], ["simulator"])
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    return dict(line.split(": ", 1) for line in lines) | {"all": last}


@until_changed(PROGRAMS / "puzzles.py")
def test_the_solutions_solve_all_puzzles(tmp_path):
    assert told(tmp_path, **SOLUTIONS) == dict.fromkeys(SOLUTIONS, "solved") | {"all": "6 of 6 puzzles solved"}


@until_changed(PROGRAMS / "puzzles.py")
def test_near_misses_are_found(tmp_path):
    misses = {
        "guard": (SOLUTIONS["double"], r"your kernel failed: .*index \d is out of bounds.*"),
        "blocks": (SOLUTIONS["guard"], r"not solved, out\[4\] is nan, not 10\.0"),
        "stride": ("i = cuda.grid(1)\n    out[i] = 2 * x[i]", r"not solved, out\[8\] is nan, not 18\.0"),
        "reverse": ("out[i] = tile[63 - i]", r"not solved, out\[0\] is .*, not 64\.0"),
    }
    found = told(tmp_path, **SOLUTIONS | {puzzle: answer for puzzle, (answer, _) in misses.items()})
    assert all(re.fullmatch(words, found[puzzle]) for puzzle, (_, words) in misses.items()), found
    assert found["all"] == "2 of 6 puzzles solved"
