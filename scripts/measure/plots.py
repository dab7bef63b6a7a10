"""Draw the plots of the pages as SVG.

Colors have contrast on white and on dark; the background is left out, so a plot reads in light, dark and print. Text
stays text.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise

from scripts.measure.cases import cases, elementwise_product
from scripts.measure.claims import Claim
from scripts.measure.limits import Device, listed
from scripts.measure.records import Record
from scripts.measure.traces import PARTS, Runs
from scripts.paths import PROGRAMS

INK, LIMIT, MEASURED, CLAIMED, OTHER = "#767676", "#767676", "#128a80", "#c9483a", "#4c78c8"
WIDTH, LEFT, ROW, LINE = 480, 22, 44, 18  # px: the picture, its margin, one row with its name, a line of the legend
LENGTH = WIDTH - 2 * LEFT  # of the axis
AMDAHL = (0, 0.01, 0.05, 0.1, 0.25)  # serial fractions, a curve each


@dataclass(frozen=True)
class Bar:
    """A bar from the left end of the axis, or from `start`, to `value`, filled or empty."""

    value: float
    color: str
    filled: bool = True
    start: float = 0


Rows = list[tuple[str, list[Bar]]]


def _svg(rows: Rows, legend: dict[str, Bar], unit: str, ticks: list[float], place: Callable[[float], float]) -> str:
    """Rows of bars with their names; `place` gives the share of the axis, 0 to 1, at which a value is."""
    start = LINE * len(legend) + 8
    bottom = start + ROW * len(rows)
    parts = []
    for number, (name, bar) in enumerate(legend.items()):
        parts += [_rect(LEFT, LINE * number + 4, 22, 11, bar), _text(LEFT + 28, LINE * number + 14, name)]
    for number, (name, bars) in enumerate(rows):
        top = start + ROW * number + LINE
        under = [0 if bar.start else row for row, bar in enumerate(bars)]  # a bar with a start goes on the first
        thick = (ROW - LINE - 6) / (max(under) + 1)
        parts.append(_text(LEFT + 4, top - 4, name))
        for row, bar in zip(under, bars, strict=True):
            left = LENGTH * place(bar.start) if bar.start else 0
            parts.append(_rect(LEFT + left, top + thick * row, LENGTH * place(bar.value) - left, thick - 2, bar))
    parts.append(f'<path d="M{LEFT} {start}V{bottom}H{LEFT + LENGTH}" fill="none" stroke="{INK}"/>')
    for tick in ticks:
        at = LEFT + LENGTH * place(tick)
        parts += [f'<path d="M{at:.4g} {bottom}v5" stroke="{INK}"/>', _text(at, bottom + 20, f"{tick:g}", "middle")]
    parts.append(_text(LEFT + LENGTH / 2, bottom + 40, unit, "middle"))
    return _drawing(bottom + 48, parts)


def _drawing(height: float, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}"'
    return "\n".join([f'{head} font-family="sans-serif" font-size="13" fill="{INK}">', *parts, "</svg>", ""])


def _text(left: float, base: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{left:.4g}" y="{base:g}" text-anchor="{anchor}">{escape(words)}</text>'


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
    legend = {"copied to the GPU and back": Bar(0, CLAIMED, filled=False), "data stays on the GPU": Bar(0, MEASURED)}
    return _times(rows, legend, "shortest possible time in milliseconds, for 10^9 pairs of float32")


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


def amdahl_plot() -> str:
    """Amdahl's law: speedup on 1 to 64 processes, if a part of the run stays on one. Both axes double at each mark."""
    doublings, right, top, bottom = range(7), 96, 24, 264
    across, up = (WIDTH - LEFT - 20 - right) / doublings[-1], (bottom - top) / doublings[-1]
    left = LEFT + 20
    frame = f'<path d="M{left} {top}V{bottom}H{WIDTH - right}" fill="none" stroke="{INK}"/>'
    parts = [_text(LEFT, 14, "speedup"), frame]
    for power in doublings:
        parts += [
            _text(left + across * power, bottom + 20, str(2**power), "middle"),
            _text(left - 6, bottom - up * power + 4, str(2**power), "end"),
        ]
    for serial in AMDAHL:
        heights = [math.log2(speedup(serial, 2 ** (step / 4))) for step in range(4 * doublings[-1] + 1)]
        points = " ".join(
            f"{left + across * step / 4:.4g},{bottom - up * height:.4g}" for step, height in enumerate(heights)
        )
        style = f'stroke="{MEASURED}" stroke-width="2"' if serial else f'stroke="{LIMIT}" stroke-dasharray="4 3"'
        parts.append(f'<polyline points="{points}" fill="none" {style}/>')
        parts.append(_text(WIDTH - right + 6, bottom - up * heights[-1] + 4, f"{serial:.0%} serial"))
    parts.append(_text((left + WIDTH - right) / 2, bottom + 40, "processes", "middle"))
    return _drawing(bottom + 48, parts)


