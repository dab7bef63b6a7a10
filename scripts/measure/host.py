"""The least time on a host's cores: a ceiling that no processor reaches, so that what beats it was not measured.

A core does at most 32 operations in float64 a clock (two units of eight, a multiply-add counting as two), twice as many
in float32, at 6 GHz; it moves 100 GB/s to and from memory. What fits the largest caches need not come from memory. The
fastest processors of 2026 stay below each of these: a hundredfold of an honest time is far above.
"""

from __future__ import annotations

from scripts.measure.limits import Work

CLOCK_HZ = 6e9
OPERATIONS_PER_CLOCK = {"float64": 32, "float32": 64}
BYTES_PER_SECOND = 1e11
CACHE_BYTES = 2.5e9  # two sockets of 1152 MB
CALL_SECONDS = 2e-7  # calling a library takes as long, whatever it does; on a GPU, too


def least_seconds(work: Work, cores: int, calls: int = 1) -> float:
    """Seconds that so many cores need at least for this work, done in so many calls of a library."""
    arithmetic = work.flop / (cores * OPERATIONS_PER_CLOCK[work.precision] * CLOCK_HZ)
    memory = 0.0 if work.device_bytes <= CACHE_BYTES else work.device_bytes / (cores * BYTES_PER_SECOND)
    return max(arithmetic, memory, calls * CALL_SECONDS)
