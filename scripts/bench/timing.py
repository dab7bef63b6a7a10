"""Time something a few times and say it in one line."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(action: Callable[[], object], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return times


def say(what: str, values: list[float], unit: str, aim: str) -> None:
    """One line: the median, the spread, and what is aimed at. `values` are in the unit."""
    spread = f" ({min(values):.3g} to {max(values):.3g}, {len(values)} times)" if len(values) > 1 else ""
    print(f"{what:<58} {statistics.median(values):8.3g} {unit}{spread}   aim: {aim}", flush=True)
