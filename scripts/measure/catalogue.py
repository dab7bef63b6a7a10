"""What every device may be measured at and how fast it can be, as data for what judges a record:
scripts/engine/js/measure/judge_record.js, on the page and in Python.
"""

import json

from scripts.measure.cases import Case, cases
from scripts.measure.limits import Device
from scripts.paths import MADE

JS = MADE / "own-record.js"
# Samples at least; their interquartile range to the median, at most; seconds of a call of a library, whatever it does.
RULES = {"samples": 9, "spread": 0.10, "call": 2e-7}


def as_js(limits: dict[str, Device]) -> str:
    """Each case once; of each device the cases that it has, with the least seconds and what binds."""
    every: dict[str, int] = {}
    devices = {
        key: {
            "name": device.name,
            "cases": [
                [every.setdefault(json.dumps(_case(case)), len(every)), *device.shortest(case.work)]
                for case in cases(device)
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
    least, bound = device.shortest(case.work)
    return _case(case) | {"least": least, "bound": bound}


def _case(case: Case) -> dict:
    program, label, size = case.key
    return {"program": program, "label": label, "size": size, "tolerance": case.tolerance}
