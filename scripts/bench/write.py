"""Tasks to write a script: jobs of all shapes, each of which the system can run."""

import random
from collections.abc import Callable, Iterator

from scripts.bench.answers import as_script
from scripts.bench.task import Task, account, clock, drawer, gpu_words, named, say, words
from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.facts.model import Rule
from scripts.families.shared import script

MINUTES = (30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600, 720, 1080, 1200, 1440)
LONG = (10080, 8640, 7200, 5760, 4320, 2880, 2160, 1440, 1200)
GIB = (24, 32, 40, 48, 64, 80, 96, 120)
TRIES = 40
Fields = dict[str, str]


def gpus_of_node(cluster: Cluster, gpu: str) -> int:
    return max([node.gpus.get(gpu, 0) for node in cluster.node_types.values()])


def _gpus(cluster: Cluster) -> list[str]:
    return [key for key, gpu in cluster.gpus.items() if not gpu.is_slice and not gpu.no_pytorch_from]


def _any(cluster: Cluster, draw: random.Random) -> Fields:
    return {"gpu": draw.choice(_gpus(cluster)), "gpus": "1", "time": f"{draw.choice(MINUTES)}m"}


def _several(cluster: Cluster, draw: random.Random) -> Fields:
    found = _any(cluster, draw)
    return found | {"gpus": str(draw.randint(2, max(2, gpus_of_node(cluster, found["gpu"]) - 1)))}


def _node(cluster: Cluster, draw: random.Random) -> Fields:
    found = _any(cluster, draw)
    return found | {"gpus": str(gpus_of_node(cluster, found["gpu"]))}


def _slice(cluster: Cluster, draw: random.Random) -> Fields:
    slices = [key for key, gpu in cluster.gpus.items() if gpu.is_slice]
    return _any(cluster, draw) | {"gpu": draw.choice(slices)} if slices else {}


def _with(**fields: Callable[[random.Random], str]) -> Callable[[Cluster, random.Random], Fields]:
    return lambda cluster, draw: _any(cluster, draw) | {name: value(draw) for name, value in fields.items()}


def _cpu(**fields: Callable[[random.Random], str]) -> Callable[[Cluster, random.Random], Fields]:
    usual = {"cores": lambda draw: str(draw.choice((4, 8, 16, 24, 32, 64))), "program": lambda _: "cpu"}
    return lambda _, draw: {
        "gpu": "none",
        "time": f"{draw.choice(MINUTES)}m",
        **{name: value(draw) for name, value in (usual | fields).items()},
    }


def _jobs(draw: random.Random) -> str:
    return f"1-{draw.randint(5, 40)}"


SHAPES: dict[str, Callable[[Cluster, random.Random], Fields]] = {
    "one": _with(),
    "several": _several,
    "node": _node,
    "nodes": lambda cluster, draw: _node(cluster, draw) | {"nodes": str(draw.randint(2, 4))},
    "slice": _slice,
    "array": _with(array=_jobs),
    "throttled": _with(array=lambda draw: f"{_jobs(draw)}%{draw.randint(2, 4)}"),
    "cpu": _cpu(memory=lambda draw: f"{draw.choice(GIB)}G"),
    "cpu_array": _cpu(array=_jobs),
    "long": _with(time=lambda draw: f"{draw.choice(LONG)}m"),
    "short": _with(time=lambda draw: f"{draw.choice((10, 15, 20))}m"),
    "jax": _with(program=lambda _: "jax"),
    "numba": _with(program=lambda _: "numba"),
    "own": _with(program=lambda _: "own-command"),
    "container": _with(program=lambda _: "pytorch-container"),
    "memory": _with(memory=lambda draw: f"{draw.choice(GIB)}G"),
    "other": _with(),
}
PHRASES = {"memory": "one", "other": "one"}
PROGRAMS = {"jax": "jax", "numba": "numba", "own-command": "own", "cpu": "cpu"}


def tasks(cluster: Cluster, seed: int) -> Iterator[Task]:
    """None where the system runs no jobs."""
    if not cluster.running:
        return
    for number, (shape, candidate) in enumerate(SHAPES.items(), 1):
        draw = drawer(seed, cluster, "write", number)
        times = TRIES if _gpus(cluster) or shape.startswith("cpu") else 0
        tries = [fields for _ in range(times) if (fields := candidate(cluster, draw))]
        can = ask("possible", [cluster], [[cluster.key, fields] for fields in tries])
        fields = next((fields for fields, possible in zip(tries, can, strict=True) if possible), None)
        if fields and not ("memory" in fields and _leaves_out_memory(cluster, fields["gpu"] != "none")):
            yield _task(cluster, named(seed, cluster, "write", number), shape, fields, draw)
    for name in ("staging", "interactive"):
        number += 1
        if found := _of_guide(cluster, seed, name, number):
            yield found


