"""What this machine is: the device and its driver, versions, the commit, the place.

Nothing is set, everything is read.
"""

import os
import platform
import re
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from scripts.errors import BadInput
from scripts.git import git
from scripts.measure.limits import LIMITS, Device, device_named
from scripts.measure.records import PLAIN, Where
from scripts.paths import shown

LIBRARIES = ("torch", "numpy", "numba", "numba-cuda", "jax", "cupy-cuda12x", "torchvision")


OWN = "a reader's own machine"
# A whole GPU shows its programs nearly all of its printed memory: the rest is for error correction and the driver.
LEAST_MEMORY, MOST_MEMORY = 0.8, 1.1
TEMPLATE = """
devices:
  <key>:
    name: {name}
    elsewhere: true
    matches: {name}{capability}
    memory: {memory} GB
    l2: <size> MB
    hbm_gb_per_s: <printed bandwidth>
    link_gb_per_s: <31.5 for PCIe 4 x16, 63 for PCIe 5 x16>
    tflops: {{float64: <dense>, float32: <dense>}}
    sources:
      - {{title: <what you read>, url: "https://…", read: <today>}}
"""


@dataclass(frozen=True)
class Found:
    """A GPU as its driver shows it. memory: bytes that programs can have; capability: NVIDIA's, as 8.0."""

    name: str
    memory: int
    capability: str | None


def gpu() -> Found:
    """The first GPU. Raises BadInput if PyTorch can use none."""
    try:
        import torch

        found = torch.cuda.get_device_properties(0) if torch.cuda.is_available() else None
    except (ImportError, OSError, RuntimeError) as fault:  # a library that is missing, a GPU that is taken or broken
        first = str(fault).partition("\n")[0]
        what = f"PyTorch does not work here: {first.rstrip('.')}."
        cure = 'Fix this command first: python3 -c "import torch; torch.cuda.get_device_properties(0)"'
        raise BadInput("guide measure", None, what, cure) from None
    if not found:
        built = "without GPU support" if not (torch.version.cuda or torch.version.hip) else "for GPUs, but finds none"
        raise BadInput(
            "guide measure",
            None,
            f"there is no GPU here that PyTorch can use (it is built {built}), so nothing is measured.",
            "On a cluster, run this in a GPU job: snippets/<cluster>/validate.sh. On your own machine, "
            "check that nvidia-smi or amd-smi lists the GPU, then install the PyTorch that is built for it.",
        )
    return Found(found.name, found.total_memory, None if torch.version.hip else f"{found.major}.{found.minor}")


def device_of(found: Found, limits: dict[str, Device]) -> str:
    """The key of this GPU's limits. Raises BadInput if it has none, or if it is a part of a GPU."""
    key = device_named(found.name, limits)
    if key is None:
        raise _unknown(found)
    printed = limits[key].memory.mib * 2**20
    if not LEAST_MEMORY * printed <= found.memory <= MOST_MEMORY * printed:
        what = f"{found.name} shows {found.memory / 1e9:.0f} GB of memory, but a full GPU has {limits[key].memory}."
        cure = "A part of a GPU (MIG, a virtual GPU, a partition mode) has no published limits. Measure on a full GPU."
        raise BadInput("guide measure", None, what, cure)
    return key


def is_slice(found: Found) -> bool:
    """Does its name say that it is a MIG slice or a virtual GPU?"""
    return "MIG" in found.name.split() or bool(re.search(r"-\d+[ABCQ]$", found.name))


def limits_to_add(found: Found, limits: dict[str, Device]) -> str | None:
    """What to fill in for a GPU that limits.yml does not know; None for a slice, and for one that it knows."""
    if device_named(found.name, limits) or is_slice(found):
        return None
    capability = f'\n    compute_capability: "{found.capability}"' if found.capability else ""
    return TEMPLATE.format(name=found.name, capability=capability, memory=round(found.memory / 2**30)).strip()


def _unknown(found: Found) -> BadInput:
    if is_slice(found):
        cure = "No vendor publishes limits for a slice, so measure on a full GPU."
        return BadInput("guide measure", None, f"{found.name} is a slice of a GPU, and has no limits.", cure)
    cure = "Add it as above, with the vendor's numbers and their sources. No result counts without a limit."
    return BadInput(shown(LIMITS), None, f"there is no limit for {found.name}.", cure)


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
    found = git("rev-parse", "HEAD")
    if not found:
        what = "this is not a checkout of the guide's repository."
        raise BadInput("scripts.measure", None, what, "Clone the repository, because a record names its commit.")
    return found + ("-dirty" if git("status", "--porcelain", "--", "snippets/programs") else "")


def _plain(name: str) -> str:
    """A name without what a record must not have."""
    return "".join(re.findall(PLAIN, name)).strip()


def where() -> Where:
    """The place, by no name that is private: the cluster's, or what GPU_GUIDE_WHERE says."""
    cluster = os.environ.get("SLURM_CLUSTER_NAME") or os.environ.get("GPU_GUIDE_WHERE") or OWN
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return Where(
        cluster=_plain(cluster) or OWN,
        job=os.environ.get("SLURM_JOB_ID"),
        host_cpu=_plain(models[0] if models else "") or platform.machine(),
    )
