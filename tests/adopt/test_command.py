"""`guide adopt` as people call it: what it writes, what it asks, and one sentence for what it cannot read."""

import random
import re
from itertools import permutations

import pytest
import yaml

from scripts.adopt.__main__ import key_of
from scripts.adopt.facts import _share
from scripts.adopt.gpus import model_of
from scripts.adopt.kinds import kinds
from scripts.compare.capture import Record
from scripts.engine import data
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.facts.load import load_cluster
from scripts.facts.unknown import NOT_KNOWN
from scripts.tables import cluster as of_one
from scripts.tables import overview
from tests.adopt.captures import DAY, adopt, adopted

PARTITIONS = """PartitionName=gpu
   AllowGroups=ALL AllowAccounts=pi_smith,pi_doe AllowQos=ALL DenyAccounts=secretproject
   AllocNodes=login17 Default=YES QoS=gpu_part Hidden=YES
   DefaultTime=01:00:00 MaxNodes=4 MaxTime=2-00:00:00 MinNodes=0 MaxCPUsPerNode=UNLIMITED OverSubscribe=NO
   Nodes=nid[000711-000714] State=UP TotalCPUs=512 TotalNodes=4
   DefMemPerCPU=2000 MaxMemPerCPU=4000 TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=16

PartitionName=small MaxTime=INFINITE MaxNodes=1 OverSubscribe=EXCLUSIVE Default=NO State=DOWN QoS=N/A TotalNodes=6
PartitionName=debug MaxTime=30:00 MaxNodes=1 Default=NO QoS=N/A TotalNodes=6
"""
NODE = """NodeName=nid000711 Arch=x86_64 CoresPerSocket=64
   CPUAlloc=0 CPUEfctv=256 CPUTot=256 AvailableFeatures=a100,nid000711,rack7 Gres=gpu:a100:4(S:0-3),nvme:3600
   NodeAddr=10.9.8.7 NodeHostName=nid000711 OS=Linux 5.14 #1 SMP RealMemory=510000 Sockets=2 Boards=1 Version=23.11.10
   State=IDLE ThreadsPerCore=2 TmpDisk=0 Owner=jdoe(4711) Partitions=gpu
   Comment=jane.doe@example.org Reason=jdoe is here Gres=gpu:z:9 [jdoe@2026-11-01T10:00:00]

"""
NODES = "".join(NODE.replace("000711", f"{711 + at:06}").replace("rack7", f"rack{at}") for at in range(10)) + "".join(
    f"NodeName=cn{at} CPUTot=40 Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=190000 Gres=(null) "
    f"AvailableFeatures=cn{at} Partitions=small,debug Reason=jdoe\n"
    for at in range(6)
)
CONFIG = (
    f"Configuration data as of {DAY}T10:00:00\nClusterName = hawk\nSLURM_VERSION = 24.11.5\nSlurmUser = jdoe(4711)\n"
)
QOS = """Name|Priority|MaxTRES|MaxWall|MaxJobsPU|MaxSubmitPU|MinTRES
gpu_part|0|gres/gpu=8,node=2|1-00:00:00|4|9|gres/gpu=1
long|0||7-00:00:00||||
pi_smith|0|||||
"""
ALL = (CONFIG, PARTITIONS, NODES, QOS)
SECRETS = "jdoe jane.doe 10.9.8.7 nid00 login17 secretproject pi_smith pi_doe rack 4711 cn1 gpu:z".split()


