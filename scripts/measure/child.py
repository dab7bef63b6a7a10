"""Run one program as it stands, and write down what its timers measured:
`python -m scripts.measure.child OUT PROGRAM ARGS…`.

PyTorch's Timer is replaced by one that takes enough samples and remembers them, so the program needs no line for it.
Its error is what it calls `error`; a program that counts in whole numbers asserts that they are right, and has none.
"""

import json
import runpy
import sys
from pathlib import Path

import torch.utils.benchmark

from scripts.measure.catalogue import RULES


def main() -> None:
    out, program, *arguments = sys.argv[1:]
    measurements = []

    class Remembering(torch.utils.benchmark.Timer):
        def blocked_autorange(self, callback=None, min_run_time=0.2):
            """Samples of equal length, at least so many however long one takes."""
            first = super().blocked_autorange(callback, min_run_time)
            times = list(first.times)
            while len(times) < RULES["samples"]:
                times.append(self.timeit(first.number_per_run).median)
            calls = first.number_per_run
            measurements.append({"label": first.task_spec.label, "samples_s": times})
            return torch.utils.benchmark.Measurement(calls, [time * calls for time in times], first.task_spec)

    torch.utils.benchmark.Timer = Remembering
    sys.argv = [program, *arguments]
    sys.path.insert(0, str(Path(program).parent))
    variables = runpy.run_path(program, run_name="__main__")
    found = {"error": float(variables.get("error", 0.0)), "timings": measurements}
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
