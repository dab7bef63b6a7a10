"""The tables of the results page, from the limits, the claims and the records."""

from __future__ import annotations

from pathlib import Path

from scripts.markdown import table
from scripts.measure.cases import FED, against_limits, beside
from scripts.measure.claims import Claim, Row
from scripts.measure.limits import Device, Work
from scripts.measure.records import Measured, Record

DASH = "–"


def seconds(value: float) -> str:
    """A time with three digits and the unit that suits it."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def rate(work: Work, time: float, bound_by: str) -> str:
    """The rate in terms of what binds."""
    if bound_by == "arithmetic":
        return f"{work.flop / time / 1e12:.3g} TFLOP/s"
    moved = work.device_bytes if bound_by == "memory" else work.to_device_bytes + work.to_host_bytes
    return f"{moved / time / 1e9:.4g} GB/s"


def limits_table(limits: dict[str, Device]) -> str:
    rows = [
        [
            d.name,
            d.memory,
            f"{d.hbm_gb_per_s:g}",
            f"{d.link_gb_per_s:g}",
            *(f"{d.tflops[n]:g}" if n in d.tflops else DASH for n in ("float64", "float32", "tf32", "float16")),
        ]
        for d in limits.values()
    ]
    text = table(
        ["GPU", "Memory", "Memory, GB/s", "Link, GB/s each way", "FP64, TFLOP/s", "FP32", "TF32", "16 bit"], rows
    )
    sources = "\n".join(
        f"- {d.name}: " + "; ".join(f"[{s.title}]({s.url}), read {s.read}" for s in d.sources) for d in limits.values()
    )
    return (
        f'{text}\n??? note "Where these limits come from"\n\n'
        + "\n".join(f"    {line}" for line in sources.splitlines())
        + "\n"
    )


def measured_claim(claim: Claim, row: Row, record: Record | None) -> str:
    """Our own time for as many pairs and passes, from the record of the claim's device."""
    if row.ours is None:
        return DASH
    found = (
        next((case for case in record.cases if (case.program, case.label) == ("multiply_arrays.py", row.ours)), None)
        if record
        else None
    )
    if found is None:
        return "not yet"
    pairs = int(found.arguments[found.arguments.index("--pairs") + 1])
    return f"{seconds(found.timing.median_s * claim.passes * claim.pairs / pairs)} ({record.date})"


def claims_table(limits: dict[str, Device], claims: list[Claim], records: dict[str, Record]) -> str:
    parts = []
    for claim in claims:
        device, rows = limits[claim.device], []
        for row in claim.rows:
            work, limit, part = claim.work(row), DASH, DASH
            if work is not None:
                shortest = device.shortest(work)[0] * claim.passes
                over = shortest / row.seconds
                limit, part = seconds(shortest), f"**{over:.3g} times over it**" if over > 1 else f"{over:.0%} of it"
            rows.append(
                [row.what, seconds(row.seconds), limit, part, measured_claim(claim, row, records.get(claim.device))]
            )
        wrong = "".join(f"- *{row.what}*: {row.wrong}\n" for row in claim.rows)
        parts.append(
            f"{claim.source}, on one {device.name}:\n\n"
            + table(["What", "Printed", "Shortest possible", "The limit", "Measured here"], rows)
            + f"\nWhat was wrong:\n\n{wrong}"
        )
    return "\n".join(parts)


def device_table(key: str, device: Device, record: Record | None) -> str:
    """Every case: what the hardware allows, and what was measured."""
    done = {case.key: case for case in record.cases} if record else {}
    rows = []
    for case in against_limits(device):
        shortest, binding = device.shortest(case.work)
        found = done.get(case.key)
        what = f"[`{case.program}`](/snippets/programs/{case.program}), {case.size}"
        limit = f"{seconds(shortest)}, {rate(case.work, shortest, binding)}" if shortest else "fits the cache"
        rows.append([what, f"{limit} ({binding})" if shortest else limit, *_measured(found)])
    if record is None:
        return "Not measured yet: no such GPU could be had so far. What is possible at most:\n\n" + table(
            ["Program and size", "Limit"], [row[:2] for row in rows]
        )
    place = f"{record.where.cluster}, job {record.where.job}" if record.where.job else record.where.cluster
    versions = f"driver {record.driver}, PyTorch {record.versions.get('torch', 'unknown')}"
    head = f"Measured on {record.date}, {place}: {record.driver_name}, {versions}, commit `{record.commit[:10]}`."
    caption = (
        f"For each program the part of the limit of {device.name} that was reached; the table has the same numbers"
    )
    return (
        f"{head}\n\n![{caption}](/snippets/made/plots/{key}.svg)\n\n"
        + table(["Program and size", "Limit", "Measured", "Of the limit"], rows)
        + beside_text(key, device, record)
    )


def beside_text(key: str, device: Device, record: Record) -> str:
    """How busy each way of feeding keeps the GPU, the times on the host's cores, and where the two cross."""
    done, text = {case.key: case for case in record.cases}, ""
    fed = {case.label: case.timing.median_s for case in record.cases if case.program == "train_cnn.py"}
    if alone := fed.get(FED[-1]):
        text += (
            "\nHow busy each way of feeding the small CNN keeps it: "
            + "; ".join(f"{way} {min(alone / fed[way], 1):.0%}" for way in FED[:-1] if way in fed)
            + ".\n"
        )
    rows = [
        [f"[`{case.program}`](/snippets/programs/{case.program}), {case.size}", *_measured(done[case.key])[:1]]
        for case in beside(device)
        if case.on == "host" and case.key in done
    ]
    if rows:
        text += f"\nThe same on its host, {record.where.host_cpu}, {record.where.cores} cores:\n\n" + table(
            ["Program and size", "Measured"], rows
        )
    if len(crossing(record, "device")) > 1 and len(crossing(record, "host")) > 1:
        caption = f"Time of one float32 product against its size, on {device.name} and on its host's cores"
        text += f"\n![{caption}](/snippets/made/plots/{key}-crossing.svg)\n"
    return text


def crossing(record: Record, on: str) -> list[tuple[float, float]]:
    """(operations, seconds) of the float32 products of every size, the smallest first."""
    return sorted(
        (case.work.flop, case.timing.median_s)
        for case in record.cases
        if case.program == "matmul.py" and case.on == on and case.size.endswith("float32")
    )


def _measured(case: Measured | None) -> list[str]:
    if case is None:
        return ["not yet", DASH]
    changed = "" if case.current else " *(the program has changed since)*"
    time = f"{seconds(case.timing.median_s)} ± {case.timing.spread / 2:.0%}"
    if case.fraction is None:
        return [time + changed, DASH]
    return [f"{time}, {rate(case.work, case.timing.median_s, case.bound_by)}{changed}", f"{case.fraction:.0%}"]


def make(limits: dict[str, Device], records: dict[str, Record], claims: list[Claim]) -> dict[Path, str]:
    folder = Path("results")
    made = {folder / "limits.md": limits_table(limits), folder / "claims.md": claims_table(limits, claims, records)}
    return made | {folder / f"{key}.md": device_table(key, device, records.get(key)) for key, device in limits.items()}
