"""Run a program as a reader would, but alone: empty folder, clean environment, time limit."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from scripts.programs import OMITTED, TORCHRUN

ROOT = Path(__file__).resolve().parent.parent.parent
STANDINS = Path(__file__).with_name("standins")
LIMIT_SECONDS = 240

# What differs from run to run: decimals, times, versions, processor and thread counts.
_VOLATILE = re.compile(r"\d[\d,]*\.?\d*(e[+-]?\d+)?|" + OMITTED)
_BUILD = re.compile(r"(PyTorch \d[\d.]*)(\+\w+)?, built for: .*")  # PyPI's build depends on the machine


def normalised(text: str) -> str:
    """Shown output with every number replaced and blanks folded: the words, units and order must agree."""
    return re.sub(r"[ \t]+", " ", _VOLATILE.sub("N", _BUILD.sub(r"\1", text))).strip()


def environment_in(folder: Path, needs: Collection[str] = ()) -> dict[str, str]:
    """A clean environment of a program that runs in this folder; `needs` as in run_program."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "2",
        "OMP_WAIT_POLICY": "PASSIVE",  # threads that wait leave their core to others
        "SLURM_CPUS_PER_TASK": "2",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(folder),
        "JAX_PLATFORMS": "" if "gpu" in needs else "cpu",
    }
    if "gpu" in needs:
        cores = str(len(os.sched_getaffinity(0)))
        environment |= {"OMP_NUM_THREADS": cores, "SLURM_CPUS_PER_TASK": cores} | {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("CUDA", "LD_", "NVIDIA", "ROCR", "HIP"))
        }
    if "simulator" in needs:
        environment["NUMBA_ENABLE_CUDASIM"] = "1"
    if "torchvision" in needs and "gpu" not in needs:
        environment["PYTHONPATH"] = str(STANDINS)
    return environment


# In PyTorch 2.13 the threads of gloo outlive destroy_process_group() where a model was in DistributedDataParallel, and
# now and then one of them ends a process that is through with its work, in these words. Such a run gets a second try.
LEFT_BY_GLOO = "terminate called without an active exception"


def run_program(program: Path, arguments: list[str], needs: Collection[str] = ()) -> subprocess.CompletedProcess[str]:
    """Run one program in an empty folder. `needs`: those of programs.yml, and gpu."""
    processes = ["gpu" if "gpu" in needs else "2"]
    start = ["-m", "torch.distributed.run", *TORCHRUN[1:], *processes] if "torchrun" in needs else []
    folder = Path(tempfile.mkdtemp(prefix="snippet-"))
    try:
        environment = environment_in(folder, needs)
        if "cifar10" in needs:
            from tests.snippets.cifar10_files import write_cifar10

            write_cifar10(folder / "data")
            environment["CIFAR10_PATH"] = str(folder / "data")
        if "language_model" in needs:
            writer = [sys.executable, "-m", "tests.snippets.language_model", folder]
            subprocess.run(writer, cwd=ROOT, env=environment, check=True, capture_output=True)
        for _ in range(2 if start else 1):
            done = subprocess.run(
                [sys.executable, *start, program, *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                encoding="utf-8",
                timeout=LIMIT_SECONDS,
            )
            if not done.returncode or LEFT_BY_GLOO not in done.stderr:
                break
        return done
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, 124, str(late.stdout or ""), f"stopped after {LIMIT_SECONDS} s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
