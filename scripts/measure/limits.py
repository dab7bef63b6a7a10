"""What each GPU can do at most, and the processors beside it: the typed model of
`snippets/measured/limits.yml`, and the roofline that follows from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from scripts.facts.model import Source
from scripts.facts.units import Memory
from scripts.models import Strict, load_model
from scripts.paths import MEASURED

LIMITS = MEASURED / "limits.yml"
OTHER_FORMS = {"MIG", "NVL", "Ti", "SUPER", "Super", "D", "Laptop", "Mobile", "Max-Q", "Ada", "PCIe"}

Precision = Literal["float64", "float32", "tf32", "bfloat16", "float16"]


class Work(Strict):
    """What one repetition of a case must do at least, whoever does it: operations, and bytes moved."""

    flop: float = Field(0, ge=0, description="Operations, a multiply-add counting as two")
    precision: Precision = "float32"
    device_bytes: float = Field(0, ge=0, description="Read from and written to the device's memory")
    to_device_bytes: float = Field(0, ge=0, description="Over the link, host to device")
    to_host_bytes: float = Field(0, ge=0, description="Over the link, device to host")
    overlapped: bool = Field(True, description="May both directions of the link be busy at once?")
    matrix: bool = Field(True, description="May matrix units do it? Only a product of matrices is made for them")


class Chip(Strict):
    """What a GPU is made of. A unit does a multiply-add a cycle, so two operations, for each number packed."""

    sms: int = Field(ge=1, description="Streaming multiprocessors; AMD's compute units")
    units: int = Field(ge=1, description="Units for float32 in each of them")
    mhz: int = Field(ge=1, description="The clock of the printed float32 rate")
    packed: int = Field(1, ge=1, description="float32 numbers that a unit takes at once")

    @property
    def operations(self) -> int:
        """float32 operations a cycle."""
        return 2 * self.packed * self.units * self.sms


class Device(Strict):
    """A GPU as one job sees it. Rates are peaks: GB/s are 10^9 bytes a second, TFLOP/s 10^12 operations."""

    name: str
    matches: str = Field(description="Part of the name that the driver gives it")
    elsewhere: bool = Field(False, description="No system of this guide has it; it serves who measures elsewhere")
    chip: Chip | None = None
    compute_capability: str | None = Field(None, pattern=r"^[0-9]+\.[0-9]$", description="NVIDIA only")
    memory: Memory
    l2: Memory
    hbm_gb_per_s: PositiveFloat
    link_gb_per_s: PositiveFloat = Field(description="Host link, one way")
    tflops: dict[Precision, PositiveFloat] = Field(description="Of a product of matrices, dense")
    ordinary_tflops: dict[Precision, PositiveFloat] = Field(
        default_factory=dict, description="Of all other code, where that is less than `tflops`"
    )
    sources: Annotated[list[Source], Field(min_length=1)]

    @property
    def one_memory(self) -> bool:
        """Are the host's memory and the device's the same, so that nothing needs to be copied?"""
        return self.link_gb_per_s >= self.hbm_gb_per_s

    def lacks(self, precision: Precision) -> bool:
        """Has it no units for this precision? Else a rate that is missing is only not known here."""
        if self.compute_capability is None:  # AMD's CDNA 3 is the first with units like those for TF32
            return precision == "tf32" and "MI300" not in self.name
        first = {"float16": 7.0, "tf32": 8.0, "bfloat16": 8.0}.get(precision, 0.0)
        return float(self.compute_capability) < first

    def shortest(self, work: Work) -> tuple[float, str]:
        """The least seconds in which this device can do the work, and what binds it.

        Raises KeyError for a precision without a limit.
        """
        rates = self.tflops if work.matrix else self.tflops | self.ordinary_tflops
        there, back = work.to_device_bytes / 1e9 / self.link_gb_per_s, work.to_host_bytes / 1e9 / self.link_gb_per_s
        # With one memory a copy reads it, too. What stays in the cache need not come from memory.
        moved = work.device_bytes + (work.to_device_bytes + work.to_host_bytes) * self.one_memory
        in_cache = moved <= self.l2.mib * 2**20
        bounds = {
            "arithmetic": work.flop / 1e12 / rates[work.precision] if work.flop else 0.0,
            "memory": 0.0 if in_cache else moved / 1e9 / self.hbm_gb_per_s,
            "link": max(there, back) if work.overlapped else there + back,
        }
        binding = max(bounds, key=bounds.__getitem__)
        return bounds[binding], binding


class Host(Strict):
    """A processor beside GPUs, one socket of it. Its rates are peaks, too: the highest clock, all cores at once."""

    cores: PositiveInt
    ghz: PositiveFloat
    flop_per_clock: PositiveInt = Field(description="Of one core in float64; twice as many in float32")
    cache: Memory = Field(description="The last level, whole")
    memory_gb_per_s: PositiveFloat
    sources: Annotated[list[Source], Field(min_length=1)]

    def rates(self, sockets: int, cores: int) -> Rates:
        """Of so many sockets, of which a job can have so many cores in all."""
        tflops = cores * self.ghz * self.flop_per_clock / 1e3
        return Rates(
            tflops={"float64": tflops, "float32": 2 * tflops},
            memory_gb_per_s=sockets * self.memory_gb_per_s,
            cache_bytes=sockets * self.cache.mib * 2**20,
        )


@dataclass(frozen=True)
class Rates:
    """What the processors of one node can do at most."""

    tflops: dict[str, float]
    memory_gb_per_s: float
    cache_bytes: float


class Start(Strict):
    """What starting one kernel takes."""

    microseconds: PositiveFloat
    sources: Annotated[list[Source], Field(min_length=1)]

    @property
    def seconds(self) -> float:
        return self.microseconds / 1e6


class Limits(Strict):
    devices: dict[str, Device]
    hosts: dict[str, Host]
    start: Start


def load_file(path: Path = LIMITS) -> Limits:
    """GPUs, processors and the start of a kernel. Raises BadInput with file, line, key for every fault."""
    return load_model(path, Limits, "Compare with another device.")[0]


def load_limits(path: Path = LIMITS) -> dict[str, Device]:
    """Every GPU by key, see load_file."""
    return load_file(path).devices


def device_named(driver_name: str, limits: dict[str, Device]) -> str | None:
    """The key of the device that the driver calls so; the longest match counts (H200 in H200 NVL, T4 not in T400).

    None for a slice of it (MIG, or a virtual GPU such as A40-8Q) and for its other forms, such as Ti or a laptop's,
    unless the device's own `matches` names that.
    """
    found = {
        key: match[1].split()
        for key, device in limits.items()
        if (match := re.search(rf"(?<![A-Za-z0-9]){re.escape(device.matches)}(?![A-Za-z0-9-])(.*)", driver_name))
    }
    key = max(found, key=lambda key: len(limits[key].matches), default=None)
    return None if key is None or OTHER_FORMS & set(found[key]) else key


def listed(limits: dict[str, Device]) -> dict[str, Device]:
    """Those that a system of this guide has."""
    return {key: device for key, device in limits.items() if not device.elsewhere}
