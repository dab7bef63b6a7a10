"""What operators changed: the list, its page and its feed; and the facts as plain data."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.facts import changes
from scripts.site.after.feed import feed
from scripts.tables.changes import changes_part
from tests.clusters import CLUSTERS

ATOM = "{http://www.w3.org/2005/Atom}"
ENTRY = "  - {{date: {date}, system: {system}, what: '{what}', source: {source}}}\n"
SOURCE = "{title: News, url: 'https://docs.csc.fi/news/', read: 2027-01-03}"


def listed(folder: Path, *entries: tuple[str, str, str]) -> changes.Changes:
    """A list of these changes: (date, system, what)."""
    text = "".join(ENTRY.format(date=date, system=system, what=what, source=SOURCE) for date, system, what in entries)
    file = folder / "changes.yml"
    file.write_text("began: 2026-11-23\nchanges:" + (f"\n{text}" if text else " []\n"), encoding="utf-8")
    return changes.load_changes(CLUSTERS, file)


@pytest.fixture
def some(tmp_path) -> changes.Changes:
    return listed(
        tmp_path,
        ("2027-01-02", "puhti", "jobs in `gpu` end after 2 days"),
        ("2027-01-02", "lumi", "`small-g` is gone & done"),
        ("2027-01-02", "puhti", "Python 3.14 is there"),
        ("2027-01-01", "puhti", "an account is required"),
    )


def test_the_guides_own_list_is_sound():
    changes.load_changes(CLUSTERS)


@pytest.mark.parametrize(
    "entries, told",
    [
        ([("2027-01-02", "puthi", "x")], r"changes\.yml:3: there is no cluster `puthi`.* `puhti`"),
        ([("2027-13-02", "puhti", "x")], r"changes\.yml:3: .*date"),
        ([(f"2027-01-0{day}", "puhti", "x") for day in (3, 1, 2)], r"changes\.yml:5: .* is below that of 2027-01-01"),
        ([("2027-01-01", "puhti", "x"), ("2027-01-02", "puhti", "y")], r"changes\.yml:4: .*Put the newest first"),
    ],
)
def test_a_wrong_entry_is_told_with_its_line(tmp_path, entries, told):
    with pytest.raises(BadInput, match=told):
        listed(tmp_path, *entries)


def test_the_page_lists_each_change_below_its_day_with_its_source(some):
    text = changes_part(CLUSTERS, some).partition("## Changes by the operators { #changed-by-the-operators }\n\n")[2]
    text = text.replace(" { data-search-exclude }", "")
    assert text.startswith("### 2027-01-02\n\n- [Puhti](/clusters/puhti.md): jobs in `gpu` end after 2 days ([News](")
    assert text.count("\n- ") == 4 and text.index("3.14") < text.index("### 2027-01-01") < text.index("an account is")


def test_an_empty_list_says_since_when(tmp_path):
    assert "There have been no changes since November 23, 2026, when this list began." in changes_part(
        CLUSTERS, listed(tmp_path)
    )


def test_the_feed_has_an_entry_for_each_day_and_system(some):
    found = ElementTree.fromstring(feed(CLUSTERS, some, "https://example.org/"))
    entries = found.findall(f"{ATOM}entry")
    assert found.find(f"{ATOM}updated").text == "2027-01-02T00:00:00Z"
    assert [entry.find(f"{ATOM}title").text for entry in entries] == [
        "Puhti: 2 changes",
        "LUMI: 1 change",
        "Puhti: 1 change",
    ]
    assert entries[1].find(f"{ATOM}content").text == "`small-g` is gone & done"
    assert entries[0].find(f"{ATOM}link").get("href") == "https://example.org/about/changes.html#2027-01-02"
    assert len({entry.find(f"{ATOM}id").text for entry in entries}) == 3


def test_what_the_facts_date_is_listed_newest_first_as_what_it_is():
    dated = changes.announced(CLUSTERS)
    assert dated == sorted(dated, reverse=True)
    for what, field in {
        "opened to users": "since",
        "retired": "ended",
        "planned end of service": "planned_end",
    }.items():
        days = {key: getattr(cluster.status, field) for key, cluster in CLUSTERS.items()}
        assert {key: day for day, key, said in dated if said == what} == {key: day for key, day in days.items() if day}
        dated = [each for each in dated if each[2] != what]
    rules = r"(account|time limit|partition|GPU model|memory) (required|optional|leave out|ignored) in every job"
    assert dated and all(re.fullmatch(rules, said) for *_, said in dated)


def test_dates_of_the_operators_are_all_on_the_page(site):
    html = (site / "about/changes.html").read_text(encoding="utf-8")
    dated = changes.announced(CLUSTERS)
    assert {date for date, _, _ in dated} >= {str(c.status.ended) for c in CLUSTERS.values() if c.status.ended}
    assert len(dated) > 15 and all(f">{date}</" in html for date, _, _ in dated)


def test_the_built_feed_is_atom_and_each_page_names_it(site):
    found = ElementTree.parse(site / "changes.xml").getroot()
    assert found.tag == f"{ATOM}feed" and found.find(f"{ATOM}updated") is not None
    assert 'rel="alternate feed" type="application/atom+xml"' in (site / "index.html").read_text(encoding="utf-8")
