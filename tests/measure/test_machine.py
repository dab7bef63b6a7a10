"""`guide measure` says what it finds on any machine: no GPU, a slice, one without limits; and what it will do."""

import ctypes
import json
import os
import sys

import pytest
import torch

from scripts import facts
from scripts.errors import BadInput
from scripts.measure import __main__ as tool
from scripts.measure import machine, record, tables
from scripts.measure.limits import load_file, load_limits
from scripts.measure.machine import OWN, Found, device_of, limits_to_add
from tests.measure.test_records import KEY, SOUND

DEVICES = load_limits()
GB = 2**30


def measure(monkeypatch, *arguments) -> int:
    monkeypatch.setattr(sys, "argv", ["guide measure", *arguments])
    return tool.main()


def check(monkeypatch, path) -> int:
    monkeypatch.setattr(sys, "argv", ["guide record", str(path)])
    return record.main()


@pytest.mark.parametrize(
    "name, memory",
    [
        ("NVIDIA A100-SXM4-40GB", 39.4),
        ("Tesla T4", 14.6),
        ("NVIDIA A40", 44.4),
        ("NVIDIA GH200 480GB", 94.5),
        ("AMD Instinct MI250X", 63.98),
        ("NVIDIA H200", 139.8),
    ],
)
def test_a_whole_gpu_is_known_though_it_keeps_some_memory_for_itself(name, memory):
    assert device_of(Found(name, int(memory * GB), None), DEVICES) in DEVICES


@pytest.mark.parametrize(
    "name, memory, said",
    [
        ("NVIDIA A100-SXM4-40GB MIG 3g.20gb", 19.5, "is a slice of a GPU"),
        ("GRID A100X-20C", 20, "is a slice of a GPU"),
        ("NVIDIA A40-8Q", 8, "is a slice of a GPU"),
        ("NVIDIA A100-SXM4-40GB", 19.5, "shows 21 GB of memory, but a full GPU has 40 GB"),
        ("AMD Instinct MI300A", 21.3, "shows 23 GB of memory, but a full GPU has 128 GB"),
        ("NVIDIA GH200 144G HBM3e", 141, "shows 151 GB of memory"),
        ("NVIDIA GeForce RTX 3080", 11.8, "shows 13 GB of memory, but a full GPU has 10 GB"),
        ("NVIDIA B200", 178, "there is no limit for NVIDIA B200"),
        ("llvmpipe (LLVM 15)", 8, "there is no limit for llvmpipe"),
    ],
)
def test_a_part_of_a_gpu_and_another_form_are_refused_in_one_sentence(name, memory, said):
    with pytest.raises(BadInput, match=said) as told:
        device_of(Found(name, int(memory * GB), "9.0"), DEVICES)
    assert len(str(told.value).splitlines()) == 1


def test_for_an_unknown_gpu_the_limits_to_fill_in_are_shown(monkeypatch, capsys):
    found = Found("NVIDIA B200", 178 * GB, "10.0")
    monkeypatch.setattr(machine, "gpu", lambda: found)
    with pytest.raises(BadInput, match="there is no limit for NVIDIA B200. Add it as above"):
        measure(monkeypatch)
    shown = capsys.readouterr().out
    assert "matches: NVIDIA B200" in shown and 'compute_capability: "10.0"' in shown and "memory: 178 GB" in shown
    assert limits_to_add(Found("NVIDIA A100-SXM4-40GB MIG 3g.20gb", 20 * GB, "8.0"), DEVICES) is None
    assert "compute_capability" not in limits_to_add(Found("AMD Instinct MI325X", 256 * GB, None), DEVICES)


@pytest.mark.parametrize(
    "answer, said",
    [
        (lambda: False, "no GPU here that PyTorch can use .*On your own machine, check"),
        (lambda: torch.device("GPU"), r"PyTorch does not work here: Expected one of cpu, [^\n]*\. Fix this command"),
        (
            lambda: ctypes.CDLL("libcudart.so.1"),
            r"not work here: libcudart\.so\.1: cannot open [^.]*\. Fix this command",
        ),
    ],
)
def test_without_a_gpu_nothing_is_measured_and_it_says_what_to_look_at(monkeypatch, answer, said):
    monkeypatch.setattr(torch.cuda, "is_available", answer)
    with pytest.raises(BadInput, match=said):
        measure(monkeypatch)


@pytest.fixture
def h200(monkeypatch):
    monkeypatch.setattr(machine, "gpu", lambda: Found("NVIDIA H200", int(139.8 * GB), "9.0"))


def test_it_tells_its_plan_before_it_begins(h200, monkeypatch, capsys):
    assert measure(monkeypatch, "--plan", "matmul.py") == 0
    first, *more = capsys.readouterr().out.splitlines()
    assert first.startswith("NVIDIA H200: ") and first.endswith(" cases of matmul.py.")
    assert any(f"snippets/measured/{KEY}.json is written" in line for line in more)


@pytest.mark.parametrize("refused, status", [([], 0), (["matmul.py, 64: the spread is 11%."], 1)])
def test_a_case_that_is_refused_is_told_by_the_status_too(h200, monkeypatch, tmp_path, refused, status):
    monkeypatch.setattr(tool, "MEASURED", tmp_path)
    monkeypatch.setattr(tool, "measure", lambda *_: (2, refused))
    assert measure(monkeypatch, "matmul.py") == status


def test_a_program_that_is_no_benchmark_is_told(h200, monkeypatch):
    with pytest.raises(BadInput, match="x.py is not a benchmark"):
        measure(monkeypatch, "--plan", "x.py")


def test_the_place_names_nobodys_machine(monkeypatch):
    for name in ("SLURM_CLUSTER_NAME", "GPU_GUIDE_WHERE", "SLURM_JOB_ID"):
        monkeypatch.delenv(name, raising=False)
    assert machine.where().cluster == OWN
    assert os.uname().nodename not in machine.where().model_dump_json()
    for name, shown in (("puhti", "puhti"), ("Lab <a|b>\n", "Lab ab"), ("`", OWN)):
        monkeypatch.setenv("SLURM_CLUSTER_NAME", name)
        assert machine.where().cluster == shown


def test_a_good_record_is_told_where_it_goes(monkeypatch, capsys, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(SOUND), encoding="utf-8")
    assert check(monkeypatch, path) == 0
    said = capsys.readouterr().out
    assert "NVIDIA H200 SXM5: " in said and "all results are possible" in said
    assert f"Move it to snippets/measured/{KEY}.json." in said and "measured on 2026-11-21, made up, a CPU" in said


def test_a_file_that_is_not_there_is_told(monkeypatch, tmp_path):
    with pytest.raises(BadInput, match="there is no such file"):
        check(monkeypatch, tmp_path / "x.json")


def test_every_device_stands_in_one_table_and_those_of_systems_in_the_first():
    limits = load_file()
    first, others = tables.limits_table(limits), tables.others_table(limits.devices)
    for device in limits.devices.values():
        assert (f"| {device.name} |" in others) == device.elsewhere
        assert (f"| {device.name} |" in first) != device.elsewhere
    had = {gpu.device for cluster in facts.load_all().values() for gpu in cluster.gpus.values() if gpu.device}
    assert had <= {key for key, device in limits.devices.items() if not device.elsewhere}, "of a system, from elsewhere"
