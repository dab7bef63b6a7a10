"""The grades as text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from scripts.bench.grade import STEPS, Grade
from scripts.bench.task import KINDS


def lines(grades: Sequence[Grade]) -> Iterator[str]:
    """One for each task: that it passes, or the first step that failed, and why."""
    for each in grades:
        why = "passes" if each.passed else f"{each.step}: {' '.join(each.why.split())}"
        yield f"{each.task.id:28} {''.join(sign if sign.isprintable() else '?' for sign in why)[:300]}"


def table(grades: Sequence[Grade]) -> Iterator[str]:
    """How many of each kind pass on each system, and where the others fail."""
    kinds = [kind for kind in KINDS if any(each.task.kind == kind for each in grades)]
    systems = sorted({each.task.system for each in grades})
    yield _row("system", [*kinds, "all"])
    for system in systems:
        own = [each for each in grades if each.task.system == system]
        yield _row(system, [_passed(own, kind) for kind in (*kinds, "")])
    yield _row("all", [_passed(grades, kind) for kind in (*kinds, "")])
    failed = Counter(each.step for each in grades if not each.passed)
    if failed:
        yield f"First step that failed: {', '.join(f'{step} {failed[step]}' for step in STEPS if failed[step])}."
    number = sum(each.passed for each in grades)
    yield f"{number} of {len(grades)} pass ({number / max(1, len(grades)):.1%})."


def _passed(grades: Sequence[Grade], kind: str) -> str:
    own = [each for each in grades if not kind or each.task.kind == kind]
    return f"{sum(each.passed for each in own)}/{len(own)}" if own else "-"


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:12}" + "".join(f"{cell:>10}" for cell in cells)
