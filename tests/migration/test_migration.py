"""The way over: nothing of an old system without its place, old lines as in the old scripts, new lines that hold."""

import re

import pytest

from scripts.engine.ask import ask
from scripts.engine.directives import read
from scripts.facts import Cluster
from scripts.facts.model import Rule
from scripts.facts.places import paths
from scripts.facts.units import Walltime
from scripts.migration import jobs
from scripts.migration.all_lines import all_lines
from scripts.migration.line import Line, options, request, script
from scripts.migration.side_by_side import scripts, side_by_side
from scripts.tables import migration as tables
from tests.clusters import CLUSTERS

PAIRS = {
    key: (old, CLUSTERS[old.status.successor])
    for key, old in CLUSTERS.items()
    if old.status.successor in CLUSTERS and not old.running
}
each_pair = pytest.mark.parametrize(("old", "new"), PAIRS.values(), ids=PAIRS)


def lines(old: Cluster, new: Cluster, what: str) -> list[Line]:
    return [line for line in all_lines(old, new) if line.what == what]


def test_those_with_a_successor_in_the_guide_have_a_way_and_the_others_say_why():
    assert set(PAIRS) >= {"puhti", "mahti", "arc4", "beluga", "cedar", "graham"}
    assert "Gila *(unconfirmed)*, is not in this guide" in tables.lines(CLUSTERS["vermilion"], CLUSTERS)


@each_pair
def test_everything_has_its_place_or_is_said_to_be_lost(old, new):
    found = all_lines(old, new)
    said = {line.old for line in found if line.new or line.lost or "leave" in line.reason or "none" in line.reason}
    asked = "\n".join(line.old for line in found if line.what == "job")
    wanted = [path for path, _ in paths(old)]
    wanted += [f"module load {module}" for module in old.software.modules]
    wanted += [f"ssh <user>@{host.host}" for host in old.login]
    assert [each for each in wanted if each not in said] == []
    assert all(request(gpu, (gpu.counts or [1])[0]) in asked for gpu in old.gpus.values())
    names = [f"{old.scheduler.words.partition}{partition.name or key}\n" for key, partition in old.partitions.items()]
    assert old.policy.partition.rule is Rule.LEAVE_OUT or all(name in asked for name in names)
    gres = {name for node in old.node_types.values() for name in node.gres}
    disks = {line.old for line in found if line.what == "local disk"}
    assert all(any(f"{name}:" in disk for disk in disks) for name in gres)
    assert all(line.reason or line.new for line in found)


@each_pair
def test_what_is_lost_is_listed_below_the_tables_of_jobs_and_paths(old, new):
    listed = re.findall(r"(?m)^- (`.+?`): ", tables.lost(old, CLUSTERS))
    gone = [tables._code(line.old) for line in all_lines(old, new) if line.lost and line.what not in ("job", "path")]
    assert listed == gone
    assert tables._rows([Line("path", "/a", "/a", "", lost=True)])[0][1] == "`/a`", "less of it is a change"


@each_pair
def test_old_lines_are_those_of_the_old_script(old, new):
    said = {line.old for line in all_lines(old, new)}
    given = options(old)
    assert "account" not in given or given["account"].written in said
    loaded = [line for line in script(old, "one_gpu.sh") if line.startswith(("module load", "export PATH="))]
    assert set(loaded) <= said


@each_pair
def test_new_lines_are_those_of_the_new_system(old, new):
    requests = {each for gpu in new.gpus.values() for each in re.sub(r"\d+( |$)", " ", gpu.request).split()}
    named = {f"--partition={partition.name or key}" for key, partition in new.partitions.items()}
    for job in (line.new.splitlines() for line in lines(old, new, "job")):
        assert all(re.sub(r"\d+$", "", each) in requests for each in job if "gpu" in each and "partition" not in each)
        assert {each for each in job if each.startswith("--partition=")} <= named
    assert {line.new for line in lines(old, new, "login")} == {f"ssh <user>@{login.host}" for login in new.login}
    assert {line.new for line in lines(old, new, "path")} <= {path for path, _ in paths(new)} | {""}
    loaded = {f"module load {module}" for module in new.software.modules}
    renamed = {f"module load {each.new}" for each in new.software.renamed}
    assert {line.new for line in lines(old, new, "module")} <= loaded | renamed | {""}
    same = old.policy.account_forms == new.policy.account_forms
    assert all(("is unchanged" in line.reason) == same for line in lines(old, new, "account"))
    chips, there = ({f"-arch=sm_{number.replace('.', '')}" for gpu in each.gpus.values()
                     if (number := gpu.compute_capability)} for each in (old, new))  # fmt: skip
    assert {line.old for line in lines(old, new, "build")} == (chips - there if there else set())
    kinds = {node.architecture for node in new.node_types.values() if node.gpus}
    unlike = kinds - {node.architecture for node in old.node_types.values() if node.gpus}
    assert all(kind in line.reason for line in lines(old, new, "container") if line.old == line.new for kind in unlike)


