"""Numba's kernels, compiled to PTX for every GPU in the limits. That needs no GPU: it shows that they compile, and in which precision they compute."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.measure.limits import load_limits
from tests.snippets.sandbox import ROOT

CAPABILITIES = sorted({device.compute_capability for device in load_limits().values() if device.compute_capability})
COMPILE = """
from numba import cuda, float32
from numba.cuda import compile_ptx
{function}
signature = (float32[::1],) * {parameters}
for capability in {capabilities}:
    print(compile_ptx({name}, signature, cc=capability)[0])
"""


def kernels() -> list[tuple[str, str, str, int]]:
    """(program, name, source without decorator, number of parameters) of every function under @cuda.jit."""
    found = []
    for path in sorted((ROOT / "snippets" / "programs").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(ast.unparse(decorator) == "cuda.jit" for decorator in node.decorator_list):
                node.decorator_list = []
                found.append((path.name, node.name, ast.unparse(node), len(node.args.args)))
    return found


def ptx(source: str, name: str, parameters: int) -> subprocess.CompletedProcess[str]:
    """The kernel's PTX for every capability, one behind the other."""
    capabilities = [tuple(map(int, capability.split("."))) for capability in CAPABILITIES]
    code = COMPILE.format(function=source, name=name, parameters=parameters, capabilities=capabilities)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(Path.home())})


def test_there_are_kernels():
    assert kernels()


@pytest.mark.parametrize("program, name, source, parameters", kernels(), ids=[f"{program}:{name}" for program, name, *_ in kernels()])
def test_a_kernel_compiles_and_stays_in_its_precision(program, name, source, parameters):
    done = ptx(source, name, parameters)
    assert done.returncode == 0, f"{program}: {done.stderr}"
    assert re.findall(r"\.target sm_(\d+)", done.stdout) == [capability.replace(".", "") for capability in CAPABILITIES]
    assert ".f64" not in done.stdout, f"{program}: {name} computes in float64, at half the speed or less"


def test_a_literal_that_widens_to_float64_is_found():
    done = ptx("def scale(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = x[i] * 0.1", "scale", 2)
    assert ".f64" in done.stdout
