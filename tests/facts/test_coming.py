"""What is announced for a day: who sees it from when on, what may stand there, and every fault in a sentence."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import facts
from scripts.errors import BadInput
from scripts.facts.days import as_of, place, place_for
from scripts.facts.model import Coming
from scripts.facts.units import Date
from scripts.paths import ROOT, SNIPPETS
from scripts.twin import twin_of

PUHTI = (SNIPPETS / "puhti/cluster.yml").read_text(encoding="utf-8")
EVE, DAY, LATER = Date("2026-11-30"), Date("2026-12-01"), Date("2027-01-01")
SOURCE = '{title: News, url: "https://docs.csc.fi/news/", dated: 2026-11-10, read: 2026-11-20}'


def coming(*changes: tuple[str, str, str]) -> str:
    """Puhti's facts with these changes to come: (day, key, value) each."""
    entries = (
        f"  - from: {day}\n    key: {key}\n    value: {value}\n    source: {SOURCE}\n" for day, key, value in changes
    )
    return PUHTI.replace("unconfirmed:\n", "coming:\n" + "".join(entries) + "\nunconfirmed:\n", 1)


SHORTER = coming((DAY, "partitions.gpu.max_time", "2-00:00:00"))


def file_of(folder: Path, text: str) -> Path:
    (folder / "puhti").mkdir(exist_ok=True)
    path = folder / "puhti/cluster.yml"
    path.write_text(text, encoding="utf-8")
    return path


def fault(folder: Path, text: str) -> str:
    with pytest.raises(BadInput) as caught:
        facts.load_cluster(file_of(folder, text))
    return str(caught.value)


@pytest.mark.parametrize(
    "day, limit, left",
    [(facts.AS_WRITTEN, "3-00:00:00", 1), (EVE, "3-00:00:00", 1), (DAY, "2-00:00:00", 0), (LATER, "2-00:00:00", 0)],
)
def test_a_change_holds_from_its_day_on(tmp_path, monkeypatch, day, limit, left):
    path = file_of(tmp_path, SHORTER)
    cluster = facts.load_cluster(path, day)
    assert cluster.partitions["gpu"].max_time == limit and len(cluster.coming) == left
    assert cluster.partitions["gpu"].max_time.minutes == int(limit[0]) * 1440, "the value has the key's own type"
    monkeypatch.setenv("GUIDE_DAY", day)
    assert facts.load_cluster(path) == cluster and facts.load_all(tmp_path) == {"puhti": cluster}
    monkeypatch.setattr("scripts.facts.load.SNIPPETS", tmp_path)
    assert facts.load_named("puhti") == cluster == facts.load_named("puhti", day)


def test_the_last_of_several_changes_holds(tmp_path):
    key = "partitions.gpu.max_time"
    path = file_of(tmp_path, coming((LATER, key, "5-00:00:00"), (DAY, key, "2-00:00:00")))
    limits = [facts.load_cluster(path, day).partitions["gpu"].max_time for day in (EVE, DAY, LATER)]
    assert limits == ["3-00:00:00", "2-00:00:00", "5-00:00:00"]


def test_a_new_value_brings_its_source_and_ends_the_doubt_about_the_old_one(tmp_path):
    path = file_of(tmp_path, coming((DAY, "gpus.v100.fair_share", "{cores: 8, memory: 90 GiB}")))
    before, after = facts.load_cluster(path, EVE), facts.load_cluster(path, DAY)
    assert "gpus.v100.fair_share" in before.unconfirmed and "gpus.v100.fair_share" not in after.unconfirmed
    assert before.unconfirmed.keys() - after.unconfirmed.keys() == {"gpus.v100.fair_share"}
    assert [source.title for source in after.sources["gpus"]] == ["News", "Puhti"]
    assert before.sources == facts.load_cluster(path, facts.AS_WRITTEN).sources


