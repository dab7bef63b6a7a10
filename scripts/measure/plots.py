"""Draw the plots of the results page as SVG.

Colors have contrast on white and on dark; the background is left out, so a plot reads in light, dark and print. Text
stays text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from scripts.measure.cases import cases, elementwise_product
from scripts.measure.claims import Claim
from scripts.measure.limits import Device, listed
from scripts.measure.records import Record

INK, LIMIT, MEASURED, CLAIMED = "#767676", "#767676", "#128a80", "#c9483a"
WIDTH, NAMES, ROW, TOP = 720, 230, 34, 34  # px: the picture, the column of names, one row, the legend
LENGTH = WIDTH - NAMES - 30  # of the axis


@dataclass(frozen=True)
class Bar:
    """A bar from the left end of the axis to `value`, filled or empty."""

    value: float
    color: str
    filled: bool = True


Rows = list[tuple[str, list[Bar]]]


def _svg(rows: Rows, legend: dict[str, Bar], unit: str, ticks: list[float], place: Callable[[float], float]) -> str:
    """Rows of bars with their names; `place` gives the share of the axis, 0 to 1, at which a value is."""
    bottom = TOP + ROW * len(rows)
    parts, left = [], min(NAMES, WIDTH - sum(46 + 7 * len(name) for name in legend))
    for name, bar in legend.items():
        parts += [_rect(left, 8, 22, 11, bar), f'<text x="{left + 28}" y="18">{escape(name)}</text>']
        left += 46 + 7 * len(name)
    for number, (name, bars) in enumerate(rows):
        top = TOP + ROW * number
        parts.append(f'<text x="{NAMES - 8}" y="{top + ROW / 2 + 4:g}" text-anchor="end">{escape(name)}</text>')
        thick = (ROW - 10) / len(bars)
        parts += [
            _rect(NAMES, top + 5 + thick * row, LENGTH * place(bar.value), thick - 2, bar)
            for row, bar in enumerate(bars)
        ]
    parts.append(f'<path d="M{NAMES} {TOP}V{bottom}H{NAMES + LENGTH}" fill="none" stroke="{INK}"/>')
    for tick in ticks:
        at = f"{NAMES + LENGTH * place(tick):.4g}"
        parts.append(f'<path d="M{at} {bottom}v5" stroke="{INK}"/>')
        parts.append(f'<text x="{at}" y="{bottom + 20}" text-anchor="middle">{tick:g}</text>')
    middle = NAMES + LENGTH / 2
    parts.append(f'<text x="{middle:g}" y="{bottom + 40}" text-anchor="middle">{escape(unit)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 48}" width="{WIDTH}"'
    return "\n".join([f'{head} font-family="sans-serif" font-size="13" fill="{INK}">', *parts, "</svg>", ""])


def _rect(left: float, top: float, width: float, height: float, bar: Bar) -> str:
    fill = f'fill="{bar.color}"' if bar.filled else f'fill="none" stroke="{bar.color}" stroke-width="1.5"'
    return f'<rect x="{left:g}" y="{top:g}" width="{width:.4g}" height="{height:g}" {fill}/>'


def _times(rows: Rows, legend: dict[str, Bar], unit: str) -> str:
    """Times by powers of ten."""
    values = [math.log10(bar.value) for _, bars in rows for bar in bars]
    low, high = math.floor(min(values)), math.ceil(max(values))
    ticks = [10.0**power for power in range(low, high + 1)]
    return _svg(rows, legend, unit, ticks, lambda value: (math.log10(value) - low) / (high - low))


def claims_plot(claim: Claim, device: Device) -> str:
    """Reported times beside the shortest possible ones, seconds for all passes."""
    rows = []
    for row in claim.rows:
        if work := claim.work(row):
            shortest = device.shortest(work)[0] * claim.passes
            reported = Bar(row.seconds, CLAIMED if row.seconds < shortest else MEASURED)
            rows.append((row.what, [Bar(shortest, LIMIT, filled=False), reported]))
    legend = {
        "shortest possible": Bar(0, LIMIT, filled=False),
        "reported, but impossible": Bar(0, CLAIMED),
        "reported, and possible": Bar(0, MEASURED),
    }
    return _times(rows, legend, "seconds (each mark is ten times the one before)")


def ways_plot(limits: dict[str, Device]) -> str:
    """Where the time of the elementwise product goes: 10^9 pairs on the device, and with copies, at each device's
    limits.
    """
    rows = []
    for device in listed(limits).values():
        inside = device.shortest(elementwise_product(10**9, moved=False))[0] * 1e3
        serial = device.shortest(elementwise_product(10**9, moved=True, overlapped=False))[0] * 1e3
        rows.append((device.name, [Bar(serial, CLAIMED, filled=False), Bar(inside, MEASURED)]))
    legend = {"copied there and back": Bar(0, CLAIMED, filled=False), "data stays on the GPU": Bar(0, MEASURED)}
    return _times(rows, legend, "least milliseconds for 10^9 pairs of float32")


def device_plot(device: Device, record: Record) -> str:
    """Every measured case: the bar is what was reached, the outline is the limit."""
    found = {case.key: case for case in record.cases}
    rows = [
        (case.size, [Bar(100, LIMIT, filled=False), Bar(100 * found[case.key].fraction, MEASURED)])
        for case in cases(device)
        if case.key in found
    ]
    unit = f"percent of the limit ({device.name}, {record.date})"
    return _svg(rows, {}, unit, [0, 20, 40, 60, 80, 100], lambda value: value / 100)


def everything(limits: dict[str, Device], records: dict[str, Record], claims: list[Claim]) -> dict[str, str]:
    """Every plot: its file name, and its text."""
    made = {f"claims-{place}.svg": claims_plot(claim, limits[claim.device]) for place, claim in enumerate(claims, 1)}
    made["ways.svg"] = ways_plot(limits)
    return made | {f"{key}.svg": device_plot(limits[key], record) for key, record in records.items()}
