"""The least time on a host's cores: a ceiling that no processor reaches, so that what beats it was not measured.

A core does at most 32 operations in float64 a clock (two units of eight, a multiply-add counting as two), twice as many
in float32, at 6 GHz; it moves 100 GB/s to and from memory. What fits the largest caches need not come from memory. The
fastest processors of 2026 stay below each of these: a hundredfold of an honest time is far above.
"""

from __future__ import annotations

CLOCK_HZ = 6e9
OPERATIONS_PER_CLOCK = {"float64": 32, "float32": 64}
BYTES_PER_SECOND = 1e11
CACHE_BYTES = 2.5e9  # two sockets of 1152 MB
CALL_SECONDS = 2e-7  # calling a library takes as long, whatever it does; on a GPU, too