def test_parts_and_keys_come_and_go_and_places_are_named_by_their_path(tmp_path):
    text = coming(
        (DAY, "partitions.gpulong", "{node_types: [gpu], max_time: 7-00:00:00}"),
        (DAY, "partitions.hugemem_longrun", "null"),
        (DAY, "partitions.gpu.default", "true"),
        (DAY, "storage./users/<user>.size", "20 GiB"),
        (DAY, "gpus.1g.5gb", "{model: V100, memory: 5 GB, request: --gres=gpu:1g.5gb:1, slice_of: v100}"),
        (LATER, "partitions.gpulong.max_time", "8-00:00:00"),
        (LATER, "gpus.1g.5gb.memory", "6 GB"),
    )
    path = file_of(tmp_path, text)
    before, after, later = (facts.load_cluster(path, day) for day in (EVE, DAY, LATER))
    assert after.partitions.keys() ^ before.partitions.keys() == {"gpulong", "hugemem_longrun"}
    assert after.partitions["gpu"].default and after.storage[0].size == "20 GiB"
    assert after.gpus["1g.5gb"].is_slice and "1g.5gb" not in before.gpus
    assert (later.partitions["gpulong"].max_time, later.gpus["1g.5gb"].memory) == ("8-00:00:00", "6 GB")


@pytest.mark.parametrize(
    "changes, said",
    [
        ([(DAY, "partitions.gpu.max_time", "two days")], "'two days' is not a walltime"),
        ([(DAY, "partitions.gpu.max_tine", "2-00:00:00")], "max_tine` is not a key.*Did you mean `max_time`"),
        ([(DAY, "partitions.gpuu.max_time", "2-00:00:00")], "`partitions.gpuu.max_time` names nothing in this file"),
        ([(DAY, "partitions.gpuu", "null")], "`partitions.gpuu` names nothing"),
        ([(DAY, "partition.gpu", "null")], "`partition` is no group of facts .*Did you mean `partitions`"),
        ([(DAY, "name", "Puhti 2")], "`name` is no group"),
        ([(DAY, "partitions.gpu.max_time", "3-00:00:00")], "has this value before 2026-12-01, too"),
        ([(DAY, "partitions.gpu.max_time", f"{n}-00:00:00") for n in (1, 2)], "changes twice on 2026-12-01"),
        (
            [("2026-12", "partitions.gpu.max_time", "2-00:00:00")],
            "'2026-12' is not a date; write it like|Write it like",
        ),
        ([("2027-02-29", "partitions.gpu.max_time", "2-00:00:00")], "'2027-02-29' is no day of the calendar"),
        ([(DAY, "partitions.gpu.node_types", "[gpus]")], "from 2026-12-01 on: `gpus` is no node type"),
        ([(DAY, "node_types.hugemem", "null")], "from 2026-12-01 on: `hugemem` is no node type"),
        ([(DAY, "status.state", "active")], "`ended:` is for a retired system"),
        ([(DAY, "gpus.v100.memory", "null")], "`gpus.v100.memory` is missing"),
        (
            [(DAY, "partitions.gpu.max_time", "2-00:00:00"), (LATER, "partitions.gpu.max_time", "one day")],
            "'one day' is not a walltime",
        ),
    ],
)
def test_a_fault_is_told_at_the_line_of_the_change(tmp_path, changes, said):
    text = coming(*changes)
    message = fault(tmp_path, text)
    assert re.search(said, message) and "\n" not in message
    lines = text.splitlines()
    start = lines.index("coming:") + 1 + 4 * (len(changes) - 1)
    assert start < int(re.search(r"cluster\.yml:(\d+):", message)[1]) <= start + 4, message


def test_several_changes_of_one_day_are_judged_together(tmp_path):
    text = coming((DAY, "status.state", "active"), (DAY, "status.ended", "null"))
    assert facts.load_cluster(file_of(tmp_path, text), DAY).running
    text = coming((DAY, "node_types.new", "{cores: 8}"), (DAY, "partitions.new", "{node_types: [new]}"))
    assert "new" in facts.load_cluster(file_of(tmp_path, text), DAY).partitions


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "2026-02-30", "2026-12"])
def test_a_wrong_day_is_one_sentence(day):
    done = subprocess.run(
        [sys.executable, "-m", "scripts.facts"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"GUIDE_DAY": day},
    )
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(rf"GUIDE_DAY: '{day}' is (not a date|no day of the calendar)\. Write it like .*\n", done.stderr)


