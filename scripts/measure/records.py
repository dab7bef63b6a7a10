"""What was measured: the typed model of a record in `snippets/measured/`, and why a measurement is refused.

One JSON file a device.
"""

import datetime
from math import isfinite
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated

from pydantic import AfterValidator, Field, NonNegativeFloat, PositiveFloat

from scripts.digests import digest_of
from scripts.engine import host
from scripts.errors import BadInput, did_you_mean, refuse
from scripts.facts.units import Date
from scripts.measure.cases import Case, cases
from scripts.measure.catalogue import RULES, known
from scripts.measure.limits import Device, device_named, load_limits
from scripts.models import Strict, load_model
from scripts.paths import MEASURED, PROGRAMS, shown

PLAIN = r"[\w .,:;()@+/&'#-]"  # pages show these words as they are, also from a stranger's record
Plain = Annotated[str, Field(pattern=rf"^{PLAIN}+$")]
Seconds = Annotated[PositiveFloat, Field(allow_inf_nan=False)]


def utc_day() -> Date:
    """The day of a measurement: the same wherever a record is made and checked."""
    return Date(datetime.datetime.now(datetime.UTC).date().isoformat())


def _past(day: Date) -> Date:
    if day > utc_day():
        raise ValueError(f"{day} is in the future; write the day of the measurement")
    return day


class Measured(Strict):
    """One case: what was run, how long it took, how far from the limit that is. What it had to do says the case of
    this name in cases.py.
    """

    program: str = Field(pattern=r"^[a-z_0-9]+\.py$")
    label: str = Field(description="The timer's label in the program")
    size: str = Field(description="For readers, with its unit")
    samples_s: Annotated[list[Seconds], Field(min_length=1)] = Field(
        description="One repetition's time for each sample; the timer waits for the device before it reads the clock"
    )
    error: NonNegativeFloat = Field(
        description="Largest error against a reference in higher precision, as the program worked it out",
        allow_inf_nan=False,
    )
    fraction: NonNegativeFloat = Field(le=1, description="Shortest possible time, divided by the median")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="Of the program as it was run")

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from every other case of its record."""
        return self.program, self.label, self.size

    @property
    def median_s(self) -> float:
        return median(self.samples_s)

    @property
    def iqr_s(self) -> float:
        """Interquartile range over the samples."""
        lower, _, upper = quantiles(self.samples_s, n=4, method="inclusive")
        return upper - lower

    @property
    def current(self) -> bool:
        """Is the program still the one that was measured?"""
        path = PROGRAMS / self.program
        return path.exists() and digest_of(path) == self.sha256


class Where(Strict):
    """The place of a measurement."""

    cluster: Plain = Field(description="A cluster of this guide, or what the machine is")
    job: Plain | None = Field(None, description="The scheduler's number of the job")
    host_cpu: Plain


class Record(Strict):
    """All that was measured on one device at one time."""

    device: str = Field(description="Key in limits.yml")
    driver_name: Plain = Field(description="What the driver calls the device")
    driver: Plain
    clocks_mhz: dict[str, int] = Field(description="The device's clocks, as the driver gave them under load")
    versions: dict[str, Plain]
    commit: str = Field(pattern=r"^[0-9a-f]{40}(-dirty)?$")
    date: Annotated[Date, AfterValidator(_past)]
    where: Where
    cases: Annotated[list[Measured], Field(min_length=1)]


def refusal(case: Case, samples_s: list[float], error: float, device: Device) -> str | None:
    """Why this measurement of a case must not be recorded; None if it may. One sentence."""
    own = known(case, device)
    found = own | {"samples_s": samples_s, "fraction": reached(case, samples_s, device)}
    found["error"] = error if isfinite(error) else None
    (reason,) = host.call("refusals", [found], [own], RULES)
    return reason


def refusals(found: list[Measured], device: Device) -> list[str | None]:
    """Why each recorded case of a device is refused; None where it holds."""
    given = [each.model_dump(mode="json") for each in found]
    return host.call("refusals", given, [known(case, device) for case in cases(device)], RULES)


def reached(case: Case, samples_s: list[float], device: Device) -> float:
    """The part of the limit that was reached."""
    return device.shortest(case.work)[0] / median(samples_s)


def load_records(folder: Path = MEASURED, limits: dict[str, Device] | None = None) -> dict[str, Record]:
    """Every record by device.

    Raises BadInput with file, line and reason for every one that is malformed, or that should have been refused.
    """
    limits = limits or load_limits()
    records, faults = {}, []
    for path in sorted(folder.glob("*.json")):
        try:
            records[path.stem] = load_record(path, limits, path.stem)
        except BadInput as found:
            faults.append(found)
    refuse(faults)
    return records


def load_record(path: Path, limits: dict[str, Device], of: str | None = None) -> Record:
    """One record; of: the device that it must be of. Raises BadInput with every fault, also with one of physics."""
    record, lines = load_model(path, Record, "Measure again: guide measure")
    if record.device not in limits:
        what = f"limits.yml has no device {record.device}."
        raise BadInput(shown(path), lines["device",], what, did_you_mean(record.device, list(limits)))
    if of and record.device != of:
        what = f"this is a record of {record.device}."
        raise BadInput(shown(path), lines["device",], what, "Name the file after its device.")
    if device_named(record.driver_name, limits) != record.device:
        what = f"`{record.driver_name}` is not what a driver calls {limits[record.device].name}."
        raise BadInput(shown(path), lines["driver_name",], what, "Measure again on that device.")
    faults = []
    reasons = refusals(record.cases, limits[record.device])
    for place, (case, reason) in enumerate(zip(record.cases, reasons, strict=True)):
        if reason:
            what = f"{case.program}, {case.label}, {case.size}: {reason}."
            faults.append(BadInput(shown(path), lines["cases", place], what, "Remove the case, and measure again."))
    refuse(faults)
    return record
