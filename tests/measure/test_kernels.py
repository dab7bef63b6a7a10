"""Numba's kernels, compiled to PTX for every GPU in the limits.

That needs no GPU: it shows that they compile, and in which precision they compute.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.measure.limits import load_limits
from tests.needs import need
from tests.snippets.sandbox import ROOT

CAPABILITIES = sorted(
    {
        tuple(map(int, device.compute_capability.split(".")))
        for device in load_limits().values()
        if device.compute_capability
    }
)
OLDEST_OF_CUDA_13 = (
    7,
    5,
)  # what is older, the V100, is compiled by CUDA 12, which cannot stand beside torch: in an environment of its own
CUDA_12 = ROOT / ".venv/cuda12/bin/python"
COMPILE = """
from numba import cuda, float32
from numba.cuda import compile_ptx
{function}
signature = (float32[::1],) * {parameters}
print(compile_ptx({name}, signature, cc={capability})[0])
"""


def kernels() -> list[tuple[str, str, str, int]]:
    """(program, name, source without decorator, number of parameters) of every function under @cuda.jit."""
    found = []
    for path in sorted((ROOT / "snippets" / "programs").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(decorator) == "cuda.jit" for decorator in node.decorator_list
            ):
                node.decorator_list = []
                found.append((path.name, node.name, ast.unparse(node), len(node.args.args)))
    return found


def compiler(capability: tuple[int, int]) -> Path:
    """The Python whose CUDA still, or already, knows this compute capability."""
    return (
        Path(sys.executable) if capability >= OLDEST_OF_CUDA_13 else Path(need(str(CUDA_12), "the compiler of CUDA 12"))
    )


def ptx(source: str, name: str, parameters: int, capability: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    """The kernel's PTX for a compute capability."""
    code = COMPILE.format(function=source, name=name, parameters=parameters, capability=capability)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    return subprocess.run([compiler(capability), "-c", code], capture_output=True, encoding="utf-8", env=environment)


def test_there_are_kernels_and_gpus_of_both_compilers():
    assert kernels()
    assert CAPABILITIES[0] < OLDEST_OF_CUDA_13 <= CAPABILITIES[-1]


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda capability: "sm_{}{}".format(*capability))
@pytest.mark.parametrize(
    "program, name, source, parameters", kernels(), ids=[f"{program}:{name}" for program, name, *_ in kernels()]
)
def test_a_kernel_compiles_and_stays_in_its_precision(program, name, source, parameters, capability):
    done = ptx(source, name, parameters, capability)
    assert done.returncode == 0, f"{program}: {done.stderr}"
    assert re.findall(r"\.target sm_(\d+)", done.stdout) == ["{}{}".format(*capability)]
    assert ".f64" not in done.stdout, f"{program}: {name} computes in float64, at half the speed or less"


@pytest.mark.parametrize("capability", [CAPABILITIES[0], CAPABILITIES[-1]], ids=["CUDA 12", "CUDA 13"])
def test_a_literal_that_widens_to_float64_is_found(capability):
    done = ptx(
        "def scale(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = x[i] * 0.1",
        "scale",
        2,
        capability,
    )
    assert ".f64" in done.stdout
