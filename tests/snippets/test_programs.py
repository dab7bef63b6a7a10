"""What is known of each program stands in programs.yml."""

import re
import runpy
import subprocess
import sys
from argparse import Namespace
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from scripts import programs
from scripts.errors import BadInput
from scripts.paths import ROOT


def test_what_is_known_of_a_program_stands_beside_it(monkeypatch, tmp_path):
    """No line for our tests in what readers copy; a run of no program, and an import of no package, are told."""
    for path in programs.PROGRAMS.glob("*.py"):
        assert not re.search(r"(?m)^# (test|needs):", path.read_text(encoding="utf-8")), f"{path}: see programs.yml"
        assert programs.packages(path) is not None
    locked = re.findall(r"(?m)^[\w-]+", (ROOT / "requirements.txt").read_text(encoding="utf-8"))
    assert {*programs.load().packages.values()} - {*locked} == {"cupy"}, "we install it nowhere"
    assert programs.packages(programs.PROGRAMS / "multiply_copies.py") == ["numba", "numba-cuda", "numpy"]
    (tmp_path / "programs.yml").write_text("runs:\n  gone.py: {}\npackages: {numpy: numpy}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"programs\.yml:2: there is no program gone\.py"):
        programs.load(tmp_path / "programs.yml")
    (tmp_path / "odd.py").write_text("import os\nimport numpy, odder\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"odd\.py:2: no package is known for `import odder`"):
        programs.packages(tmp_path / "odd.py")


def test_a_product_has_a_multiplication_and_an_addition_for_each_of_its_terms(capsys):
    _, _, end = (programs.PROGRAMS / "matmul.py").read_text(encoding="utf-8").partition(").median\n")
    exec(end, {"args": Namespace(size=1000, dtype="float32"), "device": SimpleNamespace(type="cpu"), "median": 1e-3})
    assert capsys.readouterr().out.splitlines()[-1] == "median 1.000 ms, 2.000 TFLOP/s"


def test_the_smallest_run_of_a_scaling_test_counts_as_perfect(tmp_path):
    times = tmp_path / "times.txt"
    times.write_text("8 60\n4 100\n4 102\n4 98\n", encoding="utf-8")
    program = [sys.executable, programs.PROGRAMS / "scaling_table.py", times]
    rows = subprocess.run(program, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()[2:4]
    assert [row.split(" | ")[1:4] for row in rows] == [["100.0", "4.00", "100%"], ["60.0", "6.67", "83%"]]


def test_energy_that_nvml_counts_in_millijoules_is_told_in_watt_hours(monkeypatch, capsys):
    """As long as the command runs, and of the job's own GPUs."""
    counted = iter([5_000_000, 5_000_000 + 3_600_000])
    nvml = MagicMock(**{"nvmlDeviceGetCount.return_value": 4, "nvmlDeviceGetName.return_value": "a GPU"})
    nvml.NVMLError_LibraryNotFound = nvml.NVMLError_DriverNotLoaded = OSError
    nvml.nvmlDeviceGetTotalEnergyConsumption = lambda gpu: next(counted)
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2")
    monkeypatch.setattr(sys, "argv", ["gpu_energy.py", "bash", "-c", "sleep 0.5; exit 3"])
    with pytest.raises(SystemExit, match="3"):
        runpy.run_path(str(programs.PROGRAMS / "gpu_energy.py"), run_name="__main__")
    found = re.fullmatch(r"GPU 2, a GPU: 1\.0000 Wh in (.*) s: (\d+) W on average\n", capsys.readouterr().out)
    assert float(found[1]) >= 0.5 and float(found[1]) * int(found[2]) == pytest.approx(3600, rel=0.1)