def _leaves_out_memory(cluster: Cluster, gpu: bool) -> bool:
    memory = cluster.policy.memory
    return (memory.gpu_jobs if gpu and memory.gpu_jobs else memory.rule) in (Rule.LEAVE_OUT, Rule.IGNORED)


def _as_good(cluster: Cluster, key: str) -> list[str]:
    """This GPU, and those of the same type with more memory."""
    gpu = cluster.gpus[key]
    alike = {name: each.memory.mib for name, each in cluster.gpus.items() if each.gres == gpu.gres and each.memory}
    return [key, *(name for name, mib in alike.items() if gpu.memory and mib > gpu.memory.mib)]


def _task(cluster: Cluster, name: str, shape: str, fields: Fields, draw: random.Random) -> Task:
    kind, gpus, nodes = fields.get("program", "torch"), int(fields.get("gpus", 0)), int(fields.get("nodes", 1))
    program, minutes = draw.choice(words()["programs"][PROGRAMS.get(kind, "torch")]), int(fields["time"][:-1])
    wanted = {"gpus": gpus * nodes, "nodes": nodes, "minutes": minutes, "program": program.removeprefix("./")}
    values = {"program": program, "nodes": nodes, "time": clock(minutes), "system": cluster.name}
    if gpus:
        wanted["gpu"] = _as_good(cluster, fields["gpu"])
        values |= {"gpu": gpu_words(cluster, fields["gpu"], gpus), "each": gpu_words(cluster, fields["gpu"], gpus)}
    software = {"own-command": None, "cpu": None, "jax": "jax", "numba": "numba", "pytorch-container": "container"}
    if about := software.get(kind, "pytorch"):
        wanted["software"] = about
    lists = ["opener", PHRASES.get(shape, shape), "each_time" if "array" in fields else "time"]
    if "cores" in fields:
        wanted["cores"] = values["cores"] = int(fields["cores"])
    if "memory" in fields:
        wanted["memory"] = int(fields["memory"][:-1]) * 1024
        values["memory"] = f"{fields['memory'][:-1]} GiB"
        lists.append("memory")
    if "array" in fields:
        jobs, _, most = fields["array"].removeprefix("1-").partition("%")
        wanted |= {"jobs": int(jobs)} | ({"at_once": int(most)} if most else {})
        values |= {"jobs": jobs, "at_once": most}
    return _whole(cluster, name, draw, lists, values, wanted, {"cluster": cluster.key} | fields)


def _of_guide(cluster: Cluster, seed: int, name: str, number: int) -> Task | None:
    """What the form does not write, and the guide has a script for; what that asks for is what the user wants."""
    file = script(cluster.key, {"staging": "stage_data.sh"}.get(name, f"{name}.sh"))
    if not file.exists():
        return None
    draw = drawer(seed, cluster, "write", number)
    text = file.read_text(encoding="utf-8")
    command = name == "interactive"
    if command:
        if not text.startswith(("salloc ", "srun ", "ijob ")):
            return None  # the site's own command, which has options of its own
        text = as_script(text)
    (asks,) = ask("asks", [cluster], [[cluster.key, text]])
    wanted = {name: asks[name] for name in ("gpus", "nodes", "minutes")} | {"gpu": [asks["key"]]}
    gpu = gpu_words(cluster, asks["key"], asks["gpus"])
    values = {"system": cluster.name, "time": clock(asks["minutes"]), "gpu": gpu}
    lists = ["opener", name, "time"]
    if not command:
        values["program"] = wanted["program"] = "read_files.py"
        wanted |= {"disk": True, "software": "pytorch"}
    name = named(seed, cluster, "write", number)
    return _whole(cluster, name, draw, lists, values, wanted, {"cluster": cluster.key, "file": file.name})


def _whole(
    cluster: Cluster, name: str, draw: random.Random, lists: list[str], values: dict, wanted: dict, fields: Fields
) -> Task:
    """UPDATES lists, values and wanted: with the account, and the form of the answer."""
    if own := account(cluster):
        wanted["account"] = values["account"] = own
        lists.append("account")
    reply = "command" if fields.get("file") == "interactive.sh" else "script"
    lists.append("reply_command" if reply == "command" else "reply")
    return Task(name, "write", cluster.key, say(draw, *lists, **values), reply=reply, wanted=wanted, fields=fields)
