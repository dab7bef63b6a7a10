"""Limits in a reader's own case: the page's script and Python reckon the same, as one would by hand."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from scripts import facts
from scripts.measure import cases, own
from scripts.measure.limits import Work, load_file
from scripts.measure.tables import seconds
from scripts.paths import DOCS, ROOT
from scripts.tables import limits as own_case

LIMITS = load_file()
H100 = LIMITS.devices["h100-sxm5-80gb"]
CLUSTERS = facts.load_all()
ROWS = list(own_case.found(CLUSTERS))
NODE = ROOT / ".venv" / "bin" / "node"


def asked(number: int) -> list[dict]:
    """Operations of all sizes, from what fits a cache to what fits no GPU; the page's own are among them."""
    chance = random.Random(20261121)
    found = [
        {"operation": name, "precision": precision, "given": given}
        for name, given in own_case.SIZES.items()
        for precision in cases.BYTES
    ]
    for _ in range(number):
        name = chance.choice(list(own_case.SIZES))
        given = {size: value * 10 ** chance.uniform(-5, 2) for size, value in own_case.SIZES[name].items()}
        found.append({"operation": name, "precision": chance.choice(list(cases.BYTES)), "given": given})
    return found


@pytest.fixture(scope="module")
def page(made) -> tuple[list[dict], dict]:
    """The cases, and what the page's script makes of them."""
    questions = asked(400)
    command = [NODE, Path(__file__).with_name("limits.mjs"), own_case.JS, DOCS / "assets" / "limits.js"]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, encoding="utf-8", check=True)
    return questions, json.loads(done.stdout)


def same(theirs, ours) -> bool:
    if theirs is None or ours is None:
        return theirs is ours
    return theirs[0] == pytest.approx(ours[0], rel=1e-9) and theirs[1] == ours[1]


def test_the_page_reckons_as_python_does(page):
    keys = dict.fromkeys(row.device for row in ROWS)
    bound = set()
    for case, found in zip(*(page[0], page[1]["found"]), strict=True):
        operation = own.OPERATIONS[case["operation"]](cases.BYTES[case["precision"]], **case["given"])
        assert found["kept"] == pytest.approx(operation.kept)
        for key, theirs in zip(keys, found["devices"], strict=True):
            ours = [
                own.on_device(LIMITS.devices[key], operation, case["precision"], linked) for linked in (False, True)
            ]
            assert all(map(same, theirs, ours)), (key, case, theirs, ours)
            bound |= {time[1] for time in ours if time}
        for row, theirs in zip(ROWS, found["hosts"], strict=True):
            rates = row.rates(LIMITS)
            ours = own.on_host(rates, case["operation"], case["precision"], case["given"]) if rates else None
            assert same(theirs, ours), (row, case, theirs, ours)
    assert bound == {"arithmetic", "memory", "link"}, "the cases try everything that can bind"


def test_the_page_says_a_time_as_the_tables_do(page):
    times = [3e-10, 9.996e-7, 1e-6, 0.0003234, 0.00099951, 0.5714285, 59.96, 1234.5, 7.6e6]
    assert page[1]["told"] == [seconds(time) for time in times]
    assert seconds(1234.5) == "1230 s" and seconds(0.5714285) == "571 ms"


def test_the_pages_limits_are_those_of_the_file():
    assert own_case.JS.read_text(encoding="utf-8") == own_case.as_js(CLUSTERS)
    assert len(own_case.JS.read_bytes()) < 10_000


def test_an_operation_is_that_of_the_guides_own_cases():
    product = own.product(4, 8192, 8192, 8192)
    theirs = cases.matrix_product(8192, "float32")
    assert (product.flop, product.memory) == (theirs.flop, theirs.device_bytes)
    pairs = own.elementwise(4, 1e9, 2, 1, 1)
    moved = cases.elementwise_product(10**9, moved=True)
    assert (pairs.flop, pairs.to_device, pairs.to_host) == (moved.flop, moved.to_device_bytes, moved.to_host_bytes)
    step = own.training(4, **own_case.SIZES["training"])
    assert step.flop == pytest.approx(cases.training_step(1024).flop, rel=1e-3)


