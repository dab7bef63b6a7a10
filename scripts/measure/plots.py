"""Draw the plots of the results page as SVG into `snippets/measured/plots/`: `make results`.

Colours have contrast on white and on dark; the background is left out, so a plot reads in light, dark and print. Text
stays text.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from scripts.errors import run
from scripts.measure.cases import cases, elementwise_product
from scripts.measure.claims import Claim, load_claims
from scripts.measure.limits import Device, listed, load_limits
from scripts.measure.records import Record, load_records
from scripts.paths import MEASURED

PLOTS = MEASURED / "plots"
INK, LIMIT, MEASURED, CLAIMED = "#767676", "#767676", "#128a80", "#c9483a"
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "guide",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def _svg(draw, height: float) -> str:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(8, height), layout="constrained")
        draw(axes)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    return out.getvalue()


def claims_plot(claim: Claim, device: Device) -> str:
    """Printed times beside the shortest possible ones, seconds for all passes."""
    rows = [
        (row.what, row.seconds, device.shortest(work)[0] * claim.passes)
        for row in claim.rows
        if (work := claim.work(row))
    ]

    def draw(axes) -> None:
        for place, (_, printed, shortest) in enumerate(reversed(rows)):
            _outline(axes, place, shortest, LIMIT, "shortest possible")
            axes.barh(place - 0.2, printed, 0.36, color=CLAIMED if printed < shortest else MEASURED)
        axes.barh(0, 0, color=CLAIMED, label="reported, but impossible")
        axes.barh(0, 0, color=MEASURED, label="reported, and possible")
        _times(axes, "seconds (each mark is ten times the one before)", [what for what, _, _ in rows])

    return _svg(draw, 3.2)


def ways_plot(limits: dict[str, Device]) -> str:
    """Where the time of the elementwise product goes: 10^9 pairs on the device, and with copies, at each device's
    limits.
    """
    devices, pairs = list(listed(limits).values()), 10**9

    def draw(axes) -> None:
        for place, device in enumerate(reversed(devices)):
            inside = device.shortest(elementwise_product(pairs, moved=False))[0] * 1e3
            serial = device.shortest(elementwise_product(pairs, moved=True, overlapped=False))[0] * 1e3
            _outline(axes, place, serial, CLAIMED, "copied there and back")
            axes.barh(place - 0.2, inside, 0.36, color=MEASURED, label="data stays on the GPU" if not place else None)
        _times(axes, "least milliseconds for 10^9 pairs of float32", [device.name for device in devices])

    return _svg(draw, 4)


def _outline(axes, place: int, time: float, colour: str, label: str) -> None:
    """The upper bar of a row, empty; the legend names it once."""
    label = None if place else label
    axes.barh(place + 0.2, time, 0.36, facecolor="none", edgecolor=colour, linewidth=1.5, label=label)


def _times(axes, unit: str, names: list[str]) -> None:
    """Times by powers of ten, a row for each name, the first on top."""
    axes.set(xscale="log", xlabel=unit, yticks=range(len(names)), yticklabels=names[::-1])
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.3, 1.18), ncols=3)


def device_plot(device: Device, record: Record) -> str:
    """Every measured case: the bar is what was reached, the outline is the limit."""
    found = {case.key: case for case in record.cases}
    shown = [(case, found[case.key]) for case in cases(device) if case.key in found]

    def draw(axes) -> None:
        for place, (_, measured) in enumerate(reversed(shown)):
            axes.barh(place, 100, 0.7, facecolor="none", edgecolor=LIMIT)
            axes.barh(place, 100 * measured.fraction, 0.7, color=MEASURED)
        axes.set(
            xlim=(0, 100),
            xlabel=f"percent of the limit ({device.name}, {record.date})",
            yticks=range(len(shown)),
            yticklabels=[case.size for case, _ in reversed(shown)],
        )

    return _svg(draw, 0.6 + 0.34 * len(shown))


def everything(limits: dict[str, Device], records: dict[str, Record], claims: list[Claim]) -> dict[str, str]:
    """Every plot: its file name, and its text."""
    made = {f"claims-{place}.svg": claims_plot(claim, limits[claim.device]) for place, claim in enumerate(claims, 1)}
    made["ways.svg"] = ways_plot(limits)
    return made | {f"{key}.svg": device_plot(limits[key], record) for key, record in records.items()}


def main() -> int:
    argparse.ArgumentParser(prog="python -m scripts.measure.plots", description=__doc__).parse_args()
    limits = load_limits()
    made = everything(limits, load_records(limits=limits), load_claims(limits))
    PLOTS.mkdir(exist_ok=True)
    for old in PLOTS.glob("*.svg"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        Path(PLOTS, name).write_text(text, encoding="utf-8")
    print(f"{len(made)} plots in {PLOTS.name}/.")
    return 0


if __name__ == "__main__":
    run(main)
