"""Limits, records and refusals: a wrong benchmark cannot get onto a page. No speed is asserted anywhere."""

import json
import math
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
import yaml
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.benchmark import Measurement, TaskSpec
from torch.utils.flop_counter import FlopCounterMode

from scripts import facts
from scripts.errors import BadInput
from scripts.facts.units import Date, Memory
from scripts.measure import __main__ as tool
from scripts.measure import cases as catalogue
from scripts.measure import machine, plots
from scripts.measure import records as results
from scripts.measure import tables as result_tables
from scripts.measure.catalogue import RULES
from scripts.measure.claims import load_claims
from scripts.measure.limits import LIMITS, Work, device_named, load_file, load_limits
from scripts.paths import PROGRAMS
from tests.run import run
from tests.snippets.sandbox import STANDINS

KEY, DEVICES = "h100-sxm5-80gb", load_limits()
H100 = DEVICES[KEY]
PAIRS = 3_000_000_000
DRIVER_NAMES = yaml.safe_load(Path(__file__).with_name("driver_names.yml").read_text(encoding="utf-8"))


# The limits, and what follows from them.


def test_every_limit_is_dense():
    """The commonest mistake: a datasheet's figure with sparsity is twice the dense one."""
    for device in DEVICES.values():
        rates = device.tflops
        if "tf32" in rates and "bfloat16" in rates:
            assert rates["bfloat16"] == pytest.approx(2 * rates["tf32"], rel=0.02), device.name


def test_the_devices_of_the_running_clusters_have_limits():
    wanted = {
        gpu.compute_capability
        for cluster in facts.load_all().values()
        if cluster.running
        for gpu in cluster.gpus.values()
        if gpu.compute_capability and not gpu.is_slice
    }
    known = {device.compute_capability for device in DEVICES.values()}
    assert wanted - known == set(), f"limits.yml knows no GPU of {sorted(wanted - known)}"


@pytest.mark.parametrize("name, key", [(name, key) for key, names in DRIVER_NAMES.items() for name in names])
def test_devices_are_known_by_their_drivers_names(name, key):
    assert device_named(name, DEVICES) == (None if key == "none" else key)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("hbm_gb_per_s: 900", "hbm_gb_per_s: -1", "hbm_gb_per_s"),
        ("l2: 6 MB", "l3: 6 MB", "l3"),
        ("float64: 7.8", "float65: 7.8", "float65"),
        ("memory: 32 GB", "memory: 32", "memory"),
    ],
)
def test_a_fault_in_the_limits_is_told_with_its_line(tmp_path, old, new, said):
    path = tmp_path / "limits.yml"
    path.write_text(LIMITS.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadInput, match=rf"limits.yml:\d+: .*{said}"):
        load_limits(path)


def test_the_roofline_of_the_sources_own_rows():
    """Worked out by hand from 3.35 TB/s and 63 GB/s, for one pass of 3 x 10^9 pairs."""
    assert H100.shortest(catalogue.elementwise_product(PAIRS, moved=False)) == (pytest.approx(36e9 / 3.35e12), "memory")
    assert H100.shortest(catalogue.elementwise_product(PAIRS, moved=True, overlapped=False)) == (
        pytest.approx(36e9 / 63e9),
        "link",
    )
    assert H100.shortest(catalogue.elementwise_product(PAIRS, moved=True)) == (pytest.approx(24e9 / 63e9), "link")
    assert H100.shortest(catalogue.matrix_product(4096, "tf32")) == (
        pytest.approx(2 * 4096**3 / 494.7e12),
        "arithmetic",
    )


@pytest.mark.parametrize("device", DEVICES.values(), ids=lambda device: device.name)
def test_no_copy_is_faster_than_the_memory_that_it_passes(device):
    """With one memory for both, a copy between them reads and writes it, as one within it does."""
    within, there = (device.shortest(catalogue.copies(10**10, f"{way} to device"))[0] for way in ("device", "host"))
    assert there == pytest.approx(within) if device.one_memory else there > within


def test_the_ways_of_copying_are_the_programs():
    """Its names, its full size, and the bytes over the link that it prints."""
    text = (PROGRAMS / "multiply_copies.py").read_text(encoding="utf-8")
    assert f"default={catalogue.PAIRS_COPIED:_}," in text
    printed = dict(re.findall(r'"(copy_\w+)": \((\d)', text))
    found = catalogue.copies_of(10)
    assert found.keys() == printed.keys()
    for way, work in found.items():
        assert work.to_device_bytes + work.to_host_bytes == int(printed[way]) * 40


