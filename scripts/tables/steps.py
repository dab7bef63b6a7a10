"""How the training example grows: the difference between each of its programs and the one before."""

import difflib
from itertools import pairwise

from scripts.paths import PROGRAMS

STEPS = ("train_cpu.py", "train_gpu.py", "train_workers.py", "train_bf16.py", "train.py", "train_gpus.py")


def diffs() -> dict[str, str]:
    """`train_gpu.diff` and so on: what a reader changes, with one line of context."""
    return {after.replace(".py", ".diff"): _diff(before, after) for before, after in pairwise(STEPS)}


def _diff(before: str, after: str) -> str:
    one, other = ((PROGRAMS / name).read_text(encoding="utf-8").splitlines() for name in (before, after))
    start = 2  # the docstring differs in each, and the page says the same
    lines = difflib.unified_diff(one[start:], other[start:], before, after, n=1, lineterm="")
    return "\n".join(map(str.rstrip, lines)) + "\n"
