"""Limits in a reader's own case: the data that the page works them out from, and the table of a few sizes."""

from scripts.measure.limits import load_file
from scripts.tables import limits as own_case
from tests.clusters import CLUSTERS

LIMITS = load_file()
ROWS = list(own_case.found(CLUSTERS))


def test_the_page_gets_little():
    assert len(own_case.as_js(CLUSTERS)) < 10_000


def test_other_code_is_no_faster_than_matrix_units():
    for device in LIMITS.devices.values():
        assert all(rate < device.tflops[name] for name, rate in device.ordinary_tflops.items()), device.name


def test_two_sockets_have_twice_the_rates_of_one():
    for host in LIMITS.hosts.values():
        one, two = host.rates(1, 8), host.rates(2, 16)
        assert two.memory_gb_per_s == 2 * one.memory_gb_per_s and two.tflops["float64"] == 2 * one.tflops["float64"]


def test_every_running_gpu_of_known_form_has_a_row_and_what_is_not_known_is_said():
    table = own_case.few_sizes(CLUSTERS)
    for row in ROWS:
        assert f"{row.cluster.name}]" in table and LIMITS.devices[row.device].name in table
    *_, said = table.strip().splitlines()
    unknown = {row.cluster.name for row in ROWS if not row.rates(LIMITS)}
    assert unknown and all(name in said for name in unknown)


def test_every_processor_of_the_file_is_beside_some_gpu():
    assert LIMITS.hosts.keys() == {row.node_type.cpu for row in ROWS} & LIMITS.hosts.keys()
