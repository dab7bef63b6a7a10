"""What a listing says of a finished job, and what the next job asks for: of public listings, and of real jobs."""

import bisect
import itertools
import re

import pytest
import yaml

from scripts.check.report import LEVELS
from scripts.engine.ask import ask
from scripts.engine.data.guide_scripts import directives, lines_of
from scripts.engine.data.messages import listings
from scripts.paths import ROOT
from scripts.twin import twin_of
from scripts.twin.daemon import AS_TEXT
from tests.clusters import CLUSTERS
from tests.run import run
from tests.tiers import by_day
from tests.twin import kept

CASES = yaml.safe_load((ROOT / "tests/engine/after.yml").read_text(encoding="utf-8"))
SCRIPT = """#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=small
#SBATCH -t 2-00:00:00
#SBATCH --ntasks=1 --cpus-per-task=16
#SBATCH --mem-per-cpu=4G   # of each core
python3 fit.py
"""
TIMEOUT = "JobID|State|Elapsed\n7|TIMEOUT|2-00:00:01\n"
DONE = """JobID|State|Elapsed|ReqMem|MaxRSS|NTasks|AllocCPUS|TotalCPU
7|COMPLETED|10:00:00|64G|||16|1-16:00:00
7.batch|COMPLETED|10:00:00||10G|1|16|1-16:00:00
"""


def after(text: str, script: str = "", key: str = "puhti") -> dict | None:
    (found,) = ask("after", [CLUSTERS[key]], [[key, text, script]])
    return found


