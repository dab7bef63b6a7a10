"""Does a script ask for what the user wants? The engine reads what it asks for."""

from collections.abc import Iterator
from typing import Any

MARGIN = 1.25  # so much more time, memory or cores may be asked for: people leave room
GB = 0.93  # of a GiB: who writes 64000M or 64 GB for 64 GiB is right
EXACT = {
    "gpus": "GPUs",
    "nodes": "nodes",
    "tasks": "tasks",
    "jobs": "jobs of an array",
    "atOnce": "jobs at once",
    "account": "as the account",
}
PRINTS = {"echo", "printf", "cat", "ls", "cp", "chmod", "test", "["}
SOFTWARE = {  # what brings it: part of a module's name, a container, an environment of one's own
    "pytorch": ("torch", "container", "environment"),
    "jax": ("jax", "container", "environment"),
    "numba": ("numba", "container", "environment"),
    "container": ("container",),
}


def faults(wanted: dict[str, Any], asks: dict[str, Any]) -> Iterator[str]:
    """A sentence for each quantity that is not as wanted, in a fixed order."""
    for key, name in EXACT.items():
        want = wanted.get("at_once" if key == "atOnce" else key)
        if want is not None and asks[key] != want:
            asked = "any number of" if key == "atOnce" and asks[key] is None else asks[key]
            yield f"it requests {asked} {name}, not {want}"
    if "gpu" in wanted and asks["gpus"] and asks["key"] not in wanted["gpu"]:
        yield f"it requests the GPU {asks['key']}, not {' or '.join(wanted['gpu'])}"
    yield from _between(wanted, asks["minutes"], "minutes", "minutes", 1)
    cores = asks["tasks"] * asks["perTask"]
    if not (asks["whole"] and cores <= 1):
        yield from _between(wanted, cores, "cores", "cores", 1, asks["whole"])
    if not (asks["whole"] and asks["memory"] is None):
        yield from _between(wanted, asks["memory"], "memory", "MiB of memory", GB, asks["whole"])
    yield from _program(wanted, asks)


def _between(wanted: dict, number: float | None, key: str, name: str, least: float, whole: bool = False) -> Iterator:
    """whole: with full nodes more costs nothing more."""
    if (want := wanted.get(key)) is None:
        return
    if number is None:
        yield f"it does not state how many {name}"
    elif number < want * least or number > want * MARGIN and not whole:
        yield f"it requests {number:g} {name}, not {want}"


def _program(wanted: dict, asks: dict) -> Iterator[str]:
    if program := wanted.get("program"):
        started = [words for words in asks["runs"] if words[0] not in PRINTS]
        if not any(word.rpartition("/")[2] == program for words in started for word in words):
            yield f"it does not start {program}"
    if software := wanted.get("software"):
        if not any(sign in brought.lower() for brought in asks["brings"] for sign in SOFTWARE[software]):
            yield f"nothing provides {software}"
    if wanted.get("disk") and not asks["disk"]:
        yield "it copies nothing to the node's own disk"