@each_pair
def test_a_job_asks_for_the_share_of_all_its_gpus_and_for_all_the_time(old, new):
    for job in jobs._jobs(old):
        asked, share = jobs._options(old, job), job.gpu and job.gpu.fair_share
        slurm, longest = old.scheduler.kind == "slurm", old.partitions[job.partition].max_time
        if slurm and share and share.memory:
            assert f"--mem={int(share.memory.mib) * job.gpus // 1024}G" in asked
        hours = longest and f"-l h_rt={longest.minutes / 60:g}:00:00"
        assert not longest or (f"--time={longest}" if slurm else hours) in asked


@each_pair
def test_a_place_is_lost_where_it_is_gone_or_smaller(old, new):
    there, before = dict(paths(new)), dict(paths(old))
    for line in lines(old, new, "path"):
        was, now = before[line.old], there.get(line.new)
        smaller = now and was.size and now.size and now.size.mib < was.size.mib
        assert line.lost == bool(not now or smaller or was.kept.startswith("deleted")), f"{line.old}: {line.reason}"
        assert not smaller or f"previously {was.size}" in line.reason


def test_a_limit_that_changes_changes_its_lines():
    puhti, roihu = PAIRS["puhti"]
    medium = roihu.partitions["gpumedium"].model_copy(update={"max_time": Walltime("9-00:00:00")})
    longer = roihu.model_copy(update={"partitions": roihu.partitions | {"gpumedium": medium}})
    times = [
        [line.new for line in lines(puhti, new, "job") if "--partition=gpu\n" in line.old] for new in (roihu, longer)
    ]
    assert "--time=1-12:00:00" in times[0][0] and "--time=3-00:00:00" in times[1][0]


def test_the_largest_cpu_job_fills_the_larger_nodes():
    """Puhti's `hugemem` has nodes of 768 and of 1496 GiB."""
    asked = [line.old for line in lines(*PAIRS["puhti"], "job") if "--partition=hugemem\n" in line.old]
    assert re.findall(r"--mem=(\w+)", "".join(asked)) == ["1496G"]


@each_pair
def test_no_job_exceeds_its_old_partition(old, new):
    limits = {key: partition.max_nodes for key, partition in old.partitions.items()}
    assert all(job.nodes <= (limits[job.partition] or job.nodes) for job in jobs._jobs(old))


def test_what_no_partition_takes_is_lost():
    assert any("no partition that accepts a job with 80" in each for each in jobs.lost(*PAIRS["puhti"]))
    assert [line.new for line in lines(*PAIRS["puhti"], "job") if line.lost] == [""]


def test_every_option_of_grid_engine_has_a_line():
    arc4, aire = PAIRS["arc4"]
    text = "#!/bin/bash\n#$ -l h_rt=1:00:00\n#$ -hold_jid 123456\n./a\n"
    (moved,) = ask("move", (arc4, aire), [["arc4", "aire", text]])
    (waits,) = [line.new for line in lines(arc4, aire, "scheduler") if line.old == "-hold_jid 123456"]
    assert f"#SBATCH {waits}\n" in moved["script"], "the table says what the engine writes"
    said = {line.old for line in lines(arc4, aire, "scheduler")}
    given = {
        option.written for name in ("one_gpu.sh", "many_cpus.sh") for option in read(script(arc4, name), "grid_engine")
    }
    first = {" ".join(each.split("=")[0].split()[:2]) for each in said} | {each.split()[0] for each in said}
    ways = {line.old.split("=")[0] for line in all_lines(arc4, aire)}
    for option in given:
        assert option.split()[0] in first - {"-l"} or option.split("=")[0] in first | ways, option
    assert [name for name in arc4.policy.resources if f"-l {name}" not in first] == []
    assert not lines(*PAIRS["puhti"], "scheduler")


@each_pair
def test_the_scripts_stand_side_by_side_whole(old, new):
    assert scripts(old, new)[0] == "one_gpu.sh"
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