# Operations and bytes, against an independent count.


@pytest.mark.nightly
def test_operations_of_a_training_step():
    """PyTorch counts ResNet-152 on a device that computes nothing."""
    code = (
        "import torch; from torchvision.models import resnet152; from torch.utils.flop_counter import FlopCounterMode\n"
        "with torch.device('meta'): model, x = resnet152(num_classes=10), torch.randn(8, 3, 32, 32)\n"
        "with FlopCounterMode(display=False) as counter: model(x).sum().backward()\n"
        "print(counter.get_total_flops() / 8)\n"
        "from torch import nn\n"
        "print(sum(isinstance(part, (nn.Conv2d, nn.Linear)) for part in model.modules()))"
    )
    done = run(sys.executable, "-c", code, env={"PYTHONPATH": str(STANDINS)}, status=0)
    flop, layers = map(float, done.stdout.split())
    assert catalogue.RESNET152_FLOP == pytest.approx(flop, rel=0.01)
    # Forward, and the gradients of weights and input; the first layer's input has none.
    assert catalogue.RESNET152_PRODUCTS == 3 * layers - 1


class Products(TorchDispatchMode):
    """Counts matrix products and convolutions, backward ones by what they give."""

    number = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        if name == "convolution_backward":
            self.number += sum(args[-1][:2])  # the gradients of the input and of the weights
        self.number += name in ("convolution", "mm", "addmm")
        return function(*args, **(kwargs or {}))


def test_operations_and_products_of_the_small_cnn():
    """The network of small_cnn.py, written out again, counted by PyTorch;
    the first layer needs no gradient of its input.
    """
    nn = torch.nn
    with torch.device("meta"):
        model = nn.Sequential(
            nn.Conv2d(3, 6, 5),
            nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 5),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(400, 120),
            nn.Linear(120, 84),
            nn.Linear(84, 10),
        )
        pictures = torch.randn(8, 3, 32, 32)
    with FlopCounterMode(display=False) as counter, Products() as products:
        model(pictures).sum().backward()
    assert catalogue.CNN_FLOP == pytest.approx(counter.get_total_flops() / 8, rel=0.01)
    assert catalogue.CNN_PRODUCTS == products.number
    for program in catalogue.FED.values():
        assert f"default={catalogue.CNN_BATCH}," in (PROGRAMS / program).read_text(encoding="utf-8")


def test_bytes_of_each_way_of_feeding():
    pictures = torch.empty((catalogue.PICTURES, 3, 32, 32), dtype=torch.uint8, device="meta")
    size = {way: catalogue.fed(way, "float32").to_device_bytes for way in catalogue.FED}
    assert size == {
        "workers, pinned memory": 4 * pictures.nbytes,
        "bytes in memory": pictures.nbytes,
        "bytes on the device": 0,
        "nothing to feed": 0,
    }


def test_every_case_names_a_timer_of_its_program():
    for case in catalogue.cases(H100):
        text = (PROGRAMS / case.program).read_text(encoding="utf-8")
        label = re.sub(r"^\d+ of \d+$", "{systems} of {n}", case.label)
        assert f'"{label}"' in text, case


def test_operations_of_a_linear_system():
    """Gaussian elimination, counted operation by operation."""
    n, flop = 30, 0
    for step in range(n):
        rows = n - step - 1
        flop += rows + 2 * rows * rows  # the factors of a column, then the rest of the matrix
    flop += 2 * n * n  # two triangular solves
    assert catalogue.linear_systems(1, n).flop == pytest.approx(flop, rel=0.06)


def test_bytes_of_each_way_are_those_of_the_arrays():
    arrays = [torch.empty(1000) for _ in range(3)]
    size = sum(array.numel() * array.element_size() for array in arrays)
    resident, moved = catalogue.elementwise_product(1000, moved=False), catalogue.elementwise_product(1000, moved=True)
    assert resident.device_bytes == size and resident.to_device_bytes == resident.to_host_bytes == 0
    assert moved.to_device_bytes + moved.to_host_bytes == size and moved.device_bytes == 2 * size


