"""The tables of the results page, from the limits, the claims and the records."""

from collections.abc import Iterable
from pathlib import Path

from scripts.facts.model import Source
from scripts.facts.units import Date
from scripts.markdown import table
from scripts.measure.cases import CNN_BATCH, CNN_PRODUCTS, PAIRS_COPIED, PICTURES, RESNET152_PRODUCTS, cases, copies_of
from scripts.measure.claims import Claim
from scripts.measure.limits import Device, Host, Limits, Precision, Work, listed
from scripts.measure.records import Measured, Record

DASH = "–"  # it has no such units
UNKNOWN = "unknown"


def missing(device: Device, precision: Precision) -> str:
    """What stands for a rate that limits.yml does not have."""
    return DASH if device.lacks(precision) else UNKNOWN


def seconds(value: float) -> str:
    """A time with three digits and the unit that suits it."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size:
            return f"{_three_digits(value / size)} {unit}"
    return f"{_three_digits(value * 1e9)} ns"


def _three_digits(value: float) -> str:
    """Without an exponent, whatever its size."""
    return f"{float(f'{value:.3g}'):.15g}"


def rate(work: Work, time: float, bound_by: str) -> str:
    """The rate in terms of what binds."""
    if bound_by == "arithmetic":
        return f"{work.flop / time / 1e12:.3g} TFLOP/s"
    moved = work.device_bytes if bound_by == "memory" else work.to_device_bytes + work.to_host_bytes
    return f"{moved / time / 1e9:.4g} GB/s"


RATES: dict[Precision, str] = {"float64": "FP64, TFLOP/s", "float32": "FP32", "tf32": "TF32", "float16": "16-bit"}


def _limits(devices: Iterable[Device]) -> str:
    """In brackets the rate of other code where that is less."""
    heads = ["GPU", "Memory", "Memory, GB/s", "Link, GB/s in each direction", *RATES.values()]
    return table(
        heads,
        [[d.name, d.memory, f"{d.hbm_gb_per_s:,g}", _link(d), *(_rate(d, name) for name in RATES)] for d in devices],
    )


def others_table(limits: dict[str, Device]) -> str:
    """GPUs that no system of this guide has; sources."""
    others = {d.name: d for d in limits.values() if d.elsewhere}
    return f"{_limits(others.values())}\n{_note({name: d.sources for name, d in others.items()})}"


def limits_table(limits: Limits) -> str:
    """The GPUs of the guide's systems; the launch of a kernel; sources."""
    devices, start = listed(limits.devices).values(), limits.start
    return (
        _limits(devices)
        + f"\nLaunching one kernel takes about {start.microseconds:g} µs, whatever the kernel does. "
        + f"This is not a hard limit, because CUDA graphs launch many kernels at once ({_cited(start.sources)}).\n\n"
        + _note({d.name: d.sources for d in devices})
    )


def copies_table(limits: dict[str, Device]) -> str:
    """The least time of each way of multiply_copies.py at its full size, on every GPU that Numba's kernels run on."""
    ways = copies_of(PAIRS_COPIED)
    rows = [
        [d.name, *(seconds(d.shortest(work)[0]) for work in ways.values())]
        for d in limits.values()
        if d.compute_capability
    ]
    return table(["GPU", *(f"`{way}`" for way in ways)], rows)


def chips_table(limits: dict[str, Device]) -> str:
    """What the GPUs with a `chip` are made of."""
    rows = [
        [
            d.name,
            d.chip.sms,
            f"{d.chip.sms * d.chip.units:,}",
            f"{d.chip.operations:,}",
            f"{d.chip.mhz / 1000:.2f}",
            d.memory,
            f"{d.hbm_gb_per_s:,g}",
        ]
        for d in limits.values()
        if d.chip
    ]
    return table(["GPU", "SMs", "Units", "Operations per cycle", "GHz", "Memory", "GB/s"], rows)


def _link(device: Device) -> str:
    return "shared memory, no link" if device.one_memory else f"{device.link_gb_per_s:g}"


def _rate(device: Device, precision: Precision) -> str:
    rates = device.tflops, device.ordinary_tflops
    matrix, other = (f"{rate[precision]:g}" if precision in rate else "" for rate in rates)
    return f"{matrix} ({other})" if other else matrix or missing(device, precision)


