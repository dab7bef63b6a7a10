"""What is coming stands in the tables with its dates, and no day changes a byte of them."""

import os
import re
import subprocess
import sys

import pytest

from scripts.facts import AS_WRITTEN, as_of, load_all
from scripts.facts.model import GROUPS, Coming
from scripts.facts.units import Date
from scripts.paths import MADE, ROOT
from scripts.site.copy import copy_guide
from scripts.tables import made
from scripts.tables.cluster import OF_RUNNING, TABLES
from scripts.tables.dated import PARTS, dated, together
from tests.facts.test_coming import SHORTER
from tests.tables.test_visible import REFERENCES, changed, leaves

CLUSTERS = load_all(day=AS_WRITTEN)
DAY, LATER = Date("2026-12-01"), Date("2027-01-01")
DAYS = ["2026-11-21", "2026-11-30", "2026-12-01", "2026-12-02", "2030-01-01"]


def test_the_same_bytes_on_every_day(tmp_path):
    """With a change planted, all that is committed is written once; on no day is it stale, and writing is no change."""
    copy_guide(tmp_path)
    facts = tmp_path / "snippets/puhti/cluster.yml"
    facts.write_text(SHORTER, encoding="utf-8")

    def tables(day: str, *arguments: str) -> str:
        command = [sys.executable, "-m", "scripts.tables", *arguments]
        environment = os.environ | {"GUIDE_DAY": day}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    folder = tmp_path / MADE.relative_to(ROOT)
    said = tables("2026-11-21")
    assert "puhti coming.2026-12-01.partitions.gpu.max_time: – → 2-00:00:00" in said
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    row = "| `gpu` | 3 days (until 30 November 2026), 2 days (from 1 December 2026) | up to 20 nodes;"
    assert row in written[folder / "tables/puhti/partitions.md"].decode()
    assert "| 2026-12-01 | [Puhti](/clusters/puhti.md) | partitions.gpu.max_time: 3-00:00:00 → 2-00:00:00 |" in (
        written[folder / "changes.md"].decode()
    )
    for day in DAYS:
        assert tables(day, "--check") and tables(day) == "", day
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == written
    assert (
        "`partitions.gpu.max_time` from 1 December 2026 on, announced: `2-00:00:00`"
        in written[folder / "changes.md"].decode()
    )

    facts.write_text(
        SHORTER.replace("max_time: 3-00:00:00", "max_time: 2-00:00:00", 1).replace(
            "key: partitions.gpu.", "key: partitions.gputest."
        ),
        encoding="utf-8",
    )
    assert "partitions.gpu.max_time: 3-00:00:00 → 2-00:00:00" in tables("2026-12-05")


@pytest.mark.parametrize("key", ["puhti", "rivanna", "arc4"])
def test_every_fact_that_changes_stands_there_before_and_after(key):
    """A change of each fact in turn: nothing that a table says before or after is lost, and the day is told."""
    cluster = CLUSTERS[key]
    source = cluster.sources["gpus"][0]
    tables_of_it = TABLES | (OF_RUNNING if cluster.running else {})
    lost, tried = [], 0
    for path in leaves(cluster):
        if path[0] not in GROUPS or REFERENCES & {(path[0], part) for part in path}:
            continue
        after = changed(cluster, path)
        whole = path[: next((n for n, part in enumerate(path) if isinstance(part, int)), len(path))]  # lists as a whole
        value = after.model_dump(mode="json", exclude_unset=True)
        for part in whole:
            value = value[part]
        change = {"from": DAY, "key": ".".join(whole), "value": value, "source": source}
        try:
            planted = cluster.model_copy(update={"coming": [Coming.model_validate(change)]})
            then = as_of(planted, DAY)
        except ValueError:  # a retired system that runs, say: the loader refuses it
            continue
        tried += 1
        shown = {
            name: dated(lambda of, make=make: make(of[key], of), {**CLUSTERS, key: planted})
            for name, make in tables_of_it.items()
        }
        for name, make in tables_of_it.items():
            for each in (cluster, then):
                said = {
                    part
                    for line in make(each, CLUSTERS).splitlines()
                    for cell in line.removeprefix("- ").strip("| ").split(" | ")
                    for part in PARTS.split(cell)
                }
                lost += [(path, part) for part in said if part not in shown[name]]
        if not any(
            re.search("30 November 2026|1 December 2026", text) for name, text in shown.items() if name != "sources.md"
        ):
            lost.append((path, "the day"))
    assert lost == [] and tried > 40


def test_a_change_reaches_the_tables_that_compare_clusters():
    roihu = CLUSTERS["roihu"]
    name = next(key for key, partition in roihu.partitions.items() if key.startswith("gpu") and partition.max_time)
    limit = {
        "from": DAY,
        "key": f"partitions.{name}.max_time",
        "value": "0-00:10:00",
        "source": roihu.sources["gpus"][0],
    }
    made_of = made.tables(CLUSTERS | {"roihu": roihu.model_copy(update={"coming": [Coming.model_validate(limit)]})})
    assert re.search(rf"`{name}`: [^<|]* \(until 30 November 2026\)", made_of[made.TABLES / "gpu-partitions.md"])
    assert f"`{name}`: 10 minutes (from 1 December 2026)" in made_of[made.TABLES / "gpu-partitions.md"]
    assert "December" not in made_of[made.TABLES / "narval/partitions.md"]


def test_three_days_of_one_table():
    texts = [
        "| a | b |\n| --- | --- |\n| x | 1; same; 5. End |\n| gone | 1 |\n\n- one\n- two\n",
        "| a | b |\n| --- | --- |\n| x | 2; same; 5. End |\n| new | a \\| b |\n\n- one\n- three\n",
        "| a | b |\n| --- | --- |\n| x | 2; same; 6. End |\n| new | a \\| b |\n\n- one\n- three\n",
    ]
    assert together([None, DAY, LATER], texts) == (
        "| a | b |\n| --- | --- |\n"
        "| x | 1 (until 30 November 2026); 2 (from 1 December 2026); same; 5 (until 31 December 2026). "
        "6 (from 1 January 2027). End |\n"
        "| gone (until 30 November 2026) | 1 |\n| new (from 1 December 2026) | a \\| b |\n\n"
        "- one\n- Until 30 November 2026: two\n- From 1 December 2026: three\n"
    )
    assert together([None, DAY], [texts[0], texts[0]]) == texts[0]


def test_a_banner_that_changes_is_two_banners():
    banners = ['!!! success "It runs."\n\n    Well.\n', '!!! danger "It is off."\n\n    Use another.\n']
    assert together([None, DAY], banners) == (
        f"Until 30 November 2026:\n\n{banners[0]}\nFrom 1 December 2026:\n\n{banners[1]}"
    )


def test_a_table_where_there_was_none():
    texts = ["Nothing is published.\n", "| a |\n| --- |\n| x |\n"]
    assert together([None, DAY], texts) == (
        "Until 30 November 2026:\n\nNothing is published.\n\n| a |\n| --- |\n| x (from 1 December 2026) |\n"
    )
