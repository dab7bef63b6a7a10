"""`guide compare` as people call it: what it ends with, and one sentence for what it cannot read."""

import os
import random
import re
import subprocess

import pytest

from scripts.errors import BadInput
from scripts.facts import load_named
from tests.compare.asked import as_the_cluster, asked, rows_of
from tests.in_process import call

PARTITIONS = """PartitionName=standard
   MaxNodes=512 MaxTime=2-00:00:00 MinNodes=1 TotalNodes=1723
PartitionName=small-g
   MaxNodes=4 MaxTime=3-00:00:00 MinNodes=0 TotalNodes=199
PartitionName=standard-g
   MaxTime=2-00:00:00 TotalNodes=2728
"""
OTHER = PARTITIONS.replace("3-00:00:00", "4-00:00:00")


def compare(folder, text: str | bytes, *words: str, cluster: str = "lumi") -> subprocess.CompletedProcess[str]:
    (folder / "file.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    return call("scripts.compare", cluster, "file.txt", *words, cwd=folder)


def test_it_ends_with_0_where_nothing_differs_1_where_something_does_and_0_where_that_is_older(tmp_path, monkeypatch):
    assert compare(tmp_path, PARTITIONS).returncode == 0
    done = compare(tmp_path, OTHER)
    told = "partitions.small-g.max_time facts: 3-00:00:00 cluster: 4-00:00:00 scontrol show partition"
    assert done.returncode == 1 and told in " ".join(done.stdout.split())
    monkeypatch.setattr("scripts.compare.day.today", lambda: "2024-01-30")  # a cluster may be where it is the next day
    done = compare(tmp_path, OTHER, "--date", "2024-01-31")
    assert done.returncode == 0 and "older capture:\n  partitions.small-g.max_time" in done.stdout
    assert "Not compared: modules, quotas" in done.stdout and done.stderr == ""


def test_a_partition_that_only_one_of_the_two_has_is_a_difference(tmp_path):
    text = as_the_cluster("lumi")
    assert compare(tmp_path, text).returncode == 0
    lost = "\n".join(line for line in text.split("\n") if not line.startswith("PartitionName=lumid "))
    done = compare(tmp_path, lost)
    assert done.returncode == 1 and "only the facts know:\n  partitions.lumid " in done.stdout
    assert compare(tmp_path, text.replace("lumid", "lumie")).returncode == 1
    assert compare(tmp_path, lost.replace("# date: 20", "# date: 2020-01-01\n# was: 20")).returncode == 0


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "the file contains no scheduler output"),
        (b"\xff\xfe\x00s", "file.txt:1: this is not UTF-8 text. Save the file as UTF-8."),
        (b"\x7fELF\0\0", "is not a text file."),
        (b"Dear all,\nthe partitions are as ever.\n", "the file contains no scheduler output"),
        (b"PARTITION AVAIL TIMELIMIT\nsmall-g up 3-00:00:00\n", "Use the file of ask_cluster.sh"),
        (PARTITIONS.replace("3-00:00:00", "3-0x:00:00").encode(), "file.txt:3: `MaxTime` cannot be `3-0x:00:00`."),
        (PARTITIONS.replace("small-g", "$(rm)").encode(), "file.txt:3: `$(rm)` is not the name of a partition."),
        (PARTITIONS.replace("standard-g", "\x1b]0;x\x07").encode(), "file.txt:"),
        (b"PartitionName=small-g MaxTime=\xe2\x98\x83\n", "file.txt:1: `MaxTime` cannot be `?`."),
        (b"PartitionName=" + b"a" * 300 + b"\n", "`%s` is not the name of a partition." % ("a" * 40)),
        (b"".join(b"PartitionName=%s MaxTime=1:00:00\n" % name for name in (b"a", b"long", b"x", b"gpu")), "has none"),
        (b"# ask_cluster.sh 1: x\n# date: 2026-11-22\n## partitions: scontrol\n", "the end of the capture is missing."),
        (b"# ask_cluster.sh 1: x\n# date: 2026-13-45\n## p: x\nPartitionName=gpu\n# end\n", "is not a date"),
        (b"# ask_cluster.sh 1: x\n# date: 2099-01-01\n## p: x\nPartitionName=dev-g\n# end\n", "in the future"),
        (b"Configuration data as of 2026-11-01T10:00:00\nClusterName = puhti\n", "is of `puhti`, not of `lumi`."),
        (b"ClusterName = ../../etc\nSLURM_VERSION = 1\n", None),
        (b"$ sinfo\nNODELIST STATE PARTITION\ndone\n", "the file contains no scheduler output"),
        (b"ClusterName = " + b"a" * 300, "nothing in the capture can be compared with the facts"),
        (b"PartitionName=x MaxTime=1:00:00\n", "LUMI has none of the capture's 1 partition."),
        (b"A" * 2_000_000, "the file contains no scheduler output"),
        (b"PartitionName=small-g\n", "nothing in the capture can be compared with the facts"),
        (b"MaxArraySize = 1001\n", "nothing in the capture can be compared with the facts"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, text, said):
    done = compare(tmp_path, text)
    if said is None:
        assert done.returncode in (0, 1) and "Traceback" not in done.stderr
        return
    assert (done.returncode, done.stdout) == (2, ""), done
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stderr.isprintable() is False
    assert "\x1b" not in done.stderr and len(done.stderr) < 400


