"""What changed in the facts: the comparison, the log, the page and the feed."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from scripts import changes, facts
from scripts.changes import Change
from scripts.errors import BadInput
from tests.sandbox import ROOT

ATOM = "{http://www.w3.org/2005/Atom}"
DAY = "2027-01-02"


def test_the_record_agrees_with_the_facts():
    changes.check()


def test_flatten_keeps_every_value():
    assert changes.flatten({"a": {"b": 1, "c.d": "x"}, "list": [1, {"p": "/q", "n": 2}], "yes": True}) == {"a.b": "1", "a.c.d": "x", "list": ["1", "/q, 2"], "yes": "True"}


def test_differences_name_what_was_added_changed_and_taken_out():
    before = {"puhti": {"same": "1", "limit": "3", "gone": "x", "list": ["a", "b"]}, "old": {"k": "v"}}
    now = {"puhti": {"same": "1", "limit": "4", "new": "y", "list": ["b", "c"]}, "fresh": {"k": "v"}}
    assert changes.differences(before, now, DAY) == [
        Change(DAY, "fresh", "", "", "described here"), Change(DAY, "old", "", "described here", ""),
        Change(DAY, "puhti", "gone", "x", ""), Change(DAY, "puhti", "limit", "3", "4"), Change(DAY, "puhti", "list", "a", "c"), Change(DAY, "puhti", "new", "", "y")]


def test_edits_of_one_day_are_one_change_and_none_if_taken_back():
    first = changes.merge([], [Change(DAY, "puhti", "limit", "3", "4")])
    second = changes.merge(first, [Change(DAY, "puhti", "limit", "4", "5")])
    assert second == [Change(DAY, "puhti", "limit", "3", "5")]
    assert changes.merge(second, [Change(DAY, "puhti", "limit", "5", "3")]) == []
    later = changes.merge(second, [Change("2027-02-03", "puhti", "limit", "5", "6")])
    assert [change.date for change in later] == ["2027-02-03", DAY]


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The facts of two clusters in a folder of their own, recorded."""
    for key in ("puhti", "roihu"):
        (tmp_path / key).mkdir()
        (tmp_path / key / "cluster.yml").write_text((ROOT / "snippets" / key / "cluster.yml").read_text())
    for name, file in {"FACTS": "facts.json", "LOG": "changes.json", "PART": "changes.md"}.items():
        monkeypatch.setattr(changes, name, tmp_path / file)
    monkeypatch.setattr(changes, "SNIPPETS", tmp_path)
    monkeypatch.setattr(changes, "ROOT", tmp_path)
    monkeypatch.setattr(changes, "load_all", lambda: facts.load_all(tmp_path))
    (tmp_path / "facts.json").write_text(json.dumps(changes.facts_now()))
    (tmp_path / "changes.json").write_text("[]")
    return tmp_path


@pytest.mark.parametrize("name", ["facts.json", "changes.json"])
@pytest.mark.parametrize("text", ["{", "[1]", "3", None])
def test_a_file_that_was_spoilt_is_told_with_its_cure_and_nothing_is_written(copy, name, text):
    if text is None:
        (copy / name).unlink()
    else:
        (copy / name).write_text(text)
    before = {path: path.read_bytes() for path in copy.iterdir() if path.is_file()}
    with pytest.raises(BadInput, match=rf"{name}: .* git checkout -- snippets/{name}"):
        changes.record(DAY)
    assert {path: path.read_bytes() for path in copy.iterdir() if path.is_file()} == before


def test_a_changed_limit_is_refused_until_it_is_recorded_and_then_stands_on_the_page(copy):
    assert changes.record(DAY) == []
    changes.check()
    path = copy / "puhti/cluster.yml"
    text = path.read_text()
    path.write_text(text.replace("max_time: 14-00:00:00", "max_time: 10-00:00:00", 1))
    assert path.read_text() != text
    with pytest.raises(BadInput, match="make tables"):
        changes.check()
    (found,) = changes.record(DAY)
    assert (found.cluster, found.was, found.now) == ("puhti", "14-00:00:00", "10-00:00:00") and found.key.endswith(".max_time")
    changes.check()
    assert f"- `{found.key}` was: `14-00:00:00`<br>and is now: `10-00:00:00`" in (copy / "changes.md").read_text()
    assert changes.record(DAY) == []


def test_sources_read_again_are_no_change(copy):
    path = copy / "puhti/cluster.yml"
    path.write_text(path.read_text().replace("read: 2026-11-20", "read: 2027-01-02"))
    assert changes.record(DAY) == []


def test_a_broken_log_is_told_with_its_cure(copy):
    (copy / "changes.json").write_text('[{"when": 1}]')
    with pytest.raises(BadInput, match="git checkout"):
        changes.record(DAY)


def test_dates_of_the_operators_are_all_on_the_page(site):
    clusters = facts.load_all()
    html = (site / "about/changes.html").read_text()
    dated = changes.announced(clusters)
    assert {date for date, _, _ in dated} >= {str(c.status.ended) for c in clusters.values() if c.status.ended}
    assert len(dated) > 15 and all(f"<td>{date}</td>" in html for date, _, _ in dated)


def test_the_feed_is_atom_and_its_links_lead_to_the_page(site):
    feed = ElementTree.parse(site / "changes.xml").getroot()
    html = (site / "about/changes.html").read_text()
    entries = feed.findall(f"{ATOM}entry")
    assert feed.tag == f"{ATOM}feed" and feed.find(f"{ATOM}updated") is not None
    assert len({entry.find(f"{ATOM}id").text for entry in entries}) == len(entries) == len({(c.date, c.cluster) for c in changes.read_log()})
    for entry in entries:
        page, anchor = entry.find(f"{ATOM}link").get("href").split("#")
        assert (site / page).is_file() and f'id="{anchor}"' in html
    assert 'rel="alternate feed" type="application/atom+xml"' in (site / "index.html").read_text()