def hosts_table(hosts: dict[str, Host]) -> str:
    """Processors by name, one socket each."""
    rows = []
    for name, host in hosts.items():
        rates = host.rates(1, host.cores)
        fp64, fp32 = (f"{rates.tflops[precision]:.3g}" for precision in ("float64", "float32"))
        rows.append([name, f"{host.cores}", f"{host.memory_gb_per_s:g}", fp64, fp32])
    heads = ["CPU, one socket", "Cores", "Memory, GB/s", "FP64, TFLOP/s", "FP32"]
    return f"{table(heads, rows)}\n{_note({name: host.sources for name, host in hosts.items()})}"


def _note(sources: dict[str, list[Source]]) -> str:
    lines = "".join(f"    - {name}: {_cited(found)}\n" for name, found in sources.items())
    note = f'??? note "Where these limits come from"\n\n{lines}'
    return f"<div markdown data-search-exclude>\n\n{note}\n</div>\n"


def _cited(sources: list[Source]) -> str:
    return "; ".join(
        f"[{s.title}]({s.url})" + (f", {s.dated}" if s.dated else "") + f" (retrieved {s.read})" for s in sources
    )


# What stands in each table: of a program, the case whose size ends so, and how the head says it.
Columns = tuple[tuple[str, str, str], ...]
ARITHMETIC: Columns = (
    ("matmul.py", "float64", "Matrix multiplication, 8192, float64"),
    ("matmul.py", "float32", "Matrix multiplication, 8192, float32"),
    ("matmul.py", "tf32", "Matrix multiplication, 16384, tf32"),
    ("matmul.py", " float16", "Matrix multiplication, 16384, 16-bit"),
    ("linear_systems.py", "8000 equations, float64", "One system of 8,000 equations"),
    ("train_resnet152.py", "", "ResNet-152, one step"),
)
MOVING: Columns = (
    ("bandwidth.py", "device to device", "4096 MB in GPU memory"),
    ("bandwidth.py", "host to device", "4096 MB over the link"),
    ("multiply_arrays.py", "resident on the device", "Multiplying pairs, data on the GPU"),
    ("overlap_copies.py", "pinned copies that overlap", "Multiplying pairs, copied in both directions at once"),
    ("multiply_arrays.py", "copies from pinned memory", "Multiplying pairs, with copies in one direction at a time"),
    ("linear_regression.py", "one compiled loop", "Regression, 200 steps"),
)
SMALL: Columns = (
    ("linear_systems.py", " 20 equations, float64", "20,000 systems of 20 equations"),
    ("train_cnn.py", "workers, pinned memory", "CNN, float32 over the link"),
    ("feed_bytes.py", "bytes in memory", "CNN, bytes over the link"),
    ("feed_bytes.py", "bytes on the device", "CNN, bytes on the GPU"),
)


def programs_table(limits: dict[str, Device], columns: Columns) -> str:
    """A row for each GPU, a column for each case: the least time."""
    heads = ["GPU", *(words for _, _, words in columns)]
    return table(heads, [[d.name, *(_least(d, program, end) for program, end, _ in columns)] for d in limits.values()])


def _least(device: Device, program: str, end: str) -> str:
    for case in cases(device):
        if case.program == program and case.size.endswith(end):
            pairs = case.size.partition(" pairs")[0] if program in ("multiply_arrays.py", "overlap_copies.py") else ""
            return seconds(device.shortest(case.work)[0]) + (f"<br>{pairs} pairs" if pairs else "")
    return missing(device, "bfloat16" if program == "train_resnet152.py" else end.strip())  # type: ignore[arg-type]


