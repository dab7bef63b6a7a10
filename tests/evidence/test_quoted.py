"""Listings that others have published: each has its source, the page says so, and their own numbers agree."""

import re
from datetime import timedelta

import markdown
import pytest

from scripts.errors import BadInput
from scripts.evidence import quoted
from scripts.evidence.line import EvidenceExtension
from scripts.facts.units import Date, day


def text(name: str) -> str:
    return (quoted.FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def line_under(name: str) -> str:
    page = f'```text\n--8<-- "snippets/listings/{name}.txt"\n```\n'
    html = markdown.markdown(page, extensions=["attr_list", "fenced_code", EvidenceExtension()])
    return html[html.index("<p") :]


@pytest.mark.parametrize("name", sorted(path.stem for path in quoted.FOLDER.glob("*.txt")))
def test_the_line_under_a_listing_says_whose_it_is_and_of_when(name):
    said, source = line_under(name), quoted.sources()[name]
    assert 'class="evidence quoted"' in said and "#quoted" in said and f"/snippets/listings/{name}.txt" in said
    assert f'href="{source.url}"' in said and f"(retrieved {Date(source.read).words})" in said
    assert day(source.dated or "") in said and (source.changed or "") in said
    assert "Ran" not in said and "Not checked" not in said


@pytest.mark.parametrize(
    "sources, listings, told",
    [
        ("one: {title: A, url: 'https://a.org', read: 2026-11-21}\n", ["one", "two"], "`two.txt` has no source"),
        ("one: {title: A, url: 'https://a.org', read: 2026-11-21}\n", [], "there is no one.txt"),
        ("one: {title: A, read: 2026-11-21}\n", ["one"], "url"),
        ("one: {title: A, url: 'https://a.org', reed: 2026-11-21}\n", ["one"], "reed"),
    ],
)
def test_a_listing_without_its_source_is_told_in_one_line(sources, listings, told, tmp_path, monkeypatch):
    (tmp_path / "sources.yml").write_text(sources, encoding="utf-8")
    for name in listings:
        (tmp_path / f"{name}.txt").write_text("a\n", encoding="utf-8")
    monkeypatch.setattr(quoted, "FOLDER", tmp_path)
    monkeypatch.setattr(quoted, "SOURCES", tmp_path / "sources.yml")
    with pytest.raises(BadInput) as fault:
        quoted.sources.__wrapped__()
    assert told in str(fault.value) and "sources.yml" in str(fault.value)


def test_a_listing_is_text_as_a_terminal_prints_it():
    for path in quoted.FOLDER.glob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines and all(line == line.rstrip() and "\t" not in line for line in lines), path.name
        assert max(map(len, lines)) <= 120, path.name


def test_energy_is_power_times_time_and_the_cards_add_up():
    """The page says so of this listing."""
    cards = re.findall(r"([\d.]+) Wh, avg power: ([\d.]+) W \(([\d.]+) s\)", text("gpu-energy"))
    assert len(cards) == 4
    for energy, power, seconds in cards:
        assert float(energy) == pytest.approx(float(power) * float(seconds) / 3600, abs=0.01)
    (total,) = re.findall(r"TOTAL: ([\d.]+)", text("gpu-energy"))
    assert float(total) == pytest.approx(sum(float(card[0]) for card in cards), abs=0.03)  # each is rounded


def test_the_efficiency_is_the_cores_time_over_what_they_had():
    def seconds(clock: str) -> float:
        hours, minutes, rest = map(int, clock.split(":"))
        return timedelta(hours=hours, minutes=minutes, seconds=rest).total_seconds()

    said = dict(re.findall(r"^([\w -]+): (.*)$", text("seff"), re.MULTILINE))
    cores = int(said["Nodes"]) * int(said["Cores per node"])
    had = cores * seconds(said["Job Wall-clock time"])
    percent, of = re.match(r"([\d.]+)% of ([\d:]+)", said["CPU Efficiency"]).groups()
    assert seconds(of) == had and float(percent) == pytest.approx(100 * seconds(said["CPU Utilized"]) / had, abs=0.01)
    percent, of = re.match(r"([\d.]+)% of ([\d.]+) GB", said["Memory Efficiency"]).groups()
    assert float(percent) == pytest.approx(100 * float(said["Memory Utilized"].split()[0]) / float(of), abs=0.01)
