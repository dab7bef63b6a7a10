"""`--write` changes the facts by a capture: that value and its source, and nothing else; or nothing at all."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from scripts.compare import write as writing
from scripts.compare.compare import compare
from scripts.compare.read import read
from scripts.compare.rows import DIFFERS
from scripts.compare.write import changed, write
from scripts.errors import BadInput
from scripts.evidence import records
from scripts.evidence.records import THERE
from scripts.facts.load import load_cluster
from scripts.paths import SNIPPETS
from scripts.tables.cluster import sources
from tests.compare.asked import CLUSTERS, as_the_cluster

DAY = "2026-11-22"
SOURCE = {"title": "Asked it itself", "url": f"captures/{DAY}.txt", "dated": DAY, "read": DAY}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A copy of Kestrel's folder that may be written into, and a record of checks."""
    folder = tmp_path / "snippets/kestrel"
    folder.parent.mkdir()
    shutil.copytree(SNIPPETS / "kestrel", folder, copy_function=shutil.copyfile)
    kept = {}
    monkeypatch.setattr(writing, "FACTS", folder.parent)
    monkeypatch.setattr(writing, "merge", kept.update)
    monkeypatch.setattr(
        writing, "shown", lambda path: path.relative_to(tmp_path) if path.is_relative_to(tmp_path) else path
    )
    monkeypatch.setattr(writing, "rests_on", lambda path, known: {path.name: "hash"})
    return folder, kept


def capture_of(folder: Path, *changes: tuple[str, str]):
    """Kestrel's answer with these changes, as if the cluster itself had given it, and its rows."""
    text = as_the_cluster("kestrel")
    for old, new in changes:
        assert re.search(old, text), old
        text = re.sub(old, new, text)
    file = folder / "capture.txt"
    file.write_text(text, encoding="utf-8")
    capture = read(str(file))
    return capture, compare(CLUSTERS["kestrel"], capture, DAY)


SHORTER = ((r"(PartitionName=debug .*MaxTime=)04:00:00", r"\g<1>01:00:00"),)


def test_it_changes_that_line_its_source_and_its_doubt(place, tmp_path):
    folder, kept = place
    before = (folder / "cluster.yml").read_text(encoding="utf-8").splitlines()
    capture, rows = capture_of(tmp_path, *SHORTER)
    said = write("kestrel", capture, DAY, rows)
    after = (folder / "cluster.yml").read_text(encoding="utf-8").splitlines()
    assert "Wrote partitions.debug.max_time: 0-01:00:00" in said
    gone, come = [line for line in before if line not in after], [line for line in after if line not in before]
    assert len(gone) <= 6 and any("partitions.debug.max_time" in line for line in gone)
    assert len(come) <= 2
    now = load_cluster(folder / "cluster.yml")
    assert now.partitions["debug"].max_time == "0-01:00:00" and "partitions.debug.max_time" not in now.unconfirmed
    first = now.sources["partitions"][0]
    assert (first.dated, first.url, first.title) == (DAY, f"captures/{DAY}.txt", "Asked Kestrel itself")
    assert now.sources["partitions"][1:] == CLUSTERS["kestrel"].sources["partitions"]
    assert now.sources["node_types"] == CLUSTERS["kestrel"].sources["node_types"]
    assert [row for row in compare(now, capture, DAY) if row.verdict == DIFFERS] == []
    assert {path.name for path in folder.parent.rglob("*.part")} == set()
    assert f"[Asked Kestrel itself](/snippets/kestrel/captures/{DAY}.txt) | {DAY}" in sources(now, CLUSTERS)


def test_a_second_capture_of_a_day_is_kept_beside_the_first_and_none_is_listed_twice(place, tmp_path):
    folder, kept = place
    for hours in ("01", "02", "02"):
        times = [(old, new.replace("01:", f"{hours}:")) for old, new in SHORTER]
        capture, rows = capture_of(tmp_path, *times)
        write("kestrel", capture, DAY, rows)
    now = load_cluster(folder / "cluster.yml")
    assert now.partitions["debug"].max_time == "0-02:00:00"
    ours = [source.url for source in now.sources["partitions"] if source.url.startswith("captures/")]
    assert ours == [f"captures/{DAY}-2.txt", f"captures/{DAY}.txt"]
    for url, time in zip(ours, ("2:00:00", "1:00:00"), strict=True):
        assert f"MaxTime=0{time}" in (folder / url).read_text(encoding="utf-8")
    assert len([*(folder / "captures").iterdir()]) == 2


def test_what_it_keeps_says_the_same_and_names_nobody(place, tmp_path):
    folder, kept = place
    changes = (("## nodes", "jdoe was here\n# jane@example.org\n## nodes"), *SHORTER)
    capture, rows = capture_of(tmp_path, *changes)
    write("kestrel", capture, DAY, rows)
    file = folder / "captures" / f"{DAY}.txt"
    text = file.read_text(encoding="utf-8")
    assert "jdoe" not in text and "@" not in text
    again = compare(CLUSTERS["kestrel"], read(str(file)), DAY)
    assert {str(row) for row in again} == {str(row) for row in rows}
    assert {(row.key, row.theirs) for row in again if row.verdict == DIFFERS} == {
        ("partitions.debug.max_time", "0-01:00:00")
    }