def test_names_of_the_facts_alone_are_in_their_order(tmp_path):
    text = "# ask_cluster.sh 1: x\n# date: 2026-11-22\n## qos: sacctmgr format=Name,MaxWall\nx|1:00\n# end\n"
    told = re.findall(r"(?m)^  qos\.(\w+) +a quality", compare(tmp_path, text, cluster="kestrel").stdout)
    assert told == ["x", *load_named("kestrel").qos]
    verdict = text.partition("## qos")[0] + f"## verdicts: x\naccepted {'0' * 64} one.sh\n# end\n"
    assert compare(tmp_path, verdict).stdout.splitlines()[1] == "The cluster accepted 1 of 1 job scripts."
    assert "--date: the capture is of 2026-11-22." in compare(tmp_path, verdict, "--date", "2026-11-21").stderr


def test_places_that_are_no_file_are_one_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("gone.txt", ".", "/dev/zero", "pipe"):
        done = call("scripts.compare", "lumi", name, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1, done


@pytest.mark.parametrize(
    "cluster, words, said",
    [
        ("lumi", ["--date", "yesterday"], "--date: 'yesterday' is not a date."),
        ("lumi", ["--write"], "file.txt: the capture contains no date."),
        ("arc4", [], "ARC4 has Grid Engine, but only Slurm can be compared."),
    ],
)
def test_what_was_called_wrongly_is_one_sentence(tmp_path, cluster, words, said):
    done = compare(tmp_path, PARTITIONS, *words, cluster=cluster)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1


def test_damage_is_read_or_told_and_nothing_else(tmp_path):
    """A capture that is cut off, with bytes lost, doubled or changed, ends in rows or in a sentence."""
    text, draw = asked("mahti"), random.Random(3)
    for _ in range(120):
        at, length = draw.randrange(len(text)), draw.randrange(1, 40)
        piece = draw.choice(["", text[at : at + length] * 2, "\x00", "|||", " ", "\n", "=" * 9, "9" * 40, "é"])
        damaged = text[:at] + piece + text[at + length :] if draw.random() < 0.8 else text[:at]
        try:
            rows_of("mahti", damaged, tmp_path)
        except BadInput as fault:
            assert str(fault).count("\n") == 0


def test_colours_of_a_terminal_and_carriage_returns_are_no_damage(tmp_path):
    rows = rows_of("lumi", PARTITIONS.replace("small-g", "\x1b[1msmall-g\x1b[0m").replace("\n", "\r\n"), tmp_path)
    assert {"partitions.small-g.max_time"} <= {row.key for row in rows}


def test_a_part_is_held_against_that_part(tmp_path):
    part = PARTITIONS.partition("PartitionName=standard-g")[0].partition("PartitionName=small-g")
    rows = rows_of("lumi", f"$ scontrol show partition small-g\n{''.join(part[1:])}", tmp_path)
    keys = {"partitions.small-g.max_time", "partitions.small-g.max_nodes", "partitions.small-g.node_count"}
    assert {row.key for row in rows} == keys


def test_versions_of_slurm_say_the_same_with_other_words(tmp_path):
    """20.11 has no TRES line, 23.11 and later add keys; 25.11 prints `INFINITE` where others say `UNLIMITED`."""
    old = "PartitionName=small-g\n   Default=NO QoS=N/A\n   MaxNodes=4 MaxTime=72:00:00 MinNodes=1 Shared=NO\n"
    new = "PartitionName=small-g Default=NO QoS=N/A ExclusiveTopo=NO MaxCPUsPerSocket=UNLIMITED MaxNodes=4 "
    new += "MaxTime=3-00:00:00 MinNodes=0 MaxCPUsPerNode=INFINITE PowerDownOnIdle=NO TopologyPlugin=none\n"
    for text in (old, new):
        found = {row.key: row.verdict for row in rows_of("lumi", text, tmp_path)}
        assert found == {"partitions.small-g.max_time": "agrees", "partitions.small-g.max_nodes": "agrees"}
