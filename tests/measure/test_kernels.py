"""Numba's kernels, compiled to PTX for every GPU in the limits.

That needs no GPU: it shows that they compile, and in which precision they compute.
"""

import ast
import json
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
# What is older, the V100, is compiled by CUDA 12, which cannot stand beside torch: in an environment of its own.
OLDEST_OF_CUDA_13 = (7, 5)
CUDA_12 = ROOT / ".venv/cuda12/bin/python"
# Each kernel for each compute capability, in one process: most of a second goes into an import.
COMPILE = """
import json, sys
from numba import cuda, float32
from numba.cuda import compile_ptx
found = []
for name, source, parameters, capability in json.load(sys.stdin):
    exec(source)
    found.append(compile_ptx(locals()[name], (float32[::1],) * parameters, cc=tuple(capability))[0])
print(json.dumps(found))
"""
WIDENS = "def scale(x, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = x[i] * 0.1"


def kernels() -> list[tuple[str, str, int]]:
    """(name, source without decorator, number of parameters) of every function under @cuda.jit."""
    found = []
    for path in sorted((ROOT / "snippets" / "programs").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(decorator) == "cuda.jit" for decorator in node.decorator_list
            ):
                node.decorator_list = []
                found.append((node.name, ast.unparse(node), len(node.args.args)))
    return found


def ptx(python: Path, asked: list[tuple[str, str, int, tuple[int, int]]]) -> list[str]:
    """The PTX of each (name, source, number of parameters, compute capability)."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    done = subprocess.run(
        [python, "-c", COMPILE], input=json.dumps(asked), capture_output=True, encoding="utf-8", env=environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("cuda", [12, 13])
def test_every_kernel_compiles_for_every_gpu_and_stays_in_its_precision(cuda):
    """And a literal that widens a kernel to float64 is seen, so that no such kernel passes unseen."""
    python = Path(sys.executable) if cuda == 13 else Path(need(str(CUDA_12), "the compiler of CUDA 12"))
    capabilities = [each for each in CAPABILITIES if (each >= OLDEST_OF_CUDA_13) == (cuda == 13)]
    asked = [(name, source, parameters, each) for name, source, parameters in kernels() for each in capabilities]
    *found, wide = ptx(python, [*asked, ("scale", WIDENS, 2, capabilities[0])])
    assert asked and ".f64" in wide
    for (name, _, _, capability), text in zip(asked, found, strict=True):
        assert re.findall(r"\.target sm_(\d+)", text) == ["{}{}".format(*capability)]
        assert ".f64" not in text, f"{name} computes in float64, at half the speed or less"
