"""CUDA on AMD's GPUs, ROCm on NVIDIA's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case, program
from scripts.check.advice.container import runs
from scripts.check.advice.modules import base, loaded
from scripts.check.report import Report

# By whose GPUs are there: programs, a container's option, modules and packages that need the other's.
FOREIGN = {
    "AMD": (
        {"nvidia-smi", "nvcc", "nsys", "ncu"},
        "--nv",
        {"cuda", "cudnn", "nccl"},
        re.compile(r"/whl/cu1[0-9]+\b|cupy-cuda|\[cuda1[0-9]|nvcr\.io/|cuda[0-9.]+-cudnn|tensorflow\[and-cuda\]"),
    ),
    "NVIDIA": (
        {"rocm-smi", "amd-smi", "rocprof", "rocminfo"},
        "--rocm",
        {"rocm", "hip"},
        re.compile(r"/whl/rocm|cupy-rocm|jax\[rocm|docker://rocm/|tensorflow-rocm"),
    ),
}
OTHER = {"AMD": "NVIDIA's", "NVIDIA": "AMD's"}


def advise(case: Case) -> Iterator[Report]:
    vendors = {gpu.model.partition(" ")[0] for gpu in case.gpus.values()}
    if len(vendors) != 1 or not vendors <= FOREIGN.keys():
        return
    (vendor,) = vendors
    programs, option, modules, packages = FOREIGN[vendor]
    told = []
    told += [(command, program(command)) for command in case.certain if program(command) in programs]
    told += [(command, option) for command, words in runs(case) if option in words]
    told += [(command, f"module {name}") for name, command in loaded(case) if base(name) in modules]
    told += [
        (command, found[0])
        for command in case.certain
        if command.name not in ("echo", "printf")
        for word in command.words
        if (found := packages.search(word))
    ]
    fact = f"gpus.{next(iter(case.gpus))}.model"
    for command, thing in told:
        what = f"{thing} is for {OTHER[vendor]} GPUs; this job gets {next(iter(case.gpus.values())).model}."
        cure = "Use rocm-smi." if thing == "nvidia-smi" else "Use nvidia-smi." if thing == "rocm-smi" else ""
        cure = cure or ("Take what is built for ROCm." if vendor == "AMD" else "Take what is built for CUDA.")
        if thing in ("--nv", "--rocm"):
            cure = "Leave it out." if vendor == "AMD" else "Write --nv."
        yield case.report("gpu-vendor", what, cure, command, fact)
