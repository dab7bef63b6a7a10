"""A reader's own case: what an operation of any size must do at least, and the least time for it on a GPU, with its
data over the link, and on the processors of the GPU's node.

`docs/assets/limits.js` works the same out in the page; tests/measure/test_own.py holds one against the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scripts.measure.cases import BYTES
from scripts.measure.limits import Device, Rates, Work

Time = tuple[float, str]  # seconds, and what binds


@dataclass(frozen=True)
class Own:
    """One operation. Bytes: read and written in memory; to the GPU, and back, if the data are the host's; kept there.

    matrix: is it a product of matrices, for which GPUs have units of their own?
    """

    flop: float
    memory: float
    to_device: float
    to_host: float
    kept: float
    matrix: bool = False


def product(size: int, rows: float, inner: float, columns: float) -> Own:
    """C = A B; A is rows x inner, B inner x columns, `size` bytes a number."""
    given, result = size * (rows * inner + inner * columns), size * rows * columns
    return Own(2 * rows * inner * columns, given + result, given, result, given + result, matrix=True)


def elementwise(size: int, numbers: float, read: float, written: float, operations: float) -> Own:
    """`operations` for each place of arrays of so many numbers, of which some are read and some are written."""
    given, result = size * numbers * read, size * numbers * written
    return Own(numbers * operations, given + result, given, result, given + result)


def copy(size: int, megabytes: float) -> Own:
    """From one place in memory to another; over the link, from the host to the GPU."""
    number = megabytes * 1e6
    return Own(0, 2 * number, number, 0, 2 * number)


def training(size: int, batch: float, gflop: float, kilobytes: float) -> Own:
    """One step: backward costs twice as much as forward, `gflop` for each sample. Only the samples move.

    What the layers read and write in memory depends on the network, so it is not counted, nor what is kept.
    """
    given = batch * kilobytes * 1e3
    return Own(3e9 * gflop * batch, 0, given, 0, 0, matrix=True)


OPERATIONS: dict[str, Callable[..., Own]] = {
    "product": product,
    "elementwise": elementwise,
    "copy": copy,
    "training": training,
}


def on_device(device: Device, own: Own, precision: Any, linked: bool) -> Time | None:
    """With the data in its memory, or `linked`: from the host and back. None for a precision that it is not made for.

    Where both have one memory, nothing is copied.
    """
    if own.flop and precision not in device.tflops:
        return None
    moved = linked and not device.one_memory
    work = Work(
        flop=own.flop,
        precision=precision,
        matrix=own.matrix,
        device_bytes=own.memory,
        to_device_bytes=own.to_device * moved,
        to_host_bytes=own.to_host * moved,
    )
    return device.shortest(work)


def on_host(rates: Rates, operation: str, precision: Any, given: dict[str, float]) -> Time:
    """What GPUs do in fewer bits, processors do in float32."""
    precision = host_precision(precision)
    own = OPERATIONS[operation](BYTES[precision], **given)
    return rates.shortest(Work(flop=own.flop, precision=precision, device_bytes=own.memory))


def host_precision(precision: str) -> str:
    return "float64" if precision == "float64" else "float32"


def fits(device: Device, own: Own) -> bool:
    return own.kept <= device.memory.mib * 2**20