@pytest.mark.parametrize("key", DEVICES)
def test_every_case_has_a_limit_and_fits_the_device(key):
    device = DEVICES[key]
    found = list(catalogue.cases(device))
    assert len({case.key for case in found}) == len(found) >= 18
    for case in found:
        assert device.shortest(case.work)[0] > 0, case
        if case.program == "multiply_arrays.py" and case.label == "resident on the device":
            assert case.work.device_bytes <= 0.9 * device.memory.mib * 2**20


# Refusals of what was measured just now; test_records.py spoils records.

RESIDENT = next(case for case in catalogue.cases(H100) if case.label == "resident on the device")
GOOD = [0.0120, 0.0121, 0.0119] * 3


def test_what_fits_the_cache_is_refused():
    """All other reasons: test_records.py."""
    small = replace(RESIDENT, work=Work(device_bytes=12_000))
    assert "fits into the device's cache" in results.refusal(small, GOOD, 0.0, H100)


def test_median_and_interquartile_range_are_those_of_pytorch():
    times = [0.011, 0.0123, 0.0121, 0.0131, 0.0117, 0.0119, 0.0125, 0.0112, 0.0140, 0.0118]
    whole = Measurement(1, times, TaskSpec("pass", ""))
    case = results.Measured.model_construct(samples_s=times)
    assert (case.median_s, case.iqr_s) == (pytest.approx(whole.median), pytest.approx(whole.iqr))


@pytest.mark.parametrize("place, times_over", [(1, None), (2, 2.39), (3, 65.4)])
def test_the_sources_own_rows(place, times_over):
    (claim,) = load_claims(DEVICES)
    row = claim.rows[place]
    case = replace(RESIDENT, work=claim.work(row))
    reason = results.refusal(case, [row.seconds / claim.passes] * 9, 0.0, H100)
    if times_over is None:
        assert reason is None
    else:
        median, least = map(float, re.findall(r"([\d.e-]+) s", reason))
        assert least / median == pytest.approx(times_over, rel=0.01)


RAISED = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    a()\nRuntimeError: '

# Records, from a run on this machine's CPU held against made-up limits; never kept.


@pytest.fixture(scope="module")
def slow_device():
    """A device so slow that this machine, whatever it is, stays below its limit; so only the path is tested."""
    return H100.model_copy(
        update={
            "name": "a made-up device",
            "matches": "made-up",
            "hbm_gb_per_s": 1e5,
            "link_gb_per_s": 1e5,
            "tflops": {"float32": 1e6},
            "l2": Memory("1 MB"),
        }
    )


def small_cases() -> list[catalogue.Case]:
    products = [catalogue.product(n, "float32", 1e-4) for n in (128, 64)]
    ways = [
        catalogue.Case("multiply_arrays.py", ("--pairs", "300000"), way, f"300000 pairs, {way}", work, 1e-6)
        for way, work in (
            ("copies from pinned memory", catalogue.elementwise_product(300_000, moved=True)),
            ("resident on the device", catalogue.elementwise_product(300_000, moved=False)),
        )
    ]
    return [*(replace(each, arguments=("--device", "cpu", *each.arguments[2:])) for each in products), *ways]


