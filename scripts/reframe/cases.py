"""What the suite tests on a cluster: its job scripts, and its one_gpu.sh with each of the guide's other programs.

What a job must print is what the pages show, numbers and devices aside; how fast it may be is what the hardware allows.
"""

import re
from pathlib import Path

from scripts import programs
from scripts.engine.directives import Option, last, read
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.families.shared import scripts
from scripts.measure.cases import copies, matrix_product
from scripts.measure.limits import Device, load_file
from scripts.paths import FACTS, PROGRAMS, ROOT, shown
from scripts.reframe.settings import partition_name

NO_JOBS = {"interactive.sh", "validate.sh"}  # a command; a test of its own
MARKED = "matmul.py --device gpu"  # what one_gpu.sh has where a reader puts their own program
BROUGHT = {"torch", "numpy"}  # packages that the environment of one_gpu.sh has, and no more
# A GPU below this part of what its maker prints is not the one that was asked for, or not well.
LEAST = 0.25
NUMBER = r"[-+\d.,e]+"


def cases(cluster: Cluster) -> tuple[dict[str, dict], dict[str, str]]:
    """Name -> case of the suite, and the texts of all job scripts by file name."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in scripts(cluster.key)}
    jobs = {name: text for name, text in texts.items() if name not in NO_JOBS}
    if not jobs:
        what = "there is no job script here, so there is nothing to test."
        raise BadInput(shown(FACTS / cluster.key), None, what, "Write one.")
    found = {name.removesuffix(".sh"): _case(cluster, name, text, {"script"}) for name, text in jobs.items()}
    one = jobs.get("one_gpu.sh", "")
    for program in _others(jobs) if MARKED in one else []:
        name = f"one_gpu-{program.stem}.sh"
        jobs[name] = one.replace(MARKED, program.name)
        found[name.removesuffix(".sh")] = _case(cluster, name, jobs[name], {"program"})
    if "validate.sh" in texts:
        jobs["validate.sh"] = texts["validate.sh"]
    return found, jobs


def validate(cluster: Cluster, text: str) -> dict:
    """The test of validate.sh: where it goes, what it needs of the checkout, what it says when it is done."""
    return _place(cluster, text) | {
        "script": "validate.sh",
        "about": "every program at its full size, and the record that the guide shows",
        "tags": ["validate", "gpu"],
        "needs": ["conftest.py", "pytest.ini", "scripts", "snippets", "tests", "packages"],
        "first": f"pip install --target {ROOT / 'packages'} -r {ROOT / 'requirements-gpu.txt'}",
        "prints": r"cases recorded in (\S+\.json), 0 refused",
        "lower": LEAST - 1,
    }


def options(cluster: Cluster, text: str) -> dict[str, Option]:
    return last(read(text.splitlines(), cluster.scheduler.kind))


def gpu_of(cluster: Cluster, text: str) -> str | None:
    """The key of the GPU that a script asks for; None if it asks for none, or may get one of several."""
    asked = [
        option.value or ""
        for option in options(cluster, text).values()
        if option.name in ("gpus", "gpus-per-node", "gpus-per-task") or option.name == "gres"
    ]
    words = {word for value in asked for word in re.split(r"[:,=]", value)}
    if not asked:
        return None
    named = [key for key in cluster.gpus if words & set(names(cluster, key)) - {""}]
    whole = [key for key, gpu in cluster.gpus.items() if not gpu.is_slice]
    return named[0] if len(named) == 1 else whole[0] if not named and len(whole) == 1 else None


def names(cluster: Cluster, gpu: str) -> list[str]:
    """What a job can call this GPU: the type in its GRES, Grid Engine's resource, and the synonyms of both."""
    known = cluster.gpus[gpu]
    return [_short(each) for each in (known.gres, *known.synonyms) if each]


def _short(gres: str) -> str:
    """`gpu:v100` -> `v100`; `gpu`, which has no other name -> ``; Grid Engine's resources are names themselves."""
    return gres.partition(":")[2] if gres.partition(":")[0] == "gpu" else gres


def prints(program: str) -> list[str]:
    """A pattern for each line that the program's page shows: numbers, devices and builds may differ."""
    path = (PROGRAMS / program).with_suffix(".out")
    return [_pattern(line) for line in path.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]


def _pattern(line: str) -> str:
    line = re.sub(r"^PyTorch \S+, built for: .*", "PyTorch {word}, built for: {word}", line)
    line = re.sub(r"\bon (cpu|cuda)\b", "on {word}", line.replace(programs.OMITTED, "0"))
    escaped = re.escape(re.sub(r"\d[\d,]*\.?\d*(e[+-]?\d+)?", "{number}", line))
    escaped = re.sub(r"(\\ )+", r"\\s+", escaped)
    return escaped.replace(r"\{word\}", r"\S+").replace(r"\{number\}", NUMBER)


def _case(cluster: Cluster, name: str, text: str, kind: set[str]) -> dict:
    called = re.findall(r"\b([a-z_0-9]+\.py)\b", text)
    shown_lines = [line for program in called for line in prints(program)]
    device = load_file().devices.get(cluster.gpus[gpu].device or "") if (gpu := gpu_of(cluster, text)) else None
    about = f"{name}: {', '.join(called)}"
    return _place(cluster, text) | {
        "script": name,
        "about": about,
        "tags": sorted({*kind, "gpu" if _asks(cluster, text) else "cpu"}),
        "prints": shown_lines,
        "limits": _limits(text, device) if device else {},
    }


def _asks(cluster: Cluster, text: str) -> bool:
    return any(name.startswith("gpus") or name == "gres" for name in options(cluster, text)) or "coproc_" in text


def _place(cluster: Cluster, text: str) -> dict:
    named = options(cluster, text).get("partition")
    return {"partition": partition_name(cluster, named.value if named else None, _asks(cluster, text))}


def _others(jobs: dict[str, str]) -> list[Path]:
    """Programs that no job script runs, that show their output, and need nothing but what one_gpu.sh brings."""
    run = set(re.findall(r"\b([a-z_0-9]+\.py)\b", "".join(jobs.values())))
    return [
        path
        for path in sorted(PROGRAMS.glob("*.py"))
        if path.name not in run
        and path.with_suffix(".out").exists()
        and not programs.run_of(path.name).needs
        and "torch" in (packages := set(programs.packages(path)))
        and packages <= BROUGHT
    ]


def _limits(text: str, device: Device) -> dict[str, dict]:
    """Label -> what the job prints of it, and the most that the device can do; only what is timed on the device."""
    found = {}
    if MARKED in text and "float32" in device.tflops:
        work = matrix_product(8192, "float32")
        most = work.flop / device.shortest(work)[0] / 1e12
        found["product"] = {"pattern": r"([\d.]+) TFLOP/s", "limit": most, "unit": "TFLOP/s"}
    if "bandwidth.py" in text:
        number = 2048 * 10**6
        for way in ("device to device", "host to device", "device to host", "both ways at once"):
            work = copies(number, way)
            moved = work.to_device_bytes + work.to_host_bytes or work.device_bytes
            most = moved / device.shortest(work)[0] / 1e9
            found[way] = {"pattern": way + r"\s+on \w+:\s+([\d.]+) GB/s", "limit": most, "unit": "GB/s"}
    return {label: {**each, "limit": round(each["limit"], 3), "lower": LEAST - 1} for label, each in found.items()}
