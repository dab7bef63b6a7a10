"""The way over: nothing of an old system without its place, old lines as in the old scripts, new lines that hold."""

import json
import math
import re

import pytest

from scripts.engine.directives import read
from scripts.facts import Cluster, load_all
from scripts.facts.units import Memory, Walltime
from scripts.migration import Line, way_over
from scripts.migration.gpus import needed, successor
from scripts.migration.line import options, script
from scripts.migration.places import paths
from scripts.migration.side_by_side import scripts, side_by_side
from scripts.tables import migration as tables

CLUSTERS = load_all()
PAIRS = {
    key: (old, CLUSTERS[old.status.successor])
    for key, old in CLUSTERS.items()
    if old.status.successor in CLUSTERS and not old.running
}
each_pair = pytest.mark.parametrize(("old", "new"), PAIRS.values(), ids=PAIRS)


def lines(old: Cluster, new: Cluster, what: str) -> list[Line]:
    return [line for line in way_over(old, new) if line.what == what]


def test_those_with_a_successor_in_the_guide_have_a_way_and_the_others_say_why():
    assert set(PAIRS) >= {"puhti", "mahti", "arc4", "beluga", "cedar", "graham"}
    assert [each["old"] for each in json.loads(tables.as_json(CLUSTERS))] == sorted(PAIRS)
    assert "Gila *(unconfirmed)* is not in this guide" in tables.lines(CLUSTERS["vermilion"], CLUSTERS)


@each_pair
def test_everything_has_its_place_or_is_said_to_be_lost(old, new):
    found = way_over(old, new)
    said = {line.old for line in found if line.new or line.lost or "leave" in line.reason or "none" in line.reason}
    wanted = [re.sub(r"\d+$", str((gpu.counts or [1])[0]), gpu.request) for gpu in old.gpus.values()]
    prefix = "-q " if old.scheduler.kind == "grid_engine" else "--partition="
    wanted += [f"{prefix}{partition.name or key}" for key, partition in old.partitions.items()]
    wanted += [path for path, _ in paths(old)]
    wanted += [f"module load {module}" for module in old.software.modules]
    wanted += [f"ssh <user>@{host.host}" for host in old.login]
    wanted += [f"-l node_type={name}" for node in old.node_types.values() for name in node.features] * (prefix == "-q ")
    assert [each for each in wanted if each not in said] == []
    gres = {name for node in old.node_types.values() for name in node.gres}
    disks = {line.old for line in found if line.what == "local disk"}
    assert all(any(f"{name}:" in disk for disk in disks) for name in gres)
    assert all(line.reason or line.new for line in found)


@each_pair
def test_old_lines_are_those_of_the_old_script(old, new):
    said = {line.old for line in way_over(old, new)}
    given = options(old)
    names = (
        "account",
        "cpus-per-task",
        "mem",
        "gres",
        "gpus-per-node",
        "partition",
        *(g.gres for g in old.gpus.values()),
    )
    assert [given[name].written for name in names if name in given and given[name].written not in said] == []
    loaded = [line for line in script(old, "one_gpu.sh") if line.startswith(("module load", "export PATH="))]
    assert set(loaded) <= said


@each_pair
def test_new_lines_are_those_of_the_new_system(old, new):
    requests = {re.sub(r"\d+$", "", gpu.request) for gpu in new.gpus.values()}
    assert all(re.sub(r"\d+$", "", line.new) in requests for line in lines(old, new, "GPU") if line.new)
    named = {f"--partition={partition.name or key}" for key, partition in new.partitions.items()}
    assert {line.new for line in lines(old, new, "partition")} <= named | {""}
    longest = max(partition.max_time.minutes for partition in new.partitions.values() if partition.max_time)
    times = [Walltime(line.new.removeprefix("--time=")) for line in lines(old, new, "time")]
    assert times and all(time.minutes <= longest for time in times)
    assert {line.new for line in lines(old, new, "path")} <= {path for path, _ in paths(new)} | {""}
    loaded = {f"module load {module}" for module in new.software.modules}
    renamed = {f"module load {each.new}" for each in new.software.renamed}
    assert {line.new for line in lines(old, new, "module")} <= loaded | renamed | {""}


@each_pair
def test_as_many_gpus_as_have_the_same_memory_and_no_more(old, new):
    for key, gpu in old.gpus.items():
        for number in (1, 2, 4, 8):
            other = new.gpus[successor(old, new, key, number)]
            count = needed(gpu, number, other)
            assert count * other.memory.mib >= number * gpu.memory.mib
            assert count == 1 or other.counts or (count - 1) * other.memory.mib < number * gpu.memory.mib
            assert number == 1 or not other.is_slice