def starts(limits: Limits) -> dict[str, str]:
    """For the programs of many kernels what starting those takes that must run one after the other."""
    steps = -(-PICTURES // CNN_BATCH)
    told = {
        "train_resnet152.py": ("A step", RESNET152_PRODUCTS),
        "train_cnn.py": (f"An epoch ({steps} steps)", steps * CNN_PRODUCTS),
    }
    return {
        program: f"{what} of `{program}` runs at least {kernels:,} matrix multiplications one after another. "
        f"Launching their kernels one by one takes about {seconds(kernels * limits.start.seconds)} on any GPU. "
        "Expect PyTorch to need several times as long, because the other layers have kernels too, and Python needs "
        "time for each operation. `torch.compile` and CUDA graphs launch many kernels at once.\n"
        for program, (what, kernels) in told.items()
    }


def claims_table(limits: dict[str, Device], claims: list[Claim]) -> str:
    """Times that others have printed, held against the limits, and what was wrong."""
    parts = []
    for claim in claims:
        device, rows = limits[claim.device], []
        for row in claim.rows:
            work, limit, part = claim.work(row), DASH, DASH
            if work is not None:
                shortest = device.shortest(work)[0] * claim.passes
                over = shortest / row.seconds
                limit, part = (
                    seconds(shortest),
                    f"**{over:.3g} times the limit: impossible**" if over > 1 else f"{over:.0%} of the limit",
                )
            rows.append([row.what, seconds(row.seconds), limit, part])
        wrong = "".join(f"- *{row.what}*: {row.wrong}\n" for row in claim.rows)
        parts.append(
            f"{claim.source} on one {device.name}:\n\n"
            + table(["Version", "Reported time", "Shortest possible time", "Speed reached"], rows)
            + f"\nWhy each time is possible or not:\n\n{wrong}"
        )
    return "\n".join(parts)


def device_part(key: str, device: Device, record: Record) -> str:
    """Every case that was measured, beside what the hardware allows."""
    done = {case.key: case for case in record.cases}
    rows = []
    for case in cases(device):
        found = done.get(case.key)
        if found is None:
            continue
        shortest, binding = device.shortest(case.work)
        what = f"[`{case.program}`](/snippets/programs/{case.program}), {case.size}".replace(
            ", 1 systems", ", 1 system"
        )
        now = f"{_time(found)}, {rate(case.work, found.median_s, binding)}{_changed(found)}"
        least = f"{seconds(shortest)}, {rate(case.work, shortest, binding)} ({binding})"
        rows.append([what, least, now, f"{found.fraction:.0%}"])
    place = f"{record.where.cluster}, job {record.where.job}" if record.where.job else record.where.cluster
    versions = f"driver {record.driver}, PyTorch {record.versions.get('torch', 'unknown')}"
    day = Date(record.date).words
    head = (
        f"Measured on {day}, on {place}: {record.driver_name}, {versions}, this guide's commit `{record.commit[:10]}`."
    )
    caption = (
        f"For each program, the fraction of the limit of {device.name} that it reached; the table has the same numbers"
    )
    heads = ["Program and size", "Limit", "Measured", "Fraction of the limit"]
    title = f"### {device.name} {{ data-search-exclude }}"  # who names a GPU looks for where it is
    return f"{title}\n\n{head}\n\n![{caption}](/made/plots/{key}.svg)\n\n{table(heads, rows)}"


def _time(case: Measured) -> str:
    return f"{seconds(case.median_s)} ± {case.iqr_s / case.median_s / 2:.0%}"


def _changed(case: Measured) -> str:
    return "" if case.current else " *(the program has changed since)*"


def measured_part(limits: dict[str, Device], records: dict[str, Record]) -> str:
    """What was measured, a part for each device; nothing where nothing was."""
    parts = [device_part(key, limits[key], record) for key, record in records.items()]
    return "\n".join(["## Measured results\n", *parts]) if parts else ""


def make(limits: Limits, records: dict[str, Record], claims: list[Claim]) -> dict[Path, str]:
    devices, kernels = listed(limits.devices), starts(limits)
    made = {
        "chips.md": chips_table(devices),
        "limits.md": limits_table(limits),
        "others.md": others_table(limits.devices),
        "copies.md": copies_table(devices),
        "hosts.md": hosts_table(limits.hosts),
        "arithmetic.md": f"{programs_table(devices, ARITHMETIC)}\n{kernels['train_resnet152.py']}",
        "moving.md": programs_table(devices, MOVING),
        "small.md": f"{programs_table(devices, SMALL)}\n{kernels['train_cnn.py']}",
        "measured.md": measured_part(limits.devices, records),
        "claims.md": claims_table(limits.devices, claims),
    }
    return {Path("results", name): text for name, text in made.items()}