def speedup(serial: float, processes: float) -> float:
    return 1 / (serial + (1 - serial) / processes)


def memory_plot(printed: str) -> str:
    """What memory_parts.py printed: for each batch, one part after the other."""
    _, head, *lines = printed.splitlines()
    legend = dict(zip(head.split()[1:], (Bar(0, color) for color in (LIMIT, OTHER, MEASURED, CLAIMED)), strict=False))
    rows: Rows = []
    for line in lines:
        _, batch, *sizes = line.split()
        ends = list(accumulate(map(float, sizes), initial=0.0))
        bars = [
            Bar(end, part.color, start=start)
            for part, (start, end) in zip(legend.values(), pairwise(ends), strict=True)
        ]
        rows.append((f"batch of {batch}", bars))
    most = max(bars[-1].value for _, bars in rows)
    ticks = [float(tick) for tick in range(0, int(most) + 1, 25)]
    return _svg(rows, legend, "MB", ticks, lambda value: value / most)


def trace_plot(runs: Runs) -> str:
    """Below each run's name its parts, and below them the operations, all on one axis of milliseconds."""
    colors = dict(zip(PARTS, (CLAIMED, MEASURED), strict=True))
    legend = {"load": CLAIMED, "train": MEASURED, "an operation of PyTorch": INK}
    last = max(span.start + span.length for spans in runs.values() for span in spans)
    parts = []
    for number, (name, color) in enumerate(legend.items()):
        at = LEFT + 90 * number
        parts += [_rect(at, 4, 22, 11, Bar(0, color)), _text(at + 28, 14, name)]
    for number, (name, spans) in enumerate(runs.items()):
        top = 26 + 62 * number
        parts.append(_text(LEFT, top + 14, name))
        for span in spans:
            left, width = LEFT + LENGTH * span.start / last, LENGTH * span.length / last
            above = span.name in colors
            bar = Bar(span.length, colors.get(span.name, INK))
            parts.append(_rect(round(left, 1), top + (20 if above else 38), width, 15 if above else 9, bar))
    bottom = 30 + 62 * len(runs)
    parts.append(f'<path d="M{LEFT} {bottom}H{LEFT + LENGTH}" fill="none" stroke="{INK}"/>')
    for tick in range(0, int(last) + 1, 100):
        at = LEFT + LENGTH * tick / last
        parts += [f'<path d="M{at:.4g} {bottom}v5" stroke="{INK}"/>', _text(at, bottom + 20, f"{tick}", "middle")]
    parts.append(_text(LEFT + LENGTH / 2, bottom + 40, "milliseconds", "middle"))
    return _drawing(bottom + 48, parts)


def everything(limits: dict[str, Device], records: dict[str, Record], claims: list[Claim]) -> dict[str, str]:
    """Every plot: its file name, and its text."""
    made = {f"claims-{place}.svg": claims_plot(claim, limits[claim.device]) for place, claim in enumerate(claims, 1)}
    made |= {"ways.svg": ways_plot(limits), "amdahl.svg": amdahl_plot()}
    made["memory.svg"] = memory_plot((PROGRAMS / "memory_parts.out").read_text(encoding="utf-8"))
    return made | {f"{key}.svg": device_plot(limits[key], record) for key, record in records.items()}