@pytest.mark.parametrize("day, left, due", [(EVE, 2, 0), (DAY, 1, 1), (LATER, 0, 2)])
def test_what_is_past_due_is_told_and_is_no_error(tmp_path, monkeypatch, capsys, day, left, due):
    from scripts.facts.__main__ import main

    text = coming((DAY, "partitions.gpu.max_time", "2-00:00:00"), (LATER, "partitions.gpu.max_nodes", "10"))
    file_of(tmp_path, text)
    for name in ("scripts.facts.__main__", "scripts.facts.load"):
        monkeypatch.setattr(f"{name}.SNIPPETS", tmp_path)
    monkeypatch.setattr("scripts.facts.__main__.load_all", lambda day: facts.load_all(tmp_path, day))
    monkeypatch.setattr("sys.argv", ["facts"])
    monkeypatch.setenv("GUIDE_DAY", day)
    assert main() == 0
    counted, *told = capsys.readouterr().out.splitlines()
    assert f" partitions, {left} facts to change: " in counted and len(told) == due
    if told:
        line = text.splitlines().index("coming:") + 2
        assert re.search(
            rf"puhti/cluster\.yml:{line}: `partitions\.gpu\.max_time` was announced for 1 December 2026,", told[0]
        )


def test_the_example_in_contributing(tmp_path):
    """It is good as it stands, and does what the words around it say."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Announce a change")[1].split("\n## ")[0]
    (example,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    path = file_of(tmp_path, PUHTI.replace("unconfirmed:\n", f"{example}\nunconfirmed:\n", 1))
    limits = [facts.load_cluster(path, day).partitions["gpu"].max_time.words for day in (EVE, DAY)]
    assert '"{} (until 30 November 2026), {} (from 1 December 2026)"'.format(*limits) in section
    assert "GUIDE_DAY=2026-12-01" in section


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_a_twin_after_a_change_is_another_twin(key):
    """A running twin starts anew when its files differ; see test_days of the twins for one that does."""
    cluster = facts.load_cluster(SNIPPETS / key / "cluster.yml", facts.AS_WRITTEN)
    name = next(name for name, partition in cluster.partitions.items() if partition.max_time)
    change = {"from": DAY, "key": f"partitions.{name}.max_time", "value": "0-00:10:00"}
    source = {"title": "News", "url": "https://example.org/", "read": EVE}
    cluster = cluster.model_copy(update={"coming": [Coming.model_validate({**change, "source": source})]})
    files = [twin_of(as_of(cluster, day)).files() for day in (facts.AS_WRITTEN, EVE, DAY, LATER)]
    assert files[0] == files[1] != files[2] == files[3]


def test_places():
    data = {"gpus": {"a100_1g.5gb": {"memory": 1}, "a100": {"x": 1}}, "storage": [{"path": "/a.b", "size": 1}]}
    assert place(data, "gpus.a100_1g.5gb.memory") == ("gpus", "a100_1g.5gb", "memory")
    assert place(data, "storage./a.b.size") == ("storage", 0, "size")
    assert place(data, "gpus.a100_1g") is place(data, "storage.0") is place(data, "") is None

    def new(key: str, value: object):
        source = {"title": "x", "url": "https://x", "read": "2026"}
        return place_for(data, Coming.model_validate({"from": DAY, "key": key, "value": value, "source": source}))

    assert new("gpus.b200", {}) == ("gpus", "b200") and new("gpus.1g.5gb", {}) == ("gpus", "1g.5gb")
    assert new("gpus.a100_1g.5gb.note", "x") == ("gpus", "a100_1g.5gb", "note") and new("gpus.b200.note", "x") is None
    assert new("access", {}) == ("access",) and new("acess", {}) is None and new("gpus.b200", None) is None
