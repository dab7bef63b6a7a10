"""What is measured: for each timing of a program, the work that it must do at least.

Sizes are the sources' own where they fit the device.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from scripts.measure.limits import Device, Work

BYTES = {"float64": 8, "float32": 4, "tf32": 4, "bfloat16": 2, "float16": 2}
SYSTEMS = ((20_000, 20), (1, 8_000))  # how many, of how many equations
# Each way of feeding the small CNN, and its program; the last is the GPU by itself.
FED = {
    "workers, pinned memory": "train_cnn.py",
    "bytes in memory": "feed_bytes.py",
    "bytes on the device": "feed_bytes.py",
    "nothing to feed": "train_cnn.py",
}
PICTURES = 50_000  # of CIFAR-10
PAIRS_COPIED = 100_000_000  # multiply_copies.py's full size
# Forward and backward, one picture of 32 x 32: tests/measure/test_measure.py counts them.
RESNET152_FLOP, CNN_FLOP = 1.417e9, 3.2e6
# Products and convolutions of a step, forward and backward, each of which waits for the one before.
RESNET152_PRODUCTS, CNN_PRODUCTS = 467, 14
CNN_BATCH = 512  # as train_cnn.py has it


@dataclass(frozen=True)
class Case:
    """One timing: which program, how it is called, which of its timers (by
    label), what it must do, how wrong it may be.
    """

    program: str
    arguments: tuple[str, ...]
    label: str
    size: str
    work: Work
    tolerance: float

    @property
    def key(self) -> tuple[str, str, str]:
        """As of a measured case, see scripts/measure/records.py."""
        return self.program, self.label, self.size


def matrix_product(n: int, precision: str) -> Work:
    """C = A B, each n x n."""
    return Work(flop=2 * n**3, precision=precision, device_bytes=3 * n * n * BYTES[precision])


def copies(number: int, way: str) -> Work:
    """Bytes that move in each of bandwidth.py's ways, for arrays of `number` bytes."""
    return {
        "device to device": Work(device_bytes=2 * number),
        "host to device": Work(to_device_bytes=number, device_bytes=number),
        "device to host": Work(to_host_bytes=number, device_bytes=number),
        "both ways at once": Work(to_device_bytes=number, to_host_bytes=number, device_bytes=2 * number),
    }[way]


def elementwise_product(pairs: int, moved: bool, overlapped: bool = True) -> Work:
    """Two arrays of float32 are read, one is written; `moved`: both come
    over the link first, and the result goes back.
    """
    size = 4 * pairs
    if not moved:
        return Work(flop=pairs, device_bytes=3 * size)
    return Work(flop=pairs, device_bytes=6 * size, to_device_bytes=2 * size, to_host_bytes=size, overlapped=overlapped)


def copies_of(pairs: int) -> dict[str, Work]:
    """multiply_copies.py's ways on a GPU: what Numba copies when it is given NumPy arrays, only the result, nothing."""
    size = 4 * pairs
    return {
        "copy_everything": Work(
            flop=pairs, device_bytes=9 * size, to_device_bytes=3 * size, to_host_bytes=3 * size, overlapped=False
        ),
        "copy_the_result": Work(flop=pairs, device_bytes=4 * size, to_host_bytes=size),
        "copy_nothing": elementwise_product(pairs, moved=False),
    }


def linear_systems(systems: int, n: int) -> Work:
    """LU factors and two triangular solves of `systems` dense systems of n equations, one right-hand side each."""
    return Work(
        flop=systems * (2 * n**3 / 3 + 2 * n**2), precision="float64", device_bytes=systems * (n * n + 2 * n) * 8
    )


def regression(samples: int, steps: int) -> Work:
    """Gradient descent on a line: each step reads two columns and the target once, as float32."""
    return Work(flop=8 * samples * steps, device_bytes=12 * samples * steps)


def fed(way: str, precision: str) -> Work:
    """An epoch of the small CNN: each picture's 3 x 32 x 32 numbers come
    over the link as float32, as bytes, or not at all.
    """
    numbers = PICTURES * 3 * 32 * 32
    size = {"workers, pinned memory": 4, "bytes in memory": 1}.get(way, 0)
    return Work(flop=CNN_FLOP * PICTURES, precision=precision, device_bytes=numbers, to_device_bytes=size * numbers)


def pairs_on(device: Device) -> int:
    """Pairs of float32 for the elementwise product: the source's own 3 x 10^9, or what fits."""
    return min(3_000_000_000, int(0.85 * device.memory.mib * 2**20 / 12) // 10**8 * 10**8)


def product(n: int, precision: str, tolerance: float) -> Case:
    arguments, work = ("--device", "gpu", "--size", str(n), "--dtype", precision), matrix_product(n, precision)
    return Case("matmul.py", arguments, "product", f"{n} x {n}, {precision}", work, tolerance)


def pairs_multiplied(device: Device, way: str, moved: bool = False, overlapped: bool = True) -> Case:
    pairs = pairs_on(device)
    size, work = f"{pairs / 1e9:g} x 10^9 pairs of float32, {way}", elementwise_product(pairs, moved, overlapped)
    program = "overlap_copies.py" if "overlap" in way else "multiply_arrays.py"
    return Case(program, ("--pairs", str(pairs)), way, size, work, 1e-6)


def cases(device: Device) -> Iterator[Case]:
    """Every case at the size for this device."""
    for n, precision, tolerance in (
        (8192, "float64", 1e-12),
        (8192, "float32", 1e-4),
        (16384, "tf32", 5e-3),
        (16384, "bfloat16", 2e-2),
        (16384, "float16", 5e-3),
    ):
        if precision in device.tflops:
            yield product(n, precision, tolerance)

    megabytes = 4096
    for way in ("device to device", "host to device", "device to host", "both ways at once"):
        arguments, work = ("--megabytes", str(megabytes)), copies(megabytes * 10**6, way)
        yield Case("bandwidth.py", arguments, way, f"{megabytes} MB, {way}", work, 1e-12)

    yield pairs_multiplied(device, "copies from ordinary memory", moved=True, overlapped=False)
    yield pairs_multiplied(device, "copies from pinned memory", moved=True, overlapped=False)
    yield pairs_multiplied(device, "pinned copies that overlap", moved=True)
    yield pairs_multiplied(device, "resident on the device")

    for count, n in SYSTEMS:
        size, work = f"{count} systems of {n} equations, float64", linear_systems(count, n)
        yield Case("linear_systems.py", ("--device", "gpu"), f"{count} of {n}", size, work, 1e-8)

    samples, steps = 50_000_000, 200
    arguments, work = ("--samples", str(samples), "--steps", str(steps)), regression(samples, steps)
    for way in ("one call per step", "one compiled loop"):
        size = f"{samples // 10**6} x 10^6 samples, {steps} steps, {way}"
        yield Case("linear_regression.py", arguments, way, size, work, 0.05)

    for way, program in FED.items():
        work = fed(way, "tf32" if "tf32" in device.tflops else "float32")
        yield Case(program, (), way, f"{PICTURES} pictures, {way}", work, 0.5)

    if "bfloat16" in device.tflops:  # the program trains in it
        batch, label = 1024, "a training step"
        size, work = f"batch of {batch}, bfloat16", Work(flop=RESNET152_FLOP * batch, precision="bfloat16")
        yield Case("train_resnet152.py", ("--batch", str(batch)), label, size, work, 1e-12)