def test_all_that_the_scheduler_says_is_in_the_facts_and_what_it_does_not_say_is_a_question(tmp_path):
    done = adopt(tmp_path, "Hawk-2", *ALL)
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "new/hawk2/cluster.yml"
    new = load_cluster(file)
    assert (new.name, new.scheduler.version, new.status.state) == ("Hawk-2", "24.11.5", "active")
    gpu, small = new.partitions["gpu"], new.partitions["small"]
    assert (gpu.max_time, gpu.max_nodes, gpu.default) == ("2-00:00:00", 4, True)
    assert (gpu.max_gpus, gpu.min_gpus, gpu.max_jobs, gpu.max_running_jobs) == (8, 1, 9, 4)
    assert gpu.default_memory_per_core == "4000 MiB" and gpu.access == "only some accounts"
    for said in ("gets 1 hour", "hidden", "Some accounts may not", "more than 4000 MiB"):
        assert said in gpu.note
    assert (small.max_time, small.exclusive) == (None, True) and "(DOWN)" in small.note
    assert {key: (node.count, node.cores, node.memory) for key, node in new.node_types.items()} == {
        "a100": (10, 128, "510000 MiB"),
        "cpu": (6, 40, "190000 MiB"),
    }
    node = new.node_types["a100"]
    assert {kind.tmp for kind in new.node_types.values()} == {None}, "only some have no local disk"
    assert (node.threads_per_core, node.gpus, node.gres, node.features) == (2, {"a100": 4}, {"nvme": 3600}, ["a100"])
    assert list(new.qos) == ["long"] and new.qos["long"].max_time == "7-00:00:00"
    assert new.policy.partition.rule == "optional" and "policy.partition" not in new.unknown
    source = new.sources["partitions"][0]
    assert (source.title, source.url, source.dated) == ("Asked Hawk-2 itself", f"captures/{DAY}.txt", DAY)
    assert (file.parent / source.url).is_file()
    assert 15 <= len(new.unknown) <= 22 and f"Open questions: {len(new.unknown)}." in done.stdout
    for key, question in new.unknown.items():
        assert f"  {key}: {question}\n" in done.stdout and "For example: `" in question
    assert "GRES/gpu=16" in new.unknown["billing"] and "gpus.a100.memory" in new.unknown