@pytest.fixture(scope="module")
def record(slow_device, tmp_path_factory):
    """A record of a device that does not exist, from real runs; the spread of this shared machine is not asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULES, "spread", 1e9)
        patch.setattr(machine, "driver", lambda: ("no driver", {}))
        folder = tmp_path_factory.mktemp("results")
        recorded, refused = tool.measure(small_cases()[1:], KEY, slow_device, "a made-up device", folder)
    assert (recorded, refused) == (3, [])
    return folder / f"{KEY}.json"


@pytest.fixture
def read(record) -> results.Record:
    return results.Record.model_validate_json(record.read_text(encoding="utf-8"))


@pytest.fixture
def as_ours(read) -> Callable[..., results.Record]:
    """as_ours(case, …): the record with these cases of the guide alone, each with the first of the times."""

    def of(*cases: catalogue.Case) -> results.Record:
        names = [{"program": case.program, "label": case.label, "size": case.size} for case in cases]
        return read.model_copy(update={"cases": [read.cases[0].model_copy(update=each) for each in names]})

    return of


def test_a_run_writes_a_record_that_reads_back(record, slow_device, monkeypatch):
    monkeypatch.setitem(RULES, "spread", 1e9)
    monkeypatch.setattr(results, "cases", lambda device: small_cases())
    read = results.load_records(record.parent, {KEY: slow_device})[KEY]
    assert {case.program for case in read.cases} == {"matmul.py", "multiply_arrays.py"}
    assert all(case.current and len(case.samples_s) >= 9 for case in read.cases)
    assert all(0 < case.fraction < 1 for case in read.cases)
    assert read.versions["torch"].startswith("2.") and len(read.commit.removesuffix("-dirty")) == 40


def test_an_earlier_record_that_is_none_is_told_before_anything_is_measured(tmp_path):
    path = tmp_path / f"{KEY}.json"
    path.write_text(f'{{"device": "{KEY}"}}', encoding="utf-8")
    with pytest.raises(BadInput, match="`driver` is missing"):
        tool.recorded_before(path, {})


def test_a_record_keeps_no_cases_of_other_versions(record, read, tmp_path):
    path = tmp_path / record.name
    for versions, kept in ((read.versions, 3), ({"torch": "1.0"}, 1)):
        shutil.copy(record, path)
        tool.write(read.model_copy(update={"versions": versions, "cases": read.cases[:1]}), tmp_path)
        assert len(results.Record.model_validate_json(path.read_text(encoding="utf-8")).cases) == kept


def test_an_interrupted_run_keeps_what_was_complete(slow_device, tmp_path, monkeypatch):
    def interrupted(program, arguments):
        if program == "multiply_arrays.py":
            raise KeyboardInterrupt
        return {"error": 0.0, "timings": [{"label": "product", "samples_s": [1.0] * 9}]}

    monkeypatch.setattr(tool, "run_program", interrupted)
    monkeypatch.setattr(machine, "driver", lambda: ("no driver", {}))
    with pytest.raises(KeyboardInterrupt):
        tool.measure(small_cases(), KEY, slow_device, "a made-up device", tmp_path)
    (written,) = tmp_path.iterdir()
    assert written.name == f"{KEY}.json" and len(json.loads(written.read_text(encoding="utf-8"))["cases"]) == 2


def test_the_reason_is_the_exceptions_first_line():
    for text, said in (
        ("a warning\nPyTorch cannot use a GPU here.\n", "PyTorch cannot use a GPU here"),
        (f"{RAISED}CUDA error: none\nCompile with `TORCH_USE_CUDA_DSA`.\n", "RuntimeError: CUDA error: none"),
        (f"{RAISED}Caught one.\nOriginal {RAISED}No room.\n[W1] a warning\n", "RuntimeError: No room"),
    ):
        assert tool.said_last(text) == said


@pytest.mark.nightly
def test_a_program_that_fails_is_named_with_what_it_said(slow_device, tmp_path):
    case = catalogue.product(8, "float32", 1e-4)
    recorded, refused = tool.measure([case], KEY, slow_device, "a made-up device", tmp_path)
    assert recorded == 0 and "PyTorch cannot use a GPU" in refused[0]


# What readers see.


def test_what_nobody_measured_takes_no_room_and_a_record_is_shown_beside_the_limit(as_ours):
    assert result_tables.measured_part(DEVICES, {}) == ""
    case = next(iter(catalogue.cases(H100)))
    read = as_ours(case)
    shown = result_tables.measured_part(DEVICES, {KEY: read})
    assert shown.startswith("## Measured results\n\n### NVIDIA H100 SXM5 {")
    assert "no driver" in shown and Date(read.date).words in shown and shown.count("matmul.py)") == 1
    assert f"| {result_tables.seconds(H100.shortest(case.work)[0])}, " in shown


def test_each_of_the_guides_programs_stands_in_a_table_of_limits():
    columns = result_tables.ARITHMETIC + result_tables.MOVING + result_tables.SMALL
    assert {program for program, _, _ in columns} == {case.program for case in catalogue.cases(H100)}
    text = result_tables.programs_table(DEVICES, columns)
    assert all(device.name in text for device in DEVICES.values())


def test_the_rate_of_other_code_and_the_start_of_a_kernel_are_told():
    text = result_tables.limits_table(load_file())
    assert "| 66.9 (33.5) |" in text and "| shared memory, no link |" in text
    assert "takes about 3 µs" in text and "tritonbench" in text
    told = result_tables.starts(load_file())
    assert "1,372 matrix multiplications" in told["train_cnn.py"] and "4.12 ms" in told["train_cnn.py"]
    assert "`torch.compile`" in told["train_cnn.py"]


def test_a_table_says_impossible_where_a_time_is():
    claim, every = load_claims(DEVICES)[0], load_file().devices
    row = next(row for row in claim.rows if claim.work(row))
    limit = DEVICES[claim.device].shortest(claim.work(row))[0] * claim.passes
    rows = [row.model_copy(update={"seconds": limit * part}) for part in (0.9, 1.1)]
    text = result_tables.claims_table(every, [claim.model_copy(update={"rows": rows})])
    assert re.findall(r"impossible|% of the limit", text) == ["impossible", "% of the limit"]


def test_a_program_changed_since_says_so(read):
    spread = read.cases[0].model_copy(update={"samples_s": [0.9, 1.0, 1.0, 1.0, 1.0, 1.2, 1.2]})
    assert result_tables._time(spread) == "1 s ± 5%", "half of the range that holds the middle half"
    assert result_tables._changed(read.cases[0]) == ""
    assert "has changed" in result_tables._changed(read.cases[0].model_copy(update={"sha256": "0" * 64}))


def test_a_plot_of_times_has_bars_as_long_as_their_powers_of_ten():
    (claim, *_) = load_claims(DEVICES)
    drawing = ElementTree.fromstring(plots.claims_plot(claim, DEVICES[claim.device]))
    told = [(row.seconds, claim.work(row)) for row in claim.rows if claim.work(row)]
    bars = drawing.findall("{http://www.w3.org/2000/svg}rect")[3:]  # the first three are the legend's
    widths = [float(bar.get("width")) for bar in bars[1::2]]
    (first, last), (wide, narrow) = (max(told)[0], min(told)[0]), (max(widths), min(widths))
    texts = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    decades = len([text for text in texts if re.fullmatch(r"1e[+-]\d+|0?\.?0*10*", text)]) - 1
    assert (wide - narrow) / plots.LENGTH == pytest.approx(math.log10(first / last) / decades, rel=0.01)
    red = [bar.get("fill") == plots.CLAIMED for bar in bars[1::2]]
    assert sum(red) == 2, "two of them are shorter than the hardware allows"


def test_a_plot_shows_measured_inside_limit(as_ours):
    case = next(iter(catalogue.cases(H100)))
    read = as_ours(case)
    text = plots.device_plot(H100, read)
    ElementTree.fromstring(text)
    assert case.size in text and read.date in text and "url(http" not in text


def test_amdahls_curves_end_where_the_law_says():
    drawing = ElementTree.fromstring(plots.amdahl_plot())
    curves = [line.get("points").split() for line in drawing.iter("{http://www.w3.org/2000/svg}polyline")]
    ends = [[float(place) for place in (points[0] + "," + points[-1]).split(",")] for points in curves]
    (left, bottom, right, top), *_ = ends  # nothing is serial: 64 times as fast on 64 processes
    reached = [2 ** (6 * (bottom - end) / (bottom - top)) for *_, end in ends]
    assert reached == pytest.approx([64, 39.26, 15.42, 8.767, 3.821], rel=0.01)
    assert all(end[:3] == [left, bottom, right] for end in ends)


def test_copying_there_and_back_takes_longer_than_staying():
    bars = ElementTree.fromstring(plots.ways_plot(DEVICES)).findall("{http://www.w3.org/2000/svg}rect")[2:]
    widths = [float(bar.get("width")) for bar in bars]
    assert len(widths) > 10 and all(copied > inside for copied, inside in zip(widths[::2], widths[1::2], strict=True))


def test_a_plot_of_memory_lays_the_parts_end_to_end():
    printed = "# run\nMB weights rest\nbatch 1 10.0 15.0\nbatch 2 10.0 30.0\n"
    bars = ElementTree.fromstring(plots.memory_plot(printed)).findall("{http://www.w3.org/2000/svg}rect")[2:]
    spans = [(float(bar.get("x")) - plots.LEFT, float(bar.get("width"))) for bar in bars]
    quarter = plots.LENGTH / 4
    expected = (0, quarter, quarter, 1.5 * quarter, 0, quarter, quarter, 3 * quarter)
    assert [number for span in spans for number in span] == pytest.approx(expected, abs=0.1)


def test_a_chips_units_and_clock_give_the_printed_rate():
    """Two sources in one: the numbers of units, and the rate. Within rounding, float32 is units, clock, and two."""
    chips = {device.name: device for device in DEVICES.values() if device.chip}
    assert len(chips) >= 7
    for device in chips.values():
        rate = device.chip.operations * device.chip.mhz * 1e6 / 1e12
        assert rate == pytest.approx(device.tflops["float32"], rel=0.005), device.name
