"""What changed in the facts: the comparison, the log, the page and the feed."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scripts import facts
from scripts.facts import changes
from scripts.facts.changes import Change
from scripts.site.copy import copy_guide

ATOM = "{http://www.w3.org/2005/Atom}"
DAY = "2027-01-02"


def test_flatten_keeps_every_value():
    assert changes.flatten({"a": {"b": 1, "c.d": "x"}, "list": [1, {"p": "/q", "n": 2}], "yes": True}) == {
        "a.b": "1",
        "a.c.d": "x",
        "list": ["1", "p: /q, n: 2"],
        "yes": "True",
    }


def test_differences_name_what_was_added_changed_and_taken_out():
    before = {"puhti": {"same": "1", "limit": "3", "gone": "x", "list": ["a", "b"]}, "old": {"k": "v"}}
    now = {"puhti": {"same": "1", "limit": "4", "new": "y", "list": ["b", "c"]}, "fresh": {"k": "v"}}
    assert changes.differences(before, now, DAY) == [
        Change(DAY, "fresh", "", "", "described here"),
        Change(DAY, "old", "", "described here", ""),
        Change(DAY, "puhti", "gone", "x", ""),
        Change(DAY, "puhti", "limit", "3", "4"),
        Change(DAY, "puhti", "list", ["a", "b"], ["b", "c"]),
        Change(DAY, "puhti", "new", "", "y"),
    ]


def test_edits_of_one_day_are_one_change_and_none_if_taken_back():
    first = changes.merge([], [Change(DAY, "puhti", "limit", "3", "4")])
    second = changes.merge(first, [Change(DAY, "puhti", "limit", "4", "5")])
    assert second == [Change(DAY, "puhti", "limit", "3", "5")]
    assert changes.merge(second, [Change(DAY, "puhti", "limit", "5", "3")]) == []
    later = changes.merge(second, [Change("2027-02-03", "puhti", "limit", "5", "6")])
    assert [change.date for change in later] == ["2027-02-03", DAY]


def logged(*values: tuple[str, object]) -> list[tuple[str, str, str]]:
    """What the log tells of one fact that had these values: (day on which it was recorded, value) each."""
    log: list[Change] = []
    for (_, was), (day, now) in zip(values, values[1:], strict=False):
        facts = [{"puhti": {"fact": value} if value else {}} for value in (was, now)]
        log = changes.merge(log, changes.differences(*facts, day))
        log = [Change(**entry) for entry in json.loads(changes.log_text(log))]
    return [(change.date, *change.told()) for change in log]


@pytest.mark.parametrize(
    "values, told",
    [
        ([("", "A"), ("d1", "B"), ("d2", "A")], [("d2", "B", "A"), ("d1", "A", "B")]),
        ([("", "A"), ("d1", "B"), ("d1", "A")], []),
        ([("", "A"), ("d1", "B"), ("d2", "A"), ("d2", "B")], [("d1", "A", "B")]),
        ([("", "A"), ("d1", "B"), ("d1", "A"), ("d2", "B")], [("d2", "A", "B")]),
        ([("", "A"), ("d1", ""), ("d2", "A")], [("d2", "", "A"), ("d1", "A", "")]),
        ([("", "A"), ("d1", "B"), ("d2", "A"), ("d3", "B")], [("d3", "A", "B"), ("d2", "B", "A"), ("d1", "A", "B")]),
        ([("", ["a"]), ("d1", ["a", "b"]), ("d1", ["a", "b", "c"])], [("d1", "", "b; c")]),
        ([("", ["a"]), ("d1", ["b"]), ("d1", ["c", "a"])], [("d1", "", "c")]),
        ([("", ["a"]), ("d1", ["b"]), ("d1", ["a"])], []),
        ([("", ["a"]), ("d1", ["b"]), ("d2", ["a"])], [("d2", "b", "a"), ("d1", "a", "b")]),
        ([("", ["a", "b"]), ("d1", ["b", "a"])], []),
        ([("", []), ("d1", ["a"]), ("d2", [])], [("d2", "a", ""), ("d1", "", "a")]),
    ],
)
def test_a_fact_that_goes_back_on_another_day_leaves_both_changes(values, told):
    assert logged(*values) == told


def test_what_came_to_its_day_is_one_change():
    """The announcement is told when it is made; when the value is folded in, the value is told, and nothing as gone."""
    written = {"puhti": {"limit": "3"}}
    announced = {"puhti": {"limit": "3", "coming": {DAY: {"limit": "2", "old": None, "part": {"a": 1}}}}}
    folded = {"puhti": {"limit": "2", "part": {"a": 1}}}
    keys = [change.key for change in changes.differences(written, announced, DAY)]
    assert keys == [f"coming.{DAY}.{key}" for key in ("limit", "old", "part.a")]
    assert [str(change) for change in changes.differences(announced, folded, DAY)] == ["limit: 3 → 2", "part.a: – → 1"]
    assert [change.now for change in changes.differences(announced, written, DAY)] == ["", ""], "called off: it is gone"


@pytest.fixture
def copy(tmp_path) -> Path:
    """The guide's sources in a folder of their own; the copy's `make tables` is `tables(copy)`."""
    copy_guide(tmp_path)
    return tmp_path


def tables(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.tables", *arguments]
    return subprocess.run(command, cwd=copy, capture_output=True, encoding="utf-8")


def lower_a_limit(copy: Path) -> None:
    path = copy / "snippets/puhti/cluster.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("max_time: 14-00:00:00", "max_time: 10-00:00:00", 1), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text


@pytest.mark.parametrize("name", ["facts.json", "changes.json"])
@pytest.mark.parametrize("text", ["{", "[1]", "3", None])
def test_a_file_that_was_spoilt_is_told_with_its_cure_and_nothing_is_written(copy, name, text):
    spoilt, made = copy / "snippets/made" / name, copy / "snippets/made"
    spoilt.unlink() if text is None else spoilt.write_text(text, encoding="utf-8")
    lower_a_limit(copy)
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    done = tables(copy)
    assert done.returncode == 1 and re.search(rf"{name}: .* git checkout -- snippets/made/{name}", done.stderr)
    assert {path: path.read_bytes() for path in made.rglob("*") if path.is_file()} == before


def test_a_changed_limit_is_refused_until_it_is_recorded_and_then_stands_on_the_page(copy):
    assert tables(copy, "--check").returncode == 0
    lower_a_limit(copy)
    refused = tables(copy, "--check")
    assert refused.returncode == 1 and "make tables" in refused.stderr
    assert "facts.json" in refused.stderr
    done = tables(copy)
    assert done.returncode == 0 and re.search(
        r"puhti partitions\.\w+\.max_time: 14-00:00:00 → 10-00:00:00", done.stdout
    )
    assert ".max_time` was: `14-00:00:00`<br>and is now: `10-00:00:00`" in (copy / "build/made/changes.md").read_text(
        encoding="utf-8"
    )
    assert tables(copy, "--check").returncode == 0 and tables(copy).stdout == ""


def test_sources_read_again_are_no_change(copy):
    path = copy / "snippets/puhti/cluster.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"read: 20\d\d-\d\d-\d\d", "read: 2027-01-02", text), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    done = tables(copy)
    assert done.returncode == 0 and "changes.json" not in done.stdout and "→" not in done.stdout


def test_a_broken_log_is_told_with_its_cure(copy):
    (copy / "snippets/made/changes.json").write_text('[{"when": 1}]', encoding="utf-8")
    done = tables(copy)
    assert done.returncode == 1 and "git checkout" in done.stderr


def test_dates_of_the_operators_are_all_on_the_page(site):
    clusters = facts.load_all(day=facts.AS_WRITTEN)
    html = (site / "about/changes.html").read_text(encoding="utf-8")
    dated = changes.announced(clusters)
    assert {date for date, _, _ in dated} >= {str(c.status.ended) for c in clusters.values() if c.status.ended}
    assert len(dated) > 15 and all(f"<td>{date}</td>" in html for date, _, _ in dated)


def test_the_feed_is_atom_and_its_links_lead_to_the_page(site):
    feed = ElementTree.parse(site / "changes.xml").getroot()
    html = (site / "about/changes.html").read_text(encoding="utf-8")
    entries = feed.findall(f"{ATOM}entry")
    assert feed.tag == f"{ATOM}feed" and feed.find(f"{ATOM}updated") is not None
    assert (
        len({entry.find(f"{ATOM}id").text for entry in entries})
        == len(entries)
        == len({(c.date, c.cluster) for c in changes.read_log()})
    )
    for entry in entries:
        page, anchor = entry.find(f"{ATOM}link").get("href").split("#")
        assert (site / page).is_file() and f'id="{anchor}"' in html
    assert 'rel="alternate feed" type="application/atom+xml"' in (site / "index.html").read_text(encoding="utf-8")
