"""Containers: another system's images, an image that is not the loaded module's, the option that shows the GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from scripts.check.advice.case import SETUP, Case, program
from scripts.check.advice.commands import Command
from scripts.check.advice.modules import loaded
from scripts.check.advice.systems import systems
from scripts.check.report import Report
from scripts.facts import Cluster

PROGRAMS = {"apptainer", "singularity"}
SHOWS_GPU = {"--nv", "--nvccli", "--rocm"}
BY_VARIABLE = re.compile(r"(APPTAINER|SINGULARITY)(ENV)?_(NV|NVCCLI|ROCM)=")


def runs(case: Case) -> list[tuple[Command, list[str]]]:
    """(command, its words from apptainer on) of each container that is sure to be started."""
    found = []
    for command in case.certain:
        words = [PurePosixPath(word).name for word in command.words]
        at = next((place for place, word in enumerate(words) if word in PROGRAMS), None)
        if at is not None and any(word in ("run", "exec", "shell") for word in words[at + 1 :]):
            found.append((command, list(command.words[at:])))
    return found


def advise(case: Case) -> Iterator[Report]:
    yield from _another_systems_image(case)
    yield from _another_version(case)
    yield from _gpu_option(case)


def folders(cluster: Cluster) -> set[str]:
    return {str(PurePosixPath(image).parent) for image in cluster.software.images}


def _plain(word: str) -> str:
    """`${NAME}` as `$NAME`."""
    return re.sub(r"\$\{(\w+)\}", r"$\1", word)


def _another_systems_image(case: Case) -> Iterator[Report]:
    own = folders(case.cluster)
    set_here = {part.partition("=")[0] for command in case.commands for part in (*command.sets, *command.words)}
    for command, words in runs(case):
        for word in map(_plain, words):
            folder = str(PurePosixPath(word).parent)
            if folder in own or not word.endswith(".sif") or folder.removeprefix("$") in set_here:
                continue
            whose = next((other.name for other in systems() if folder in folders(other)), None)
            if whose:
                what = f"{word} is an image of {whose}; {case.cluster.name} has no such folder."
                cure = "Use an image that is here."
                yield case.report("image-of-another", what, cure, command, group="software")


def _another_version(case: Case) -> Iterator[Report]:
    """`pytorch-2.9.0.sif` beside the module pytorch/2.7.0, which names another file."""
    versions = dict(name.split("/", 1) for name, _ in loaded(case) if "/" in name)
    shown = {folder for folder in folders(case.cluster) if folder.startswith("$")}
    for command, words in runs(case):
        for word in map(_plain, words):
            image = PurePosixPath(word)
            name = re.fullmatch(r"([a-z][\w]*)-([0-9][\w.]*)\.sif", image.name)
            if str(image.parent) in shown and name and versions.get(name[1], name[2]) != name[2]:
                what = f"{image.name} is not the image of the module {name[1]}/{versions[name[1]]}."
                cure = f"Write {name[1]}-{versions[name[1]]}.sif."
                yield case.report("image-version", what, cure, command, group="software")


def _gpu_option(case: Case) -> Iterator[Report]:
    option, containers = case.cluster.software.container_option, runs(case)
    if not case.wants_gpu or not containers:
        return
    fact = "software.container_option"
    if option == "none":
        for command, words in containers:
            ours = any(str(PurePosixPath(_plain(word)).parent) in folders(case.cluster) for word in words)
            if ours and "--rocm" in words:
                what = f"--rocm: on {case.cluster.name} a module binds what these images need."
                yield case.report("container-option", what, "Leave --rocm out.", command, fact)
        return
    told = any(BY_VARIABLE.match(part) for command in case.commands for part in (*command.sets, *command.words)) or any(
        SHOWS_GPU & set(command.words) for command in case.commands
    )
    others = {program(command) for command in case.commands} - SETUP - PROGRAMS - {""}
    if option and not told and not others:
        command, words = containers[0]
        what = f"without {option} the container sees no GPU."
        yield case.report("container-option", what, f"Write {words[0]} {words[1]} {option} ...", command, fact)