def changes(told: dict) -> dict[str, str]:
    return {each["option"]: each["value"] for each in told["changes"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["listing"].strip().split("\n")[:2][-1].strip()[:40])
def test_a_listing_is_read_and_the_next_request_is_proposed(case):
    told = after(case["listing"])
    assert changes(told) == case.get("changes", {})
    assert told["title"] == case.get("title", told["title"]) and told["key"] == case.get("key", told["key"])
    assert told["means"].startswith(case.get("means", "")) and case.get("notes", "") in " ".join(told["notes"])
    assert case.get("why", "") in " ".join(each["why"] for each in told["changes"])
    rows = {row["name"]: [row["used"], row["asked"], row["share"]] for row in told["rows"]}
    wanted = case.get("rows", {})
    assert {name: rows[name][: len(row)] for name, row in wanted.items()} == wanted
    assert all((ROOT / "docs" / href.partition(".html")[0]).with_suffix(".md").is_file() for _, href in told["links"])
    (messages,) = ask("explain", [CLUSTERS["puhti"]], [["puhti", told["rest"]]])
    assert [each["key"] for each in messages] == case.get("messages", []) or told["title"] == "The job failed."


def test_the_listings_of_our_pages_are_read():
    told = {name: after(text) for name, text in listings().items()}
    assert changes(told["seff"]) == {"mem": "15G"} and "2 nodes" in told["seff"]["changes"][0]["why"]
    assert changes(told["jobstats"]) == {"time": "23:30:00", "mem": "19G"}
    assert "keep the cores" in told["jobstats"]["notes"][0], "the GPU was busy"
    assert changes(told["sacct"]) == {} and "Multiply 142 MiB" in told["sacct"]["notes"][0]
    with_tasks = after(listings()["sacct"], "#!/bin/bash\n#SBATCH --ntasks=40 --mem-per-cpu=200M\nsrun ./a\n")
    assert with_tasks["rows"][1]["used"] == "5.55 GiB" and changes(with_tasks) == {}, "71% of what it asked for"
    gpu = (ROOT / "snippets/listings/seff-gpu.txt").read_text(encoding="utf-8")
    assert after(listings()["seff"] + gpu)["rows"][-1]["share"] == "92%"


def test_what_is_no_listing_is_left_to_the_messages():
    for text in ("", "nothing", "CUDA out of memory", "JobID is missing\n1|2"):
        assert after(text) is None, text
    assert after(DONE, key="arc4") is None, "Grid Engine has neither"


def test_the_next_script_has_the_changed_lines_and_is_judged():
    told = after(DONE, SCRIPT)
    assert changes(told) == {"time": "12:30:00", "cpus-per-task": "5", "mem-per-cpu": "3G"}
    assert told["next"]["verdict"] == "accepted"
    was, now = SCRIPT.splitlines(), told["next"]["script"].splitlines()
    assert now[3:6] == ["#SBATCH -t 12:30:00", "#SBATCH --ntasks=1 --cpus-per-task=5", was[5].replace("4G", "3G")]
    assert now[:3] + now[6:] == was[:3] + was[6:]
    pending = after("JobState=PENDING Reason=AssocGrpGRES TRES=cpu=4,gres/gpu=8", SCRIPT)
    assert (pending["rows"], pending["next"]) == ([], None) and "`AssocGrpGRES`" in pending["means"]


def test_more_time_ends_at_the_partitions_limit():
    told = after(TIMEOUT, SCRIPT)
    assert changes(told) == {"time": "3-00:00:00"} and "-t 3-00:00:00" in told["next"]["script"]
    told = after(TIMEOUT, SCRIPT.replace("2-00", "3-00"))
    assert changes(told) == {} and "The longest time in `small`" in told["notes"][0]


def test_what_no_partition_has_is_adapted_or_told():
    much = SCRIPT.replace("--mem-per-cpu=4G", "--mem=250G")
    told = after("slurmstepd: error: Detected 1 oom_kill event in StepId=1.batch.", much)
    assert changes(told) == {"mem": "373G"}
    assert "--mem=373G" in told["next"]["script"] and told["next"]["verdict"] == "accepted"
    assert "use the partition `hugemem" in told["next"]["adapted"][0]
    told = after("slurmstepd: error: Detected 1 oom_kill event in StepId=1.batch.", SCRIPT.replace("=4G", "=15G"))
    assert "--mem-per-cpu=23G" in told["next"]["script"] and told["next"]["verdict"] == "accepted"


@pytest.mark.parametrize(
    "key", [key for key, each in CLUSTERS.items() if each.running and each.scheduler.kind == "slurm"]
)
def test_who_needs_more_memory_than_a_node_has_gets_all_of_it(key):
    cluster = CLUSTERS[key]
    script = with_option((ROOT / f"snippets/{key}/many_cpus.sh").read_text(encoding="utf-8"), "mem", "{}G")

    def refused(size: int) -> bool:
        return ask("decide", [cluster], [[key, script.format(size)]])[0]["verdict"] == "refused"

    most = bisect.bisect_left(range(10**4), True, key=refused) - 1
    told = after("JobID|State\n7|OUT_OF_MEMORY\n", script.format(most * 3 // 5), key)
    ignored = "ignores `--mem`" in " ".join(told["notes"])
    assert changes(told) == ({} if ignored else {"mem": f"{most}G"})
    told = after("JobID|State\n7|OUT_OF_MEMORY\n", script.format(most), key)
    assert changes(told) == {} and "Start fewer processes" in " ".join(told["notes"])


@pytest.mark.parametrize("memory", ["--mem=8G", "--mem-per-cpu=2G", "--gpus-per-node=v100:2 --mem-per-gpu=4G"])
def test_a_script_asks_for_the_memory_of_all_its_nodes(memory):
    script = f"#!/bin/bash\n#SBATCH --nodes=2 --ntasks=2 --cpus-per-task=4 {memory}\n./a\n"
    assert after("JobID|State|Elapsed\n7|COMPLETED|00:10:00\n", script)["rows"][1]["asked"] == "16 GiB"


@pytest.mark.parametrize(
    "busy, script", [("92", SCRIPT), ("3", SCRIPT.replace("small", "gpu").replace("-t", "--gres=gpu:v100:1 -t"))]
)
def test_a_gpus_cores_stay(busy, script):
    load = f"GPU load\n  Hostname  GPU Id  Mean (%)  stdDev (%)  Max (%)\n  r01g07  0  {busy}  19.48  100\n"
    seff = "State: COMPLETED (exit code 0)\nCores: 16\nCPU Efficiency: 6.00% of 16:00:00 core-walltime\n"
    told = after(f"{seff}Job Wall-clock time: 01:00:00\n{load}", script)
    assert "cpus-per-task" not in changes(told)


def test_several_jobs_of_a_table_are_told_by_the_worst():
    told = after("JobID|State|Elapsed|Timelimit\n1_1|COMPLETED|01:00:00|02:00:00\n1_2|TIMEOUT|02:00:03|02:00:00\n")
    assert "2 jobs" in told["notes"][0] and "1_2" in told["notes"][0] and changes(told) == {"time": "04:00:00"}


@pytest.mark.parametrize(
    "key, row, changed, note",
    [
        # the system chooses the partition by the time, so only the last one's limit counts
        ("narval", "gpubase_bygpu_b1|TIMEOUT|03:00:25|03:00:00||", {"time": "06:00:00"}, ""),
        ("narval", "cpubase_bycore_b5|TIMEOUT|7-00:00:25|7-00:00:00||", {}, "longest time in `cpubase_bycore_b5`"),
        ("swift", "standard|TIMEOUT|2-00:00:12|2-00:00:00||", {}, "`long` allows 10-00:00:00."),
        ("swift", "standard|TIMEOUT|2-00:00:12|||", {}, "`long` allows 10-00:00:00."),
        ("puhti", "|TIMEOUT|2-00:00:12|||", {}, "Request more time"),
        ("rivanna", "interactive|TIMEOUT|12:00:10|12:00:00||2", {}, "`standard` allows"),
        ("kestrel", "debug|TIMEOUT|04:00:10|04:00:00||2", {}, "`standard` allows"),
        ("kestrel", "hbw|TIMEOUT|2-00:00:10|2-00:00:00||104", {"time": "4-00:00:00"}, ""),
        ("lumi", "dev-g|TIMEOUT|02:00:10|02:00:00||56", {}, "`small-g` allows"),
        ("roihu", "gputest|TIMEOUT|00:15:10|00:15:00||72", {}, "`gpumedium` allows"),
        ("trillium", "compute|COMPLETED|00:05:00|01:00:00||192", {"time": "00:15:00"}, ""),
        # the scheduler decides where a job of this size may run for longer
        ("mahti", "gputest|TIMEOUT|00:15:10|00:15:00||", {}, "`gpusmall` allows"),
        # no node has more
        ("lumi", "standard|OUT_OF_MEMORY|01:00:00||224G|256", {}, "`small` has nodes with 992 GiB"),
        ("lumi", "standard|OUT_OF_MEMORY|01:00:00||150G|256", {"mem": "224G"}, ""),
        ("trillium", "compute|OUT_OF_MEMORY|01:00:00||750G|192", {}, "ignores `--mem`"),
    ],
)
def test_no_more_is_proposed_than_a_system_has(key, row, changed, note):
    told = after(f"JobID|Partition|State|Elapsed|Timelimit|ReqMem|AllocCPUS|NNodes\n7|{row}|1\n", key=key)
    assert changes(told) == changed and note in " ".join(told["notes"])


def test_a_longer_partition_takes_a_job_of_this_size():
    row = "JobID|Partition|State|Elapsed|Timelimit|NNodes|ReqTRES\n7|{}|TIMEOUT|{}|{}|{}|gres/gpu={}\n"
    for key, name, time, nodes, gpus, there in [
        ("kestrel", "debug-gpu", "04:00:00", 4, 8, "`gpu-h100` allows"),
        ("kestrel", "debug", "04:00:00", 1, 1, "`gpu-h100` allows"),
        ("lumi", "dev-g", "02:00:00", 2, 16, "`small-g` allows"),
        ("trillium", "debug", "02:00:00", 1, 4, "`compute` allows"),
        ("trillium", "debug", "02:00:00", 1, 2, ""),  # jobs there have one GPU or all four
    ]:
        notes = " ".join(after(row.format(name, time, time, nodes, gpus), key=key)["notes"])
        assert there in notes and (there or "allows" not in notes), (key, nodes, gpus, notes)


def test_where_jobs_have_full_nodes_fewer_cores_are_no_advice():
    seff = "State: COMPLETED (exit code 0)\nNodes: 1\nCores per node: 192\nCPU Efficiency: 20.00% of 8-00:00:00\n"
    told = after(f"{seff}Job Wall-clock time: 01:00:00\nMemory Efficiency: 4.00% of 750.00 GB\n", key="trillium")
    assert changes(told) == {} and "start more processes" in told["notes"][0]


SYSTEMS = ("aire", "fir", "kestrel", "lumi", "narval", "rivanna", "roihu", "trillium")
SEFF = """Job ID: 7
State: {state} (exit code {code})
Nodes: 1
Cores per node: {cores}
CPU Efficiency: {busy}.00% of {cores}:00:00 core-walltime
Job Wall-clock time: {time}
Memory Utilized: {used:.2f} GB
Memory Efficiency: {share:.2f}% of {memory:.2f} GB
"""
SACCT = """JobID|Partition|State|Elapsed|Timelimit|ReqMem|MaxRSS|NTasks|AllocCPUS|NNodes|AllocTRES
7|{partition}|{state}|{time}|01:00:00|{memory:.0f}G|||{cores}|1|{tres}
7.batch||{state}|{time}|||{used:.0f}G|1|{cores}|1|
"""
ENDS = [
    {"state": "COMPLETED", "code": 0, "busy": 10, "share": 5, "time": "00:20:00"},
    {"state": "COMPLETED", "code": 0, "busy": 90, "share": 98, "time": "00:40:00"},
    {"state": "OUT_OF_MEMORY", "code": 0, "busy": 50, "share": 99, "time": "00:40:00"},
    {"state": "FAILED", "code": 137, "busy": 50, "share": 99, "time": "00:40:00"},
    {"state": "TIMEOUT", "code": 0, "busy": 20, "share": 20, "time": "01:00:10"},
]


def warned(key: str, script: str) -> set[str]:
    """The rules by which the check rejects this script or warns about it."""
    (answer,) = ask("found", [CLUSTERS[key]], [[key, script, "job.sh"]])
    return {each["rule"] for each in answer["findings"] if LEVELS[each["kind"]] != "note"}


def with_option(script: str, option: str, value: str) -> str:
    kept = [line for line in script.splitlines() if not line.startswith(f"#SBATCH --{option}=")]
    return "\n".join([kept[0], f"#SBATCH --{option}={value}", *kept[1:], ""])


@pytest.mark.parametrize("key", by_day(SYSTEMS, {"kestrel", "lumi", "narval"}))
def test_the_check_has_nothing_against_what_is_proposed(key):
    """Listings of jobs of the size of the guide's own scripts: each request is put into them."""
    cluster, proposed = CLUSTERS[key], 0
    for name, forms in (("one_gpu", (SEFF, SACCT)), ("many_cpus", (SACCT, SEFF))):
        script, had = "\n".join(lines_of(cluster, name)) + "\n", directives(cluster, name)
        share = next(iter(cluster.gpus.values())).fair_share
        known = had["mem"].rstrip("G") if "mem" in had else share.memory.mib / 1024 if share and share.memory else 64
        memory, cores = int(known), int(had.get("cpus-per-task") or share.cores)
        tres = f"cpu={cores},node=1" + ",gres/gpu=1" * (name == "one_gpu")
        for end, text in zip(ENDS, itertools.cycle(forms)):
            given = {"cores": cores, "memory": memory, "tres": tres, "partition": had.get("partition", "")}
            told = after(text.format(**given, **end, used=memory * end["share"] / 100), key=key)
            other = "no GPU" if name == "one_gpu" else "a GPU"
            notes = [note for note in told["notes"] if not note.startswith(f"If the job had {other}:")]
            asked = {*changes(told).items(), *re.findall(r"[Rr]equest `--([\w-]+)=([^`]+)`", " ".join(notes))}
            for option, value in asked:
                proposed += 1
                assert warned(key, with_option(script, option, value)) <= warned(key, script), (option, value, told)
            next_job = after(text.format(**given, **end, used=memory * end["share"] / 100), script, key)["next"]
            assert warned(key, next_job["script"]) <= warned(key, script), (end, next_job)
            assert (next_job["script"] == script) == bool(next_job["unchanged"])
    assert proposed > 1


def test_a_gpu_that_nobody_knows_of_has_an_answer_of_its_own():
    seff = SEFF.format(cores=72, memory=217, used=216, **ENDS[2])
    cpu, gpu = after(seff, key="roihu")["notes"]
    assert cpu.startswith("If the job had no GPU: Request `--mem=434G`.") and "request more GPUs" in gpu
    one_gpu = (ROOT / "snippets/roihu/one_gpu.sh").read_text(encoding="utf-8")
    told = after(seff, one_gpu, "roihu")
    assert "request more GPUs" in told["notes"][0]
    cured = after(seff, with_option(one_gpu, "mem", "100G"), "roihu")["next"]
    assert cured["script"] == one_gpu and "Remove it." in cured["adapted"][0] and not cured["unchanged"]
    assert "the same as this one, because" in told["next"]["unchanged"]


@pytest.mark.parametrize("pasted", ["-", "seff.txt"])
def test_the_command_prints_the_next_script(tmp_path, pasted):
    (tmp_path / "job.sh").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "seff.txt").write_text(DONE, encoding="utf-8")
    message = pasted if pasted == "-" else tmp_path / pasted
    words = ("explain", "puhti", "--script", tmp_path / "job.sh", message)
    done = run(ROOT / "guide", *words, text=DONE, status=0)
    assert "Next: --time=12:30:00" in done.stdout and "#SBATCH -t 12:30:00" in done.stdout


def test_a_real_job_is_read_as_its_scheduler_shows_it(tmp_path):
    kept.need_scheduler("slurm")
    twin = twin_of(CLUSTERS["puhti"])
    script = SCRIPT.replace("2-00:00:00", "00:05:00").replace("python3 fit.py", "exit 3")
    (tmp_path / "job.sh").write_text(script, encoding="utf-8")
    done = twin.run_to_end(tmp_path / "job.sh", tmp_path)
    assert done.returncode == 3
    shown = twin.run(["scontrol", "show", "job", done.stdout.split()[-1]], **AS_TEXT).stdout
    told = after(shown, script)
    assert told["means"].startswith("The job's exit code is 3.") and told["rows"][2]["asked"] == "16"