def test_worked_out_by_hand():
    """H100: 66.9 and 33.5 TFLOP/s in float64, 3.35 TB/s, 63 GB/s. Two EPYC 7742: 128 cores, 3.4 GHz, 16 a clock."""
    large = own.product(8, 16384, 16384, 16384)
    assert own.on_device(H100, large, "float64", False) == (pytest.approx(2 * 16384**3 / 66.9e12), "arithmetic")
    hard = own.elementwise(8, 1e9, 1, 1, 1000)
    assert own.on_device(H100, hard, "float64", False) == (pytest.approx(1e12 / 33.5e12), "arithmetic")
    pairs = own.elementwise(4, 1e9, 2, 1, 1)
    assert own.on_device(H100, pairs, "float32", True) == (pytest.approx(8e9 / 63e9), "link")
    rates = LIMITS.hosts["AMD EPYC 7742"].rates(2, 128)
    assert rates.shortest(Work(flop=1e12, precision="float64")) == (
        pytest.approx(1e12 / (128 * 3.4e9 * 16)),
        "arithmetic",
    )
    assert rates.shortest(Work(device_bytes=12e9)) == (pytest.approx(12e9 / 409.6e9), "memory")
    assert rates.shortest(Work(device_bytes=4e8, flop=1))[1] == "arithmetic", "what fits the cache need not come"


def test_fewer_bits_are_float32_on_a_cpu():
    rates, given = (
        LIMITS.hosts["AMD EPYC 9454"].rates(1, 48),
        {"numbers": 1e9, "read": 2, "written": 1, "operations": 1},
    )
    assert own.on_host(rates, "elementwise", "float16", given) == own.on_host(rates, "elementwise", "float32", given)


def test_no_precision_and_one_memory():
    small = own.product(4, 64, 64, 64)
    assert own.on_device(LIMITS.devices["v100-sxm2-32gb"], small, "tf32", False) is None
    pairs = own.elementwise(4, 1e9, 2, 1, 1)
    apu = LIMITS.devices["mi300a"]
    assert own.on_device(apu, pairs, "float32", True) == own.on_device(apu, pairs, "float32", False)


def test_a_host_is_below_the_ceiling_that_no_processor_reaches():
    """scripts/measure/host.py refuses what is faster than any processor; those of the file must not be."""
    from scripts.measure.host import BYTES_PER_SECOND, CLOCK_HZ, OPERATIONS_PER_CLOCK

    for name, host in LIMITS.hosts.items():
        assert host.ghz * 1e9 <= CLOCK_HZ and host.flop_per_clock <= OPERATIONS_PER_CLOCK["float64"], name
        assert host.memory_gb_per_s * 1e9 <= host.cores * BYTES_PER_SECOND, name


def test_other_code_is_no_faster_than_matrix_units():
    for device in LIMITS.devices.values():
        assert all(rate < device.tflops[name] for name, rate in device.ordinary_tflops.items()), device.name


def test_every_running_gpu_of_known_form_has_a_row_and_what_is_not_known_is_said():
    table = own_case.few_sizes(CLUSTERS)
    for row in ROWS:
        assert f"{row.cluster.name}]" in table and LIMITS.devices[row.device].name in table
    *_, said = table.strip().splitlines()
    unknown = {row.cluster.name for row in ROWS if not row.rates(LIMITS)}
    assert unknown and all(name in said for name in unknown)
    assert {row.node_type.cpu for row in ROWS if row.rates(LIMITS)} <= LIMITS.hosts.keys()


def test_every_processor_of_the_file_is_beside_some_gpu():
    assert LIMITS.hosts.keys() == {row.node_type.cpu for row in ROWS} & LIMITS.hosts.keys()


def test_the_time_that_starting_a_kernel_takes_stands_where_it_is_longer():
    assert own_case.told((1e-7, "memory"), LIMITS.start.seconds) == "3 µs (start)"
    assert own_case.told((4e-6, "memory"), LIMITS.start.seconds) == "4 µs (memory)"
    assert own_case.told(None) == "–"
