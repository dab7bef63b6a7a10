"""The page that chooses a GPU: every GPU and slice that can be asked for, in its class, with rates that are its own."""

import re

import pytest

from scripts.errors import BadInput
from scripts.measure.limits import load_limits
from scripts.tables.choose import CLASSES, choose
from tests.clusters import CLUSTERS

LIMITS = load_limits()
TEXT = choose(CLUSTERS)


def row(name: str, what: str) -> list[str]:
    line = next(line for line in TEXT.splitlines() if line.startswith(f"| [{name}]") and f": {what}<br>" in line)
    return line.strip("| ").split(" | ")


def test_each_gpu_of_each_running_system_stands_once_and_no_other():
    rows = [line for line in TEXT.splitlines() if line.startswith("| [")]
    wanted = [(c.name, g.request) for c in CLUSTERS.values() if c.running for g in c.gpus.values()]
    assert len(rows) == len(wanted)
    assert all(any(f"[{name}]" in line and f"`{request}`" in line for line in rows) for name, request in wanted)


def test_the_partition_of_each_row_has_the_gpu():
    named = 0
    for cluster in (each for each in CLUSTERS.values() if each.running):
        for key, gpu in cluster.gpus.items():
            what = f": {gpu.model}{' slice' if gpu.is_slice else ''}, {gpu.memory}"
            lines = [each for each in TEXT.splitlines() if each.startswith(f"| [{cluster.name}]") and what in each]
            (line,) = [each for each in lines if f"`{gpu.request}`" in each]
            if found := re.search(r"--partition=([\w-]+)", line):
                there = [each for name, each in cluster.partitions.items() if found[1] == (each.name or name)]
                nodes = [cluster.node_types[name] for each in there for name in each.node_types]
                own = key if any(key in node.gpus for node in cluster.node_types.values()) else gpu.slice_of
                assert any(own in node.gpus for node in nodes), f"{cluster.key}: {found[1]} has no {key}"
                parts = (p for p in cluster.partitions.values() if p.max_time)
                times = [p.max_time for p in parts if any(own in cluster.node_types[n].gpus for n in p.node_types)]
                assert line.split(" | ")[2].startswith(max(times, key=lambda time: time.minutes).words)
                named += 1
    assert named > 5


def test_each_stands_in_the_largest_class_that_it_fills():
    least, before = 0, (0.0, 0.0)
    for line in TEXT.splitlines():
        if head := re.match(r"## (Less than )?(\d+) GB", line):
            least = 0 if head[1] else int(head[2])
        elif line.startswith("| ["):
            gb = float(re.search(r", ([\d.]+) GB", line)[1])
            assert least == max(each for each in CLASSES if each <= gb), line
            rate = line.strip("| ").split(" | ")[3].replace(",", "")
            before, last = (gb, -float(rate) if rate != "unknown" else 0), before
            assert last <= before, "of one size the fastest is first"


def test_the_rates_are_those_of_the_device():
    assert row("Roihu", "NVIDIA GH200, 96 GB")[3:] == ["4,000", "66.9", "989.4"]
    assert row("Rivanna/Afton", "NVIDIA RTX 2080 Ti, 11 GB")[3:] == ["616", "13.45", "–"]


def test_a_slice_has_its_part_of_the_bandwidth_and_no_made_up_arithmetic():
    assert row("Fir", "NVIDIA H100 SXM5 slice, 10 GB")[3:] == [f"{3350 / 8:.4g}", "unknown", "unknown"]
    assert row("Rivanna/Afton", "NVIDIA RTX PRO 6000 Blackwell slice, 24 GB")[3:] == ["unknown"] * 3


def test_a_device_has_the_memory_and_the_capability_of_the_gpu_that_names_it():
    for cluster in CLUSTERS.values():
        for key, gpu in cluster.gpus.items():
            if gpu.device:
                device = LIMITS[gpu.device]
                assert (device.memory, device.compute_capability) == (gpu.memory, gpu.compute_capability), key
                assert not gpu.is_slice, f"{cluster.key}: {key} has that of its whole GPU"


def test_every_whole_gpu_of_a_running_system_names_its_device_but_one_of_unknown_form():
    without = {
        (cluster.key, key)
        for cluster in CLUSTERS.values()
        if cluster.running
        for key, gpu in cluster.gpus.items()
        if not gpu.is_slice and not gpu.device
    }
    assert without == {("rivanna", "v100")}


def test_a_device_that_is_none_is_told_with_the_file():
    aire = CLUSTERS["aire"]
    wrong = aire.gpus["l40s"].model_copy(update={"device": "l40s-48g"})
    with pytest.raises(BadInput, match=r"snippets/aire/cluster.yml.*gpus.l40s.device.*Did you mean `l40s-48gb`"):
        choose({"aire": aire.model_copy(update={"gpus": {"l40s": wrong}})})
