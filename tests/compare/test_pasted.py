"""What people paste or send: cut out by hand, with prompts, pipes and a mail around it."""

import pytest

from scripts.compare.capture import minutes
from scripts.compare.read import read
from scripts.errors import BadInput
from tests.compare.asked import answer, asked, rows_of

HEADING = "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\n"
ROW = "small-g up 4-00:00:00 199 mix nid[1-199]\n"
TIME, COUNT = "partitions.small-g.max_time", "partitions.small-g.node_count"


def told(text: str, folder, key: str = "lumi") -> list[str]:
    return [str(row) for row in rows_of(key, text, folder)]


def test_records_without_their_leading_blanks_are_read(tmp_path):
    text = answer("mahti", "scontrol", "show", "partition")
    bare = "\n".join(line.strip() for line in text.split("\n"))
    assert bare != text and told(bare, tmp_path, "mahti") == told(text, tmp_path, "mahti") != []


@pytest.mark.parametrize(
    "text", ["PartitionName=small-g\n", "MaxArraySize = 1001\n", "PARTITION NODELIST\nsmall-g n1\n"]
)
def test_what_cannot_be_held_against_the_facts_is_told(text, tmp_path):
    with pytest.raises(BadInput, match="nothing in it can be held against the facts"):
        rows_of("lumi", text, tmp_path)


@pytest.mark.parametrize(
    "before, after, end",
    [
        ("", "", "\r\n"),
        ("\ufeff", "", "\n"),
        ("Dear all,\n\nthis is ours. \n$ cat asked.txt\n", "-- \nJane Doe\nPARTITION AVAIL\n", "\n"),
        ("```text\n", "```\n", "\n"),
        ("```text\n", "```\nsmall-g up for ever\n", " \r\n"),
    ],
)
def test_a_mail_or_an_issue_around_the_scripts_file_changes_nothing(before, after, end, tmp_path):
    text = asked("mahti")
    expected = told(text, tmp_path, "mahti")
    around = (before + text + after).replace("\n", end)
    file = tmp_path / "mail.txt"
    file.write_bytes(around.encode())
    capture = read(str(file))
    assert capture.asked and capture.twin
    (tmp_path / "capture.txt").write_bytes(around.encode())
    assert told(around, tmp_path, "mahti") == expected


def test_another_version_of_the_script_is_told(tmp_path):
    with pytest.raises(BadInput, match="capture.txt:2: it is of version 2 of ask_cluster.sh"):
        rows_of("mahti", "Hello,\n" + asked("mahti").replace("ask_cluster.sh 1:", "ask_cluster.sh 2:"), tmp_path)


@pytest.mark.parametrize("heading", ["", HEADING])
def test_of_a_pipe_only_what_is_shown_is_compared(heading, tmp_path):
    """Which lines it has taken out nobody knows, so no number of nodes, and no partition, is missing."""
    text = f"[me@login ~]$ sinfo | grep -E 'PARTITION|small-g'\n{heading}{ROW}"
    assert {row.key: row.verdict for row in rows_of("lumi", text, tmp_path)} == {TIME: "differs"}
    listing = "\n".join(line for line in answer("mahti", "sinfo", "-s").split("\n") if not line.startswith("gputest"))
    whole, part = (told(f"$ sinfo -s{pipe}\n{listing}", tmp_path, "mahti") for pipe in ("", " | grep -v gputest"))
    missing = "only the facts know"
    assert any(line.startswith(missing) for line in whole) and not any(line.startswith(missing) for line in part)


def test_a_bar_within_quotes_is_no_pipe(tmp_path):
    text = "$ sinfo -h -o '%P|%l|%D'\nsmall-g|4-00:00:00|199\n"
    assert {row.key for row in rows_of("lumi", text, tmp_path)} == {TIME, COUNT}


@pytest.mark.parametrize(
    "prompt", ["[me@login ~]$", "me@login:~> ls", "(base) me@login:~$ squeue", "login1:~$ date", "$", "% ls"]
)
def test_the_next_prompt_is_no_row(prompt, tmp_path):
    assert told(HEADING + ROW + prompt + "\n", tmp_path) == told(HEADING + ROW, tmp_path) != []


@pytest.mark.parametrize(
    "command, row",
    [
        ("sinfo -h", ROW),
        ("sinfo --noheader", ROW),
        ("sinfo -s -h", "small-g up 4-00:00:00 190/5/4/199 nid[1-199]\n"),
        ("sinfo -hs", "small-g up 4-00:00:00 190/5/4/199 nid[1-199]\n"),
    ],
)
def test_a_table_without_heading_is_read_by_its_command(command, row, tmp_path):
    rows = {row.key: row.theirs for row in rows_of("lumi", f"$ {command}\n{row}", tmp_path)}
    assert rows == {TIME: "4-00:00:00", COUNT: "199"}


def test_memory_of_a_cpu_is_told_for_a_core_with_its_threads(tmp_path):
    text = "PartitionName=small DefMemPerCPU={}\n"
    rows = [rows_of("lumi", text.format(size), tmp_path) for size in (448, 512)]
    told = [[(row.verdict, row.theirs) for row in each if row.key.endswith("memory_per_core")] for each in rows]
    assert told == [[("agrees", "896 MiB")], [("differs", "1024 MiB")]]


@pytest.mark.parametrize(
    "text, wanted",
    [("0:30:30", 30.5), ("30:30", 30.5), ("4:00:00", 240), ("2-00:00:30", 2880.5), ("2-00:01:3", 2881), ("7", None)],
)
def test_a_time_is_read_with_its_seconds(text, wanted):
    assert minutes(text) == wanted


def test_tabs_may_part_a_table(tmp_path):
    text = HEADING + ROW
    assert told(text.replace(" ", "\t"), tmp_path) == told(text, tmp_path) != []


def test_another_gres_is_what_only_the_cluster_knows(tmp_path):
    text = asked("mahti")
    more = text.replace("Gres=gpu:a100:4", "Gres=gpu:a100:4,shard:16")
    assert more != text
    new = [row for row in rows_of("mahti", more, tmp_path) if str(row) not in told(text, tmp_path, "mahti")]
    assert {(row.verdict, row.theirs) for row in new} == {("only the cluster knows", "shard:16")}


LONG_OF_24_11 = """Mon Nov 23 04:14:06 2026
PARTITION   AVAIL  TIMELIMIT   JOB_SIZE ROOT OVERSUBS     GROUPS  NODES       STATE RESERVATION NODELIST
test           up    1:00:00        1-2   no EXCLUSIV        all   1343       idle~             cpu-[00001-01343]
test           up    1:00:00        1-2   no EXCLUSIV        all      1       maint     service cpu-01344
"""


def test_the_column_of_reservations_in_newer_slurm_may_be_empty(tmp_path):
    found = told(LONG_OF_24_11, tmp_path, "mahti")
    assert found and all("agrees" in row for row in found if "partitions.test." in row), found
    assert any("partitions.test.max_time" in row for row in found)
