"""What every device may be measured at and how fast it can be, as data for the page's script that looks at a record.

docs/assets/judge-record.js decides by it as scripts/measure/records.py does; tests/measure hold one against the other.
"""

from __future__ import annotations

import json

from scripts.measure.cases import Case, cases
from scripts.measure.host import BYTES_PER_SECOND, CACHE_BYTES, CALL_SECONDS, CLOCK_HZ, OPERATIONS_PER_CLOCK
from scripts.measure.limits import Device
from scripts.measure.records import FEWEST_SAMPLES, MOST_CORES, MOST_SPREAD
from scripts.paths import MADE

JS = MADE / "own-record.js"


def as_js(limits: dict[str, Device]) -> str:
    """Each case once; of each device the cases that it has, with the least seconds and what binds."""
    every: dict[str, int] = {}
    devices = {
        key: {
            "name": device.name,
            "cases": [[every.setdefault(_case(case), len(every)), *_least(case, device)] for case in cases(device)],
        }
        for key, device in limits.items()
    }
    rules = {"samples": FEWEST_SAMPLES, "spread": MOST_SPREAD, "cores": MOST_CORES, "call": CALL_SECONDS}
    lines = ",\n".join(every)
    return f'const MEASURABLE = {{"rules": {json.dumps(rules)}, "cases": [\n{lines}\n], "devices": {{\n' + (
        ",\n".join(f"{json.dumps(key)}: {json.dumps(device)}" for key, device in devices.items()) + "\n}}\n"
    )


def _case(case: Case) -> str:
    program, label, size, on = case.key
    found = {"program": program, "label": label, "size": size, "on": on, "tolerance": case.tolerance}
    return json.dumps(found | ({"host": _host(case)} if on == "host" else {}))


def _host(case: Case) -> dict:
    """Seconds that one core needs for the arithmetic and for the memory, and all together for their calls."""
    work = case.work
    return {
        "arithmetic": work.flop / (OPERATIONS_PER_CLOCK[work.precision] * CLOCK_HZ),
        "memory": 0 if work.device_bytes <= CACHE_BYTES else work.device_bytes / BYTES_PER_SECOND,
        "calls": case.calls * CALL_SECONDS,
        "one": case.one_core,
    }


def _least(case: Case, device: Device) -> list:
    return list(device.shortest(case.work)) if case.on == "device" else []
