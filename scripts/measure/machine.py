"""What this machine is: the device and its driver, versions, the commit, the place.

Nothing is set, everything is read.
"""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from scripts.errors import BadInput
from scripts.measure.records import Where
from scripts.paths import ROOT

LIBRARIES = ("torch", "numpy", "numba", "numba-cuda", "jax", "cupy-cuda12x", "torchvision")


def device_name() -> str:
    """What the driver calls the first GPU. Raises BadInput if PyTorch can use none."""
    import torch

    if not torch.cuda.is_available():
        raise BadInput(
            "scripts.measure",
            None,
            "there is no GPU here that PyTorch can use, so nothing is measured.",
            "Run this on a GPU node: snippets/<cluster>/validate.sh.",
        )
    return torch.cuda.get_device_properties(0).name


def driver() -> tuple[str, dict[str, int]]:
    """(driver version, clocks in MHz). NVML gives both; without it (AMD) the ROCm version, and no clocks."""
    import torch

    try:
        import pynvml

        pynvml.nvmlInit()
        handle = pynvml.nvmlDeviceGetHandleByIndex(0)
        clocks = {
            "sm": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM),
            "memory": pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_MEM),
        }
        return pynvml.nvmlSystemGetDriverVersion(), clocks
    except Exception:  # NVML has a dozen exceptions of its own; without it there is less to say, but enough
        return f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}", {}


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def commit() -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace"
        ).stdout.strip()

    found = git("rev-parse", "HEAD")
    if not found:
        raise BadInput(
            "scripts.measure",
            None,
            "this is no checkout of the guide's repository.",
            "Clone it; a record names its commit.",
        )
    return found + ("-dirty" if git("status", "--porcelain", "--", "snippets/programs") else "")


def where() -> Where:
    cluster = os.environ.get("SLURM_CLUSTER_NAME") or os.environ.get("GPU_GUIDE_WHERE") or platform.node()
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return Where(
        cluster=cluster,
        job=os.environ.get("SLURM_JOB_ID"),
        host_cpu=models[0] if models else platform.machine(),
        cores=len(os.sched_getaffinity(0)),
    )