def test_every_example_is_an_answer_that_the_facts_accept_as_it_stands(tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    file = tmp_path / "new/hawk/cluster.yml"
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    for key, question in data.pop("unknown").items():
        lines, _, below = question.partition(" For example: ")[2].partition(" below ")
        inside = data
        for name in re.findall("`(.+?):`", below):
            inside = inside.setdefault(name, {})
        inside |= yaml.safe_load("\n".join(lines.strip("`").split("` and `")))
        if (group := key.partition(".")[0]) not in ("operator", "centre", "docs"):
            data["sources"].setdefault(group, data["sources"]["status"])
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    new, tables = load_cluster(file), of_one.TABLES | of_one.OF_RUNNING
    shown = [tables[f"{name}.md"](new, {}) for name in "glance jupyter editor costs storage software".split()]
    assert new.policy.sample_account and new.billing.prices and not re.search("not (published|doc)", "".join(shown))


def test_nothing_private_is_kept(tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    kept = "".join(path.read_text(encoding="utf-8") for path in files)
    assert (
        len(files) == 2
        and [secret for secret in SECRETS if secret in kept] == []
        and "@" not in kept.replace("help@example.org", "")
    )


def test_what_is_not_known_is_said_so_on_the_page_and_refuses_nothing(tmp_path):
    new = adopted(tmp_path, "hawk", *ALL)
    there = load_all() | {"hawk": new}
    pages = {
        name: write(new, there) for name, write in (of_one.TABLES | of_one.OF_RUNNING).items() if name != "glance.md"
    }
    shown = "\n".join(pages.values())
    for row in ("Operator", "Help", "Log in", "Documentation", "Account", "Time limit"):
        assert f"| {row} | {NOT_KNOWN} |" in shown, row
    for name in ("costs.md", "software.md", "storage.md", "monitoring.md", "jupyter.md"):
        assert pages[name] == f"{NOT_KNOWN.capitalize()}.\n"
    assert "None" not in shown and f"memory {NOT_KNOWN}" in pages["gpus.md"]
    assert all(f"`{key}`: " in pages["sources.md"] for key in new.unknown)
    assert "None" not in str([write(there) for name, write in overview.TABLES.items() if name != "first-jobs.md"])
    told = data.system(new)
    assert "gone" not in told["form"] and "account" not in told["rules"] and "time" not in told["rules"]


@pytest.mark.parametrize("order", list(permutations(range(4)))[::7])
def test_the_order_of_what_is_pasted_and_in_how_many_files_changes_nothing(order, tmp_path):
    texts = [ALL[at] for at in order]
    one, several = adopted(tmp_path, "one", "\n".join(texts)), adopted(tmp_path, "several", *texts)
    assert one.node_types == several.node_types and one.partitions == several.partitions and one.qos == several.qos
    assert list(one.partitions) == ["gpu", "small", "debug"] and one.scheduler == several.scheduler


SINFO = {
    "with bars": "PARTITION|TIMELIMIT|JOB_SIZE|NODES(A/I/O/T)|CPUS|MEMORY|GRES\n"
    "gpu*|2-00:00:00|4|1/2/1/4|64|500000|gpu:a100:4(S:0-1)\ncpu|infinite|1-infinite|0/9/0/9|40|190000|(null)\n",
    "in columns": "me@login:~> sinfo -o '...'\nPARTITION AVAIL TIMELIMIT JOB_SIZE NODES S:C:T MEMORY GRES NODELIST\n"
    "gpu* up 2-00:00:0 1-4 3 2:32:1 500000 gpu:a100:4 g[1-3]\ngpu* up 2-00:00:0 1-4 1 2:32:1 500000 gpu:a100:4 g4\n"
    "cpu up infinite 1-infinite 9 2:20:1 190000 (null) c[1-9]\nme@login:~> \n",
    "by node": "NODELIST NODES PARTITION STATE CPUS S:C:T MEMORY TMP_DISK GRES TIMELIMIT JOB_SIZE\n"
    + "".join(f"g{at} 1 gpu* mixed 64 2:32:1 500000 0 gpu:a100:4 2-00:00:00 1-4\n" for at in range(4))
    + "".join(f"c{at} 1 cpu idle 40 2:20:1 190000 0 (null) infinite 1-infinite\n" for at in range(9)),
    "padded, with all": "NODELIST PARTITION CPUS S:C:T MEMORY GRES CPUS(A/I/O/T) JOB_SIZE TIMELIMIT \n"
    + "".join(f"g{at} gpu* 64 2:32:1 500000 gpu:a100:4 0/64/0/64 1-4 2-00:00:00  \n" for at in range(4))
    + "".join(f"c{at} cpu 40 2:20:1 190000 (null) 0/40/0/40 1-infinite infinite  \n" for at in range(9)),
}


@pytest.mark.parametrize("form", SINFO)
def test_tables_of_sinfo_are_enough(form, tmp_path):
    new = adopted(tmp_path, "hawk", SINFO[form], words=("--date", DAY))
    sizes = {key: (node.count, node.cores, node.memory, node.gpus) for key, node in new.node_types.items()}
    assert sizes == {"a100": (4, 64, "500000 MiB", {"a100": 4}), "cpu": (9, 40, "190000 MiB", {})}
    assert {name: p.max_time for name, p in new.partitions.items()} == {"gpu": "2-00:00:00", "cpu": None}
    assert {name: p.max_nodes for name, p in new.partitions.items()} == {"gpu": 4, "cpu": None}
    assert new.partitions["gpu"].default and not new.unconfirmed.keys() & {"node_types.a100", "node_types.cpu"}


@pytest.mark.parametrize(
    "nodes, counts, doubts",
    [
        ("a 1 n1\nb 1 n1\na 4 n[2-5]\nb 4 n[2-5]\n", [5], True),  # n1 is drained, so it has lines of its own
        ("a 1 n1\nb 1 n1\na 1 n2\nb 1 n3\n", [3], False),
        ("a - n[1-5]\n", [None], True),
    ],
)
def test_a_node_of_two_partitions_counts_once(nodes, counts, doubts, tmp_path):
    table = "PARTITION NODES NODELIST TIMELIMIT CPUS MEMORY\n" + nodes.replace("\n", " 1:00:00 64 500000\n")
    table = table.replace("NODES ", "").replace(" -", "") if " - " in table else table
    new = adopted(tmp_path, "hawk", table)
    assert [node.count for node in new.node_types.values()] == counts
    assert bool(new.unconfirmed.keys() & {"node_types.cpu"}) == doubts


def test_a_table_without_gpus_leaves_them_open(tmp_path):
    new = adopted(tmp_path, "hawk", "PARTITION TIMELIMIT NODES CPUS MEMORY\nall* 1:00:00 4 64 500000+\n")
    assert new.gpus == {} and "gpus" in new.unknown and new.node_types["cpu"].memory is None


def test_totals_of_a_partition_give_its_nodes_if_they_are_alike(tmp_path):
    text = (
        "PartitionName={} Default=NO MaxTime=1:00:00 MaxNodes=2 QoS=N/A TotalNodes=4 TRES=cpu={},mem=4000G,node=4,{}\n"
    )
    licenses = "billing=9,gres/gpu=16,gres/gpu:h200=16,license/abaqus@jdoe=3"
    done = adopt(tmp_path, "hawk", text.format("even", 256, licenses) + text.format("odd", 255, licenses))
    new = load_cluster(tmp_path / "new/hawk/cluster.yml")
    assert "partition odd, because the capture does not show its nodes" in done.stdout and list(new.partitions) == [
        "even"
    ]
    (node,) = new.node_types.values()
    assert (node.count, node.cores, node.memory, node.gpus) == (4, 64, "1024000 MiB", {"h200": 4})
    assert "node_types.h200" in new.unconfirmed


@pytest.mark.parametrize("shown", [1, 5])
def test_of_nodes_that_are_shown_in_part_nobody_knows_the_number(shown, tmp_path):
    conf = "NodeName=cn0 CPUs=40 RealMemory=1\nPartitionName=small Nodes=cn0 MaxTime=1\n"  # of slurm.conf, above
    text = conf.replace("MaxTime=1", "MaxTime=1:00") + PARTITIONS + NODE + NODES.partition(f"NodeName=cn{shown} ")[0]
    new = adopted(tmp_path, "hawk", text)
    assert {key: node.count for key, node in new.node_types.items()} == {"a100": 10, "cpu": None}
    assert new.partitions["small"].node_count == 6 and new.partitions["small"].max_time is None
    assert f"{shown} of the 6 nodes" in new.unconfirmed["node_types.cpu"]
    assert new.scheduler.version == "23.11.10" and "scheduler.version" in new.unconfirmed


def test_a_type_is_split_only_where_a_partitions_number_of_nodes_would_not_tell_which():
    def record(memory: int, count: int, partitions: str) -> Record:
        return Record({"RealMemory": str(memory), "Count": str(count), "Partitions": partitions}, "scontrol", 1)

    one, numbers = kinds([record(100, 90, "all"), record(100, 6, "all,test")], ["all", "test"])
    assert [kind.count for kind in one] == [96] and numbers == {"test": 6}
    parts = [record(100, 60, "all"), record(100, 40, "all,fast"), record(200, 30, "all"), record(200, 2, "all,fast")]
    two, numbers = kinds(parts, ["all", "fast"])
    assert sorted(kind.count for kind in two) == [2, 30, 40, 60] and numbers == {}
    listed = [Record(record(512000, *each).values, "sinfo", 1) for each in ((90, "all"), (6, "test"), (6, "more"))]
    listed.append(Record(record(1048576, 2, "all").values, "sinfo", 1))
    three, numbers = kinds(listed, ["all", "test", "more"])
    assert {kind.key: kind.count for kind in three} == {"cpu_500g": 90, "cpu_1024g": 2}
    assert numbers == {"test": 6, "more": 6} and all("sinfo" in kind.unsure for kind in three if kind.count > 2)


@pytest.mark.parametrize(
    "gres, name, memory",
    [
        ("gpu:a100", "NVIDIA A100", None),
        ("gpu:nvidia_a100-sxm4-80gb", "NVIDIA A100 SXM4, 80 GB", "80 GB"),
        ("gpu:nvidia_h100_80gb_hbm3_1g.10gb", "NVIDIA H100 SXM5", "10 GB"),
        ("gpu:rtx_3090", "NVIDIA RTX 3090", "24 GB"),
        ("gpu:1g.5gb", None, "5 GB"),
        ("gpu:v1000", None, None),
        ("gpu", None, None),
    ],
)
def test_a_model_is_what_the_table_of_devices_knows_and_no_guess(gres, name, memory):
    model = model_of(gres)
    assert (model.name, model.memory) == (name, memory)


PBS = "Queue              Max   Tot Ena Str   Que   Run\n---------------- ----- -----\nworkq 0 1 yes yes 0 1\n"
LSF = "QUEUE_NAME      PRIO STATUS          MAX JL/U JL/P JL/H NJOBS\nnormal 30 Open:Active - - - - 0\n"
ODD = "".join(f"   hc:{value}\n" for value in ("slots=x", "slots=1e400", "h_vmem=1.2.3G", "gpu=" + "9" * 400))
GRID_ENGINE = f"HOSTNAME ARCH NCPU\nd1 lx-amd64 40 2 40 40 40.0 188.4G 12.0G\n{ODD}qname a.q\nh_rt 48:00:00\n"
MIXED = CONFIG.replace("hawk", "eagle")


@pytest.mark.parametrize(
    "name, texts, said",
    [
        ("hawk", ["Dear all,\n"], "the file contains no scheduler output."),
        ("hawk", [PARTITIONS], "the capture shows no nodes. Add the output of `scontrol show node`"),
        ("hawk", [NODES], "the capture shows no partitions. Add the output of `scontrol show partition`"),
        ("hawk", [PBS], "this output is from PBS, which the guide cannot read."),
        ("hawk", ["cn1\n     Mom = cn1\n     pcpus = 40\n"], "this output is from PBS"),
        ("hawk", [LSF], "this output is from LSF"),
        ("hawk", [*ALL, MIXED], "this file is from `eagle`, but 0.txt is from `hawk`."),
        ("hawk", [PARTITIONS.replace("2-00:00:00", "2-0x"), NODES], "`MaxTime` cannot be `2-0x`."),
        (
            "hawk",
            ["# ask_cluster.sh 1: x\n# twin: yes\n" + PARTITIONS + "# end\n"],
            "the guide's own simulated scheduler",
        ),
        ("hawk", [GRID_ENGINE], "the partitions' nodes are missing."),
        ("hawk", ["# ask_cluster.sh 1: x\n" + PARTITIONS + NODES], "the end of the capture is missing."),
        ("hawk", [PARTITIONS.replace("=small", "=$(rm -rf)"), NODES], "is not the name of a partition"),
        ("hawk", [PARTITIONS, NODES.replace("gpu:a100", "gpu:a/100")], "`a/100` is not a name that"),
        ("../../etc", ALL, None),
        ("4711", ALL, "is not a valid cluster name."),
        ("a\x1b[31m", ALL, "is not a valid cluster name."),
    ],
)
def test_what_cannot_be_adopted_is_one_sentence_and_nothing_is_written(name, texts, said, tmp_path):
    done = adopt(tmp_path, name, *texts)
    if said is None:  # its letters alone
        assert done.returncode == 0 and [path.name for path in (tmp_path / "new").iterdir()] == ["etc"]
        return
    assert (done.returncode, done.stdout) == (2, ""), done
    assert said in done.stderr and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr
    assert not (tmp_path / "new").exists()


def test_damage_ends_in_facts_or_in_a_sentence(tmp_path):
    text, draw = "\n".join(ALL), random.Random(5)
    for number in range(60):
        at, length = draw.randrange(len(text)), draw.randrange(1, 40)
        piece = draw.choice(["", text[at : at + length] * 2, "\x00", "|||", " ", "\n", "=" * 9, "9" * 12, "é: {"])
        damaged = text[:at] + piece + text[at + length :] if draw.random() < 0.8 else text[:at]
        done = adopt(tmp_path, f"hawk{number}", damaged)
        folder = tmp_path / f"new/hawk{number}"
        assert done.returncode in (0, 2) and "Traceback" not in done.stderr, damaged
        assert folder.exists() == (done.returncode == 0) and done.stderr.count("\n") == (done.returncode == 2), damaged


NEWER = "\n".join(ALL).replace(DAY, "2026-11-25").replace("MaxTime=2-00:00:00", "MaxTime=3-00:00:00")
MORE = "PartitionName=new MaxTime=1:00:00 QoS=N/A Default=NO TotalNodes=6\n\n" + NODES.replace("=cn", "=xn").replace(
    "RealMemory=190000 Gres=(null)", "RealMemory=90000 Gres=gpu:odd:2"
).replace("Partitions=small,debug", "Partitions=new")


def test_a_newer_capture_changes_what_it_says_and_keeps_what_people_wrote(tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    file = tmp_path / "new/hawk/cluster.yml"
    mine = file.read_text(encoding="utf-8").replace(
        "  gpu:\n    node", "  # Jane asked for it\n  gpu:  # ours\n    node"
    )
    mine = re.sub(r"  (login|docs|centre): '.*\n", "", mine).replace(
        "name: hawk", "docs: https://hawk.example.org/\ncentre: far\nname: hawk"
    )
    (tmp_path / "new/centres.yml").write_text("far: {name: Far, where: Away}\n", encoding="utf-8")
    mine = mine.replace("\nscheduler:", "\nlogin: [{host: hawk.example.org, use: all}]  # the new one\n\nscheduler:")
    mine = mine.replace(
        "\n  scheduler: [*",
        "\n  login: [{title: Us, url: 'https://hawk.example.org', read: 2026-11-24}, *capture]\n  scheduler: [*",
    )
    file.write_text(mine, encoding="utf-8")
    lost = NEWER.replace("PartitionName=small", "PartitionName=tiny").replace("Partitions=small,", "Partitions=tiny,")
    done = adopt(tmp_path, "hawk", lost, MORE, words=("--again",))
    assert (done.returncode, done.stderr) == (0, ""), done
    for said in (
        "partitions.gpu.max_time: 3-00:00:00, was 2-00:00:00",
        "New: partitions.new",
        "New: gpus.odd",
        "No longer in the capture: partitions.small. Delete it if it is retired.",
        "gpus.odd.memory: ",
    ):
        assert said in done.stdout, said
    now, text = load_cluster(file), file.read_text(encoding="utf-8")
    assert now.partitions["gpu"].max_time == "3-00:00:00" and now.partitions["new"].max_time == "0-01:00:00"
    assert now.sources["partitions"][0].dated == "2026-11-25" and len(now.sources["partitions"]) == 2
    kept = [line for line in mine.splitlines() if not re.search(r"max_time: 2-00|: \[[&*]capture", line)]
    assert [line for line in text.splitlines() if line in kept] == kept
    again = adopt(tmp_path, "hawk", lost, MORE, words=("--again",))
    assert file.read_text(encoding="utf-8") == text and "New" not in again.stdout and "Wrote" not in again.stdout


def test_an_older_capture_changes_nothing_and_says_so(tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    before = (tmp_path / "new/hawk/cluster.yml").read_bytes()
    done = adopt(tmp_path, "hawk", NEWER.replace("2026-11-25", "2026-11-01"), words=("--again",))
    kept = "Kept, because its source is newer than the capture: partitions.gpu.max_time"
    assert done.returncode == 0 and done.stdout.startswith(kept) and "Wrote" not in done.stdout
    assert (tmp_path / "new/hawk/cluster.yml").read_bytes() == before


def test_a_newer_capture_that_cannot_be_merged_changes_nothing(tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    before = {path: path.read_bytes() for path in (tmp_path / "new").rglob("*") if path.is_file()}
    for texts, words, said in (
        (ALL, (), "this file already exists. Add --again"),
        ([NEWER.replace("3-00:00:00", "3-0x")], ("--again",), "`MaxTime` cannot be"),
        ([NEWER.replace("PartitionName=", "PartitionName=other")], ("--again",), "has none of"),
    ):
        done = adopt(tmp_path, "hawk", *texts, words=words)
        assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1, done
    assert before == {path: path.read_bytes() for path in (tmp_path / "new").rglob("*") if path.is_file()}
    done = adopt(tmp_path, "hawk", *ALL, words=("--into", "/proc/none"))
    assert done.returncode == 2 and "this file cannot be written: " in done.stderr and done.stderr.count("\n") == 1
    done = adopt(tmp_path, "gone", *ALL, words=("--again",))
    assert done.returncode == 2 and "there is no such file yet. Omit --again." in done.stderr


@pytest.mark.parametrize(
    "pattern, new, said",
    [
        (r"  docs: '.*\n", "", "`docs` is missing. Add it."),
        (r"  operator: '.*\n", "", "`operator` is missing. Add it."),
        (r"  policy.account: '.*\n", "", "`policy.account` is missing. Add it."),
        (r"  gpus.a100.memory: '.*\n", "", "`gpus.a100.memory` is missing. Add it."),
        (r"(?s)(name: hawk\n)(.*)  docs: '[^\n]*\n", r"\1docs: null\n\2", "`docs` is missing. Add it."),
        (r"(?s)(name: hawk\n)(.*)  operator: '[^\n]*\n", r"\1operator: not known yet\n\2", "`operator` is missing."),
        (
            r"\npolicy:",
            r"\ndocs: https://hawk.example.org\npolicy:",
            "`docs` is answered. Delete its line under `unknown:`.",
        ),
        (r"\npolicy:", r"\nlogin: []\npolicy:", "`login` is answered. Delete its line under `unknown:`."),
        (r"  docs: '", "  storge: x\n  docs: '", "`storge` is not a key of a facts file. Did you mean `storage`?"),
    ],
)
def test_a_key_is_answered_or_listed_as_open_and_never_both_or_neither(pattern, new, said, tmp_path):
    adopt(tmp_path, "hawk", *ALL)
    file = tmp_path / "new/hawk/cluster.yml"
    text = file.read_text(encoding="utf-8")
    assert len(re.findall(pattern, text)) == 1
    file.write_text(re.sub(pattern, new, text), encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(said.split(".")[0])) as fault:
        load_cluster(file)
    assert said in str(fault.value)


def test_letters_of_other_languages_stay_in_the_folders_name():
    assert key_of("Größe-2") == "grosse2"


def test_a_gpu_of_two_kinds_of_nodes_has_its_share_of_the_smaller():
    lines = [
        {"CPUTot": str(cores), "RealMemory": "1000", "Gres": "gpu:a100:4", "Partitions": "gpu"} for cores in (64, 32)
    ]
    types, _ = kinds([Record(values, "scontrol show node", 1) for values in lines], ["gpu"])
    assert _share("gpu:a100", types) == {"cores": 8, "memory": "250 MiB"}