def test_the_gpu_that_jobs_may_hold_longest_then_the_smallest_that_holds_as_much():
    puhti, roihu, cedar, fir = (CLUSTERS[key] for key in ("puhti", "roihu", "cedar", "fir"))
    assert roihu.gpus["l40"].memory.mib > puhti.gpus["v100"].memory.mib
    assert successor(puhti, roihu, "v100") == "gh200"
    assert successor(cedar, fir, "p100").endswith("2g.20gb") and successor(cedar, fir, "v100l").endswith("3g.40gb")
    assert successor(cedar, fir, "p100", 4) == "h100"
    assert successor(CLUSTERS["graham"], CLUSTERS["nibi"], "t4") != "mi300a"


def test_another_maker_is_no_place():
    nibi = CLUSTERS["nibi"]
    amd = nibi.model_copy(update={"gpus": {"mi300a": nibi.gpus["mi300a"]}})
    gone = lines(CLUSTERS["graham"], amd, "GPU")
    assert gone and all(line.lost and not line.new for line in gone if "t4" in line.old or "v100" in line.old)


def test_longer_than_the_longest_is_a_chain():
    for key, (old, new) in PAIRS.items():
        for line in lines(old, new, "time"):
            before, after = (re.findall(r"(\d+) (day|hour)", line.reason)[n] for n in (1, 0)) if line.lost else (0, 0)
            if line.lost:
                hours = [int(n) * {"day": 24, "hour": 1}[unit] for n, unit in (before, after)]
                assert f"a chain of {math.ceil(hours[0] / hours[1])} jobs" in line.reason, key
    assert [line.lost for line in lines(*PAIRS["cedar"], "time")] == [True, True]
    assert [line.lost for line in lines(*PAIRS["beluga"], "time")] == [False, False]


def test_a_partition_goes_by_kind_size_and_time():
    def of(key: str, name: str) -> list[str]:
        return [line.new for line in lines(*PAIRS[key], "partition") if line.old == f"--partition={name}"]

    assert of("puhti", "gpu") == ["--partition=gpumedium", "--partition=gpularge"]
    assert of("mahti", "gpusmall") == ["--partition=gpumedium"]
    assert of("puhti", "large") == ["--partition=small", "--partition=medium"]  # Roihu's `large` begins above it
    assert of("cedar", "gpubase_bygpu_b6") == [""]
    assert [line.lost for line in lines(*PAIRS["mahti"], "partition") if line.old == "--partition=gc"] == [True]


def test_a_limit_that_changes_changes_its_lines():
    puhti, roihu = PAIRS["puhti"]
    medium = roihu.partitions["gpumedium"].model_copy(update={"max_time": Walltime("9-00:00:00")})
    longer = roihu.model_copy(update={"partitions": roihu.partitions | {"gpumedium": medium}})
    assert lines(puhti, longer, "time")[0] == Line(
        "time", "--time=3-00:00:00", "--time=9-00:00:00", "GPU jobs: up to 9 days; it was 3 days."
    )
    small = roihu.gpus["gh200"].model_copy(update={"memory": Memory("20 GB")})
    split = roihu.model_copy(update={"gpus": roihu.gpus | {"gh200": small}})
    assert lines(puhti, split, "GPU")[0].new == "--gres=gpu:gh200:2"


def test_memory_is_left_out_where_the_gpu_brings_it():
    assert {line.new for line in lines(*PAIRS["puhti"], "memory")} == {""}
    assert "--mem=124G" in {line.new for line in lines(*PAIRS["graham"], "memory")}


def test_every_option_of_grid_engine_has_a_line():
    arc4, aire = PAIRS["arc4"]
    said = {line.old for line in lines(arc4, aire, "scheduler")}
    given = {
        option.written for name in ("one_gpu.sh", "many_cpus.sh") for option in read(script(arc4, name), "grid_engine")
    }
    first = {" ".join(each.split("=")[0].split()[:2]) for each in said} | {each.split()[0] for each in said}
    ways = {line.old.split("=")[0] for line in way_over(arc4, aire)}
    for option in given:
        assert option.split()[0] in first - {"-l"} or option.split("=")[0] in first | ways, option
    assert [name for name in arc4.policy.resources if f"-l {name}" not in first] == []
    assert not lines(*PAIRS["puhti"], "scheduler")


@each_pair
def test_the_scripts_stand_side_by_side_whole(old, new):
    assert "one_gpu.sh" in scripts(old, new)
    for name in scripts(old, new):
        pairs = side_by_side(old, new, name)
        for cluster, side in ((old, 0), (new, 1)):
            text = [line for line in script(cluster, name) if line]
            kept = [pair[side] for pair in pairs if pair[side]]
            assert [line for line in text if not line.startswith("#") or line[1] == "!"] == [
                line for line in kept if not line.startswith("#") or line[1] == "!"
            ]
            assert len([line for line in text if line.startswith(("#SBATCH", "#$"))]) == len(
                [line for line in kept if line.startswith(("#SBATCH", "#$"))]
            )
