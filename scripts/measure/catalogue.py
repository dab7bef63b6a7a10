"""What every device may be measured at and how fast it can be, as data for what judges a record:
scripts/engine/js/measure/judge_record.js, on the page and in Python.
"""

from __future__ import annotations

import json

from scripts.measure.cases import Case, cases
from scripts.measure.host import BYTES_PER_SECOND, CACHE_BYTES, CALL_SECONDS, CLOCK_HZ, OPERATIONS_PER_CLOCK
from scripts.measure.limits import Device
from scripts.paths import MADE

JS = MADE / "own-record.js"
# Samples at least; their interquartile range to the median, at most; cores, more than any node has; seconds of a call.
RULES = {"samples": 9, "spread": 0.10, "cores": 2048, "call": CALL_SECONDS}


def as_js(limits: dict[str, Device]) -> str:
    """Each case once; of each device the cases that it has, with the least seconds and what binds."""
    every: dict[str, int] = {}
    devices = {
        key: {
            "name": device.name,
            "cases": [
                [every.setdefault(json.dumps(_case(case)), len(every)), *_least(case, device)] for case in cases(device)
            ],
        }
        for key, device in limits.items()
    }
    lines = ",\n".join(every)
    return f'const MEASURABLE = {{"rules": {json.dumps(RULES)}, "cases": [\n{lines}\n], "devices": {{\n' + (
        ",\n".join(f"{json.dumps(key)}: {json.dumps(device)}" for key, device in devices.items()) + "\n}}\n"
    )


def known(case: Case, device: Device) -> dict:
    """The case as it is judged."""
    least, bound = device.shortest(case.work) if case.on == "device" else (None, None)
    return _case(case) | {"least": least, "bound": bound}


def _case(case: Case) -> dict:
    program, label, size, on = case.key
    found = {"program": program, "label": label, "size": size, "on": on, "tolerance": case.tolerance}
    return found | ({"host": _host(case)} if on == "host" else {})


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
