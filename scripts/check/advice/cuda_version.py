"""Packages built with a CUDA that knows nothing of the job's GPU: CUDA 13 on a V100, an old one on the newest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.report import Report

# cu126 of a wheel's address, cupy-cuda13x, jax[cuda12], cuda-version=12.6
NAMED = (
    re.compile(r"/whl/cu(1[0-9])([0-9]+)\b"),
    re.compile(r"cuda(1[0-9])()(?:x|\])"),
    re.compile(r"\bcuda-version=+(1[0-9])\.?([0-9]*)"),
)
CUDA_13 = (7, 5)  # the oldest compute capability that CUDA 13 builds for: NVIDIA's release notes of 13.0


def advise(case: Case) -> Iterator[Report]:
    capabilities = [_numbers(gpu.compute_capability) for gpu in case.gpus.values() if gpu.compute_capability]
    if not case.gpus or len(capabilities) != len(case.gpus):
        return
    models = ", ".join(dict.fromkeys(gpu.model for gpu in case.gpus.values()))
    oldest = [_numbers(gpu.oldest_cuda) for gpu in case.gpus.values() if gpu.oldest_cuda]
    key = next(iter(case.gpus))
    for command in case.certain:
        found = next((match for word in command.words for named in NAMED if (match := named.search(word))), None)
        if not found or command.name in ("echo", "printf"):
            continue
        version = (int(found[1]), int(found[2] or 99))
        if version[0] >= 13 and max(capabilities) < CUDA_13:
            what = f"`{found[0]}` is built with CUDA 13, which has nothing for {models}."
            fact = f"gpus.{key}.compute_capability"
            yield case.report("cuda-too-new", what, "Take a build for CUDA 12.", command, fact)
        elif len(oldest) == len(case.gpus) and version < min(oldest):
            least = ".".join(map(str, min(oldest)))
            what = f"`{found[0]}` is built with an older CUDA than {models} needs, {least}."
            fact = f"gpus.{key}.oldest_cuda"
            yield case.report("cuda-too-old", what, "Take a newer build.", command, fact, limit=f"CUDA {least}")


def _numbers(version: str) -> tuple[int, int]:
    first, second = version.split(".")
    return int(first), int(second)
