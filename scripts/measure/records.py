"""What was measured: the typed model of a record in `snippets/measured/`, and why a measurement is refused.

One JSON file a device. `python -m scripts.measure.records` checks them all.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from scripts.errors import BadInput, run
from scripts.measure.limits import Device, Work, load_limits
from scripts.models import Strict, as_file, load_model
from scripts.paths import MADE, MEASURED, PROGRAMS, shown

SCHEMA = MADE / "result.schema.json"
MOST_SPREAD = 0.10  # of the interquartile range to the median
FEWEST_SAMPLES = 5


class Timing(Strict):
    """Of one repetition, in seconds. The timer waits for the device before each reading of the clock."""

    median_s: PositiveFloat
    iqr_s: NonNegativeFloat = Field(description="Interquartile range over the samples")
    samples: PositiveInt
    calls_per_sample: PositiveInt

    @property
    def spread(self) -> float:
        return self.iqr_s / self.median_s


class Measured(Strict):
    """One case: what was run, what it had to do, how long it took, how far from the limit that is."""

    program: str = Field(pattern=r"^[a-z_0-9]+\.py$")
    arguments: list[str]
    label: str = Field(description="The timer's label in the program")
    size: str = Field(description="For readers, with its unit")
    work: Work
    timing: Timing
    error: NonNegativeFloat = Field(
        description="Largest error against a reference in higher precision, as the program worked it out"
    )
    tolerance: PositiveFloat
    on: Literal["device", "host"] = Field("device", description="Where it ran; the host's CPU has no limit")
    limit_s: NonNegativeFloat | None = Field(description="Shortest possible time; none for the host")
    bound_by: str | None
    fraction: NonNegativeFloat | None = Field(le=1, description="Shortest possible time, divided by the median")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="Of the program as it was run")

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it from every other case of its record."""
        return self.program, self.label, self.size, self.on

    @property
    def current(self) -> bool:
        """Is the program still the one that was measured?"""
        path = PROGRAMS / self.program
        return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == self.sha256


class Where(Strict):
    """The place of a measurement."""

    cluster: str = Field(description="A cluster of this guide, or what the machine is")
    job: str | None = Field(None, description="The scheduler's number of the job")
    host_cpu: str
    cores: PositiveInt


class Record(Strict):
    """All that was measured on one device at one time."""

    device: str = Field(description="Key in limits.yml")
    driver_name: str = Field(description="What the driver calls the device")
    driver: str
    clocks_mhz: dict[str, int] = Field(description="The device's clocks, as the driver gave them under load")
    versions: dict[str, str]
    commit: str = Field(pattern=r"^[0-9a-f]{40}(-dirty)?$")
    date: str = Field(pattern=r"^20\d\d-\d\d-\d\d$")
    where: Where
    cases: Annotated[list[Measured], Field(min_length=1)]


def refusal(
    timing: Timing, work: Work, error: float, tolerance: float, device: Device | None, on: str = "device"
) -> str | None:
    """Why this measurement must not be recorded; None if it may.

    One sentence. What ran on the host is not held against the device's limits.
    """
    if device is None:
        return "there is no limit for this device in snippets/measured/limits.yml"
    if not error <= tolerance:
        return f"the result is wrong: error {error:.2g}, allowed {tolerance:.2g}"
    if timing.samples < FEWEST_SAMPLES:
        return f"only {timing.samples} samples were taken, fewer than {FEWEST_SAMPLES}"
    if timing.spread > MOST_SPREAD:
        return f"the spread is {timing.spread:.0%} of the median, over {MOST_SPREAD:.0%}"
    if on == "host":
        return None
    if work.flop and work.precision not in device.tflops:
        return f"limits.yml has no {work.precision} for {device.name}"
    shortest, binding = device.shortest(work)
    if not shortest:
        return "no limit binds: the data fit the device's cache; measure a larger size"
    if timing.median_s < shortest:
        over = f"{shortest / timing.median_s:.1f} times over the limit"
        needs = f"where the {binding} alone needs {shortest:.3g} s"
        return f"faster than possible: {timing.median_s:.3g} s, {needs} ({over})"
    return None


def held_against(work: Work, timing: Timing, device: Device, on: str) -> tuple[float | None, str | None, float | None]:
    """(shortest possible time in seconds, what binds it, the fraction of it
    that was reached); nothing of it for the host.
    """
    if on == "host":
        return None, None, None
    shortest, binding = device.shortest(work)
    return shortest, binding, shortest / timing.median_s


def follows(case: Measured, device: Device) -> bool:
    """Are the recorded limit and fraction those that the work, the time and the device give?"""
    shortest, binding, fraction = held_against(case.work, case.timing, device, case.on)
    if fraction is None:
        return (case.limit_s, case.bound_by, case.fraction) == (None, None, None)
    return (
        case.fraction is not None
        and case.limit_s is not None
        and abs(case.fraction - fraction) < 1e-6
        and abs(case.limit_s - shortest) <= 1e-6 * shortest
        and case.bound_by == binding
    )


def load_records(folder: Path = MEASURED, limits: dict[str, Device] | None = None) -> dict[str, Record]:
    """Every record by device.

    Raises BadInput with file and reason for one that is malformed, or that should have been refused.
    """
    limits = limits or load_limits()
    records = {}
    for path in sorted(folder.glob("*.json")):
        record, lines = load_model(path, Record, "Measure again: python -m scripts.measure")
        if record.device != path.stem:
            raise BadInput(
                shown(path),
                lines["device",],
                f"this is a record of {record.device}.",
                "Name the file after its device.",
            )
        for place, case in enumerate(record.cases):
            reason = refusal(case.timing, case.work, case.error, case.tolerance, limits.get(record.device), case.on)
            if not reason and not follows(case, limits[record.device]):
                reason = "its fraction does not follow from its time and its limit"
            if reason:
                raise BadInput(
                    shown(path),
                    lines["cases", place],
                    f"{case.program}, {case.label}, {case.size}: {reason}.",
                    "Take the case out, and measure again.",
                )
        records[record.device] = record
    return records


def schema_text() -> str:
    return as_file(Record.model_json_schema())


def main() -> int:
    argparse.ArgumentParser(prog="python -m scripts.measure.records", description=__doc__).parse_args()
    records = load_records()
    cases = sum(len(record.cases) for record in records.values())
    print(f"{len(records)} devices measured, {cases} cases; limits of {len(load_limits())} devices.")
    return 0


if __name__ == "__main__":
    run(main)
