"""What people paste or send: cut out by hand, with prompts, pipes and a mail around it."""

import pytest

from scripts.compare.capture import minutes
from scripts.compare.known import kinds
from scripts.compare.read import read
from scripts.errors import BadInput
from tests.compare.asked import CLUSTERS, answer, asked, rows_of


def told(text: str, folder, key: str = "lumi") -> list[str]:
    return [str(row) for row in rows_of(key, text, folder)]


def test_records_without_their_leading_blanks_are_read(tmp_path):
    text = answer("mahti", "scontrol", "show", "partition")
    bare = "\n".join(line.strip() for line in text.split("\n"))
    assert bare != text and told(bare, tmp_path, "mahti") == told(text, tmp_path, "mahti") != []


@pytest.mark.parametrize(
    "before, after, end",
    [
        ("", "", "\r\n"),
        ("\ufeff", "", "\n"),
        ("Dear all,\n\nthis is ours. \n$ cat asked.txt\n", "-- \nJane Doe\nPartitionName=gpu\n", "\n"),
        ("```text\n", "```\n", "\n"),
        ("```text\n", "```\nPartitionName=small MaxTime=for ever\n", " \r\n"),
    ],
)
def test_a_mail_or_an_issue_around_the_scripts_file_changes_nothing(before, after, end, tmp_path):
    text = asked("mahti")
    expected = told(text, tmp_path, "mahti")
    around = (before + text + after).replace("\n", end)
    file = tmp_path / "mail.txt"
    file.write_bytes(around.encode())
    capture = read(str(file))
    assert capture.asked and capture.twin and len(capture.verdicts) == 1
    (tmp_path / "capture.txt").write_bytes(around.encode())
    assert told(around, tmp_path, "mahti") == expected


def test_another_version_of_the_script_is_told(tmp_path):
    with pytest.raises(BadInput, match="capture.txt:2: the capture was written by version 2 of ask_cluster.sh"):
        rows_of("mahti", "Hello,\n" + asked("mahti").replace("ask_cluster.sh 1:", "ask_cluster.sh 2:"), tmp_path)


def test_of_a_pipe_only_what_is_shown_is_compared(tmp_path):
    """Which lines it has taken out nobody knows, so no partition is missing."""
    lines = answer("mahti", "scontrol", "-o", "show", "partition").split("\n")
    listing = "\n".join(line for line in lines if not line.startswith("PartitionName=gputest"))
    commands = ("scontrol -o show partition", "scontrol -o show partition | grep -v gputest")
    whole, part = (told(f"[me@login ~]$ {command}\n{listing}", tmp_path, "mahti") for command in commands)
    missing = "only the facts know"
    assert any(missing in line for line in whole) and not any(missing in line for line in part)


@pytest.mark.parametrize("prompt", ["[me@login ~]$", "me@login:~> ls", "(base) me@login:~$ squeue", "$", "% ls"])
def test_the_next_prompt_ends_a_record(prompt, tmp_path):
    record = "PartitionName=small-g\n   MaxTime=4-00:00:00\n"
    assert told(f"{record}{prompt} MaxNodes=7\n", tmp_path) == told(record, tmp_path) != []


def test_memory_of_a_cpu_is_told_for_a_core_with_its_threads(tmp_path):
    text = "PartitionName=small DefMemPerCPU={}\n"
    rows = [rows_of("lumi", text.format(size), tmp_path) for size in (448, 512)]
    told = [[(row.verdict, row.theirs) for row in each if row.key.endswith("memory_per_core")] for each in rows]
    assert told == [[("agrees", "896 MiB")], [("differs", "1024 MiB")]]


QOS = "Name|MaxWall|MaxTRES|MaxTRESPU|MaxJobsPU|MaxSubmitPU|MinTRES\nall|1-00:00:00|cpu=64,node=3||||\n"
NONE = "MaxTime=UNLIMITED MaxNodes=UNLIMITED MaxMemPerNode=UNLIMITED DefMemPerNode=UNLIMITED DefMemPerCPU=UNLIMITED"
OF_ALL = "MaxMemPerNode = 250000\nMaxMemPerCPU = 7\nJobDefaults = DefMemPerGPU=1000\n"
SMALL = {"max_time": "1-00:00:00", "max_nodes": "3", "max_cores": "32", "max_memory_per_node": "250000 MiB",
         "default_memory_per_core": "1000 MiB as default_memory_per_gpu"}  # fmt: skip


@pytest.mark.parametrize(
    "key, text, wanted",
    [
        ("lumi", f"PartitionName=small {NONE} QoS=all\n\n{OF_ALL}\n{QOS}", SMALL),
        ("trillium", "PartitionName=compute MaxNodes=10\n", {"max_nodes": "128"}),  # 10: without an allocation
        ("lumi", "NodeName=n1 CPUTot=256 ThreadsPerCore=2 RealMemory=229376 Partitions=small\n", {"cores": "128"}),
    ],
)
def test_where_a_record_says_nothing_what_holds_besides_is_compared(key, text, wanted, tmp_path):
    found = {row.key.rpartition(".")[2]: row.theirs for row in rows_of(key, text, tmp_path)}
    assert wanted.items() <= found.items()


@pytest.mark.parametrize("part, command, told", [(0.4, "", 0), (0.6, "", 1), (0.6, " | grep idle", 0)])
def test_nodes_are_counted_in_a_listing_of_most_of_them(part, command, told, tmp_path):
    (kind,) = [kind for kind in kinds(CLUSTERS["puhti"]) if kind.types == ("gpu",)]
    whole = sum(kind.count or 0 for kind in kinds(CLUSTERS["puhti"]))
    sizes = f"CPUTot={kind.sizes['cores']} RealMemory={kind.sizes['memory']} Gres=gpu:v100:4 Partitions=gpu"
    nodes = "".join(f"NodeName=r{number} {sizes}\n" for number in range(int(part * whole)))
    rows = rows_of("puhti", f"$ scontrol -o show node{command}\n{nodes}", tmp_path)
    assert len([row for row in rows if row.key == "node_types.gpu.count"]) == told


@pytest.mark.parametrize(
    "text, wanted", [("0:30:30", 30.5), ("30:30", 30.5), ("4:00:00", 240), ("2-00:00:30", 2880.5), ("7", None)]
)
def test_a_time_is_read_with_its_seconds(text, wanted):
    assert minutes(text) == wanted


def test_another_gres_is_what_only_the_cluster_knows(tmp_path):
    text = asked("mahti")
    more = text.replace("Gres=gpu:a100:4", "Gres=gpu:a100:4,shard:16")
    assert more != text
    new = [row for row in rows_of("mahti", more, tmp_path) if str(row) not in told(text, tmp_path, "mahti")]
    assert {(row.verdict, row.theirs) for row in new} == {("only the cluster knows", "shard:16")}
    sockets = text.replace("Gres=gpu:a100:4", "Gres=gpu:a100:2(S:0),gpu:a100:2(S:1)")
    assert told(sockets, tmp_path, "mahti") == told(text, tmp_path, "mahti"), "those of each socket are listed"
