"""Measure the benchmark programs on this machine's GPU, and write a record for the device to snippets/measured/.

    guide measure                         all programs
    guide measure matmul.py bandwidth.py  only these
    guide measure --plan                  list the measurements without running them

The command runs anywhere: in a cluster job or on your own machine, with a Python that has PyTorch and the packages in
requirements-gpu.txt. A case whose package is missing is rejected, and the others continue.

The command rejects impossible results: a wrong result, a spread over 10%, or a rate that the hardware cannot reach.
Measurements before an interruption are kept, and a case that is measured again replaces its earlier one.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.digests import digest_of
from scripts.errors import BadInput, parser_of, run
from scripts.measure import machine
from scripts.measure.cases import Case, cases
from scripts.measure.catalogue import RULES
from scripts.measure.limits import Device, load_limits
from scripts.measure.records import Measured, Record, reached, refusal, utc_day
from scripts.models import load_model
from scripts.paths import MEASURED, PROGRAMS, ROOT, shown, write_whole

PROGRAM_SECONDS = 900


def measured(case: Case, found: dict, device: Device) -> Measured | str:
    """The case as recorded, or why it is refused. found: what scripts.measure.child wrote."""
    timing = next((timing for timing in found["timings"] if timing["label"] == case.label), None)
    if timing is None:
        return "the program has no timer with this label"
    samples = timing["samples_s"]
    if reason := refusal(case, samples, found["error"], device):
        return reason
    return Measured(
        program=case.program,
        label=case.label,
        size=case.size,
        samples_s=samples,
        error=found["error"],
        fraction=reached(case, samples, device),
        sha256=digest_of(PROGRAMS / case.program),
    )


def run_program(program: str, arguments: tuple[str, ...]) -> dict | str:
    """What its timers measured, or why it failed, without a period."""
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        out = Path(folder, "found.json")
        command = [sys.executable, "-m", "scripts.measure.child", out, PROGRAMS / program, *arguments]
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace", timeout=PROGRAM_SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"stopped after {PROGRAM_SECONDS} s"
        if done.returncode or not out.exists():
            return said_last(done.stderr) or said_last(done.stdout) or f"ended with {done.returncode}"
        return json.loads(out.read_text(encoding="utf-8"))


def said_last(text: str) -> str:
    """Why a program failed: its last exception's first line, which CUDA's own advice follows; else its last line."""
    raised = re.findall(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)+(\S.*)", text)
    return (raised or text.strip().splitlines() or [""])[-1].rstrip(".")


def recorded_before(path: Path, versions: dict[str, str]) -> tuple[list[Measured], list[Measured]]:
    """The cases of earlier runs: those with these versions of the packages, and the others, which a record cannot keep.

    Raises BadInput for a file that is no record.
    """
    if not path.exists():
        return [], []
    record, _ = load_model(path, Record, "Move it away, and measure again.")
    return (record.cases, []) if record.versions == versions else ([], record.cases)


def write(record: Record, folder: Path) -> None:
    """Put the record's cases, a line each, in the place of earlier ones of the same device; whole or not at all."""
    path = folder / f"{record.device}.json"
    new = {case.key for case in record.cases}
    kept = [case for case in recorded_before(path, record.versions)[0] if case.key not in new]
    fields = record.model_copy(update={"cases": [*record.cases, *kept]}).model_dump(mode="json")
    cases = ",\n".join(json.dumps(case) for case in fields.pop("cases"))
    lines = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in fields.items())
    write_whole(path, f'{{\n{lines}"cases": [\n{cases}\n]\n}}\n')


def bar(done: int, total: int, text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r[{'#' * (30 * done // total):30}] {done}/{total} {text:<40.40}", end="", file=sys.stderr, flush=True)


def measure(
    wanted: list[Case], device_key: str, device: Device, driver_name: str, folder: Path
) -> tuple[int, list[str]]:
    """Run the cases and write after each program, so that an interruption loses one at most.

    Returns (recorded, refusals).
    """
    recorded, refused = 0, []
    always = {
        "device": device_key,
        "driver_name": driver_name,
        "versions": machine.versions(),
        "commit": machine.commit(),
        "where": machine.where(),
    }
    runs: dict[tuple, list[Case]] = {}  # one run of a program gives several cases
    for case in wanted:
        runs.setdefault((case.program, case.arguments), []).append(case)
    done = 0
    for (program, arguments), group in runs.items():
        bar(done, len(wanted), program)
        done += len(group)
        found = run_program(program, arguments)
        good = []
        for case in group:
            result = found if isinstance(found, str) else measured(case, found, device)
            if isinstance(result, str):
                refused.append(f"{case.program}, {case.size}: {result}.")
            else:
                good.append(result)
        if good:
            driver, clocks = machine.driver()
            write(Record(**always, driver=driver, clocks_mhz=clocks, date=utc_day(), cases=good), folder)
            recorded += len(good)
    bar(len(wanted), len(wanted), "done\n")
    return recorded, refused


def plan(name: str, wanted: list[Case], path: Path) -> list[str]:
    """What will happen, told before it begins."""
    programs = dict.fromkeys(case.program for case in wanted)
    return [
        f"{name}: {len(wanted)} cases of {', '.join(programs)}.",
        "Each case checks its result, and is then timed at its full size. Do not use the machine for anything else.",
        f"a spread over {RULES['spread']:.0%} is rejected. No program may take longer than {PROGRAM_SECONDS} s.",
        f"After each program {shown(path)} is written, so you can stop at any time and continue later.",
    ]


def main() -> int:
    parser = parser_of("guide measure", __doc__)
    parser.add_argument("program", nargs="*", help="default: all")
    parser.add_argument("--plan", action="store_true", help="only list what would be measured")
    asked = parser.parse_args()
    limits = load_limits()
    found = machine.gpu()
    if text := machine.limits_to_add(found, limits):
        print(text)
    key, name = machine.device_of(found, limits), found.name
    path = MEASURED / f"{key}.json"
    _, dropped = recorded_before(path, machine.versions())  # told now, and not after an hour
    every = list(cases(limits[key]))
    programs = list(dict.fromkeys(case.program for case in every))
    if unknown := set(asked.program) - set(programs):
        what = f"{sorted(unknown)[0]} is not a benchmark."
        raise BadInput("guide measure", None, what, f"Choose from {', '.join(programs)}.")
    wanted = [case for case in every if case.program in (asked.program or programs)]
    if dropped and asked.program:
        what = "these cases were measured with other versions of the packages."
        raise BadInput(path, None, what, "Measure all programs: guide measure. Or move the file away.")
    if dropped:
        print(f"The {len(dropped)} cases in {shown(path)} are from other versions of the packages, and are replaced.")
    for line in plan(name, wanted, path):
        print(line, flush=True)
    if asked.plan:
        return 0
    recorded, refused = measure(wanted, key, limits[key], name, MEASURED)
    for line in refused:
        print(f"refused: {line}", file=sys.stderr)
    print(f"{name}: {recorded} cases recorded in {shown(path)}, {len(refused)} refused.")
    if recorded:
        print("The page `Benchmark your GPU` shows it as a plot and explains how to submit it. Check it first:")
        print(f"./guide record {shown(path)}")
    return 1 if refused else 0


if __name__ == "__main__":
    run(main)