def test_a_verdict_obtained_there_goes_into_the_record(place, tmp_path):
    folder, kept = place
    capture, rows = capture_of(tmp_path)
    said = write("kestrel", capture, DAY, rows)
    assert said == [f"Accepted by Kestrel itself, {DAY}: snippets/kestrel/one_gpu.sh"]
    ((name, record),) = kept.items()
    assert name == "snippets/kestrel/one_gpu.sh"
    assert (record.how, record.date, record.detail) == (THERE, DAY, f"by Kestrel itself, in {DAY}.txt")
    assert f"{record.word}{record.more}, {record.date}" == f"Accepted by Kestrel itself, in {DAY}.txt, {DAY}"
    assert record.trust == "full" and (folder / "captures" / f"{DAY}.txt").is_file()


def test_a_script_that_has_changed_since_is_not_recorded(place, tmp_path):
    folder, kept = place
    (folder / "one_gpu.sh").write_text("#!/bin/bash\n", encoding="utf-8")
    capture, rows = capture_of(tmp_path)
    assert write("kestrel", capture, DAY, rows) == ["Nothing was written."] and kept == {}


def test_the_clusters_own_verdict_outweighs_a_twins_and_rests_on_no_facts(tmp_path):
    name, file = "snippets/puhti/one_gpu.sh", tmp_path / "evidence.json"
    there = records.Record(THERE, "by Puhti itself", DAY, {name: "a"})
    twin = records.Record("judged", "by Slurm 22.05.8 as Puhti", DAY, {name: "a", "twin": "b", "names": ""})
    for order in ((there, twin), (twin, there)):
        file.unlink(missing_ok=True)
        for each in order:
            records.merge({name: each}, file)
        assert records.read(file)[name] == there
    records.merge({name: records.Record("judged", "by Slurm", DAY, {name: "c", "twin": "b", "names": ""})}, file)
    assert records.read(file)[name].how == "judged", "the script has changed, so the cluster has not accepted it"


def test_a_twins_answer_is_not_written(place, tmp_path):
    folder, kept = place
    capture, rows = capture_of(tmp_path, *SHORTER)
    capture.twin = True
    before = (folder / "cluster.yml").read_bytes()
    with pytest.raises(BadInput, match="the guide's own simulated scheduler"):
        write("kestrel", capture, DAY, rows)
    assert (folder / "cluster.yml").read_bytes() == before and not (folder / "captures").exists()


def test_what_one_part_of_a_capture_denies_is_not_written(place, tmp_path):
    """Some nodes of a kind have more memory, the others what the facts say."""
    folder, kept = place
    more = r"(?m)^(Count=\d+ (.* RealMemory=)1907348(.*))$", r"\1\nCount=1 \g<2>1908348\3"
    capture, rows = capture_of(tmp_path, more)
    assert "Not written. Check this value yourself: node_types.bigmem.memory: 1908348 MiB" in write(
        "kestrel", capture, DAY, rows
    )
    assert load_cluster(folder / "cluster.yml").node_types["bigmem"].memory == "2 TB"


def test_an_older_capture_writes_nothing(place, tmp_path):
    folder, kept = place
    capture, _ = capture_of(tmp_path, *SHORTER, ("one_gpu.sh", "other.sh"), ("accepted", "refused"))
    rows = compare(CLUSTERS["kestrel"], capture, "2025-01-01")
    assert write("kestrel", capture, "2025-01-01", rows)[-1] == "Nothing was written."


def test_facts_that_would_not_be_well_formed_are_not_written():
    file = SNIPPETS / "kestrel/cluster.yml"
    with pytest.raises(BadInput, match="this file cannot be written"):
        changed(file, {("partitions", "debug", "max_time"): "for ever"}, SOURCE)


@pytest.mark.parametrize("key", CLUSTERS)
def test_each_facts_file_can_be_edited_and_keeps_all_else(key, tmp_path):
    """The first partition's time: in any file, with anchors, comments, lists in a line or in lines."""
    file = SNIPPETS / key / "cluster.yml"
    before = file.read_text(encoding="utf-8")
    timed = [name for name, p in CLUSTERS[key].partitions.items() if p.max_time]
    name = next(iter(timed or CLUSTERS[key].partitions))
    text = changed(
        file, {("partitions", name, "max_time"): "0-00:42:00", ("partitions", name, "min_nodes"): "1"}, SOURCE
    )
    old, new = yaml.safe_load(before), yaml.safe_load(text)
    old["partitions"][name] |= {"max_time": new["partitions"][name]["max_time"], "min_nodes": 1}
    assert new["partitions"][name]["max_time"] in (42 * 60, "0-00:42:00")
    assert json.dumps(new["sources"]["partitions"][0], default=str) == json.dumps(SOURCE)
    del new["sources"]["partitions"][0]
    old.get("unconfirmed", {}).pop(f"partitions.{name}.max_time", None)
    assert new == old
    comments = [re.findall(r"(?m)^\s*#.*$", each) for each in (before, text)]
    assert comments[0] == comments[1]
