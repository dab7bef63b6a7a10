"""`guide sources`: without a network it says so; with one its status says whether there is something to look at."""

import sys

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.facts.units import Date
from scripts.sources import __main__ as tool
from scripts.sources.ask import Became, Found
from scripts.sources.cited import Cited
from scripts.sources.compare import Line
from scripts.sources.fetch import Fetcher, Unreachable
from scripts.sources.report import LONGEST, MOST_LINES, issue, report


class Silent(Fetcher):
    """No network: as it is on many a machine, and on none that tests may rely on."""

    def get(self, address, **how):
        raise Unreachable("no connection: Name or service not known")


class Answering(Silent):
    """One text for every page."""

    def get(self, address, **how):
        return "0" * 40 if "api.github.com" in address else "gpu 3 days"

    def keep(self, name, text):
        pass


def run(monkeypatch, *arguments, fetcher=Silent) -> int:
    monkeypatch.setattr(sys, "argv", ["guide sources", *map(str, arguments)])
    return tool.main(fetcher())


def test_without_a_network_it_says_so_in_one_line(monkeypatch, capsys, tmp_path):
    assert run(monkeypatch, "puhti", "--issue", tmp_path / "issue.md") == 3
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("No network: no connection: Name or service not known (https://")
    assert line.endswith("sources.") and "Nothing is known about" in line
    assert (tmp_path / "issue.md").read_text(encoding="utf-8") == "", "no issue is opened for that"


def test_all_systems_are_asked_and_each_source_once(monkeypatch, capsys):
    run(monkeypatch, fetcher=Answering)
    total = int(capsys.readouterr().out.splitlines()[-1].split()[0])
    sources = {
        (source.url, source.revision)
        for cluster in load_all().values()
        for found in cluster.sources.values()
        for source in found
    }
    assert total >= len(sources) > 100


def test_an_unknown_system_is_told(monkeypatch):
    with pytest.raises(BadInput, match="there is no cluster `puthi`. Did you mean `puhti`?"):
        run(monkeypatch, "puthi")


def test_what_is_due_stands_in_the_issue_whatever_the_sources_say(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(tool, "today", lambda: Date("2029-01-01"))
    run(monkeypatch, "kestrel", "narval", "--issue", tmp_path / "issue.md")
    text = (tmp_path / "issue.md").read_text(encoding="utf-8")
    capsys.readouterr()
    assert text.startswith("These pages were read over a year ago:\n\n- snippets/kestrel/")
    assert "snippets/narval/cluster.yml:" in text and "was last read on 2026-" in text


def test_the_status_tells_what_there_is_to_do(monkeypatch):
    def of(*became: Became) -> int:
        source = Cited("https://example.org/", None, "2026-01-01")
        return tool.status([Found(source, each) for each in became])

    assert of(Became.SAME, Became.FIXED, Became.UNKNOWN) == 0
    assert of(Became.SAME, Became.MOVED, Became.SILENT) == of(Became.GONE) == 1
    assert of(Became.SAME, Became.SILENT) == 2
    assert of(Became.SILENT, Became.FIXED) == 3


@pytest.mark.parametrize("number", [1, MOST_LINES, MOST_LINES + 1, MOST_LINES + 2])
def test_what_lost_most_lines_is_told_first_and_of_many_lines_the_first(number):
    def lost(name: str, lines: int) -> Found:
        went = [Line(f"{line} " + "x" * LONGEST, "") for line in range(lines)]
        return Found(Cited(f"https://{name}.org/", "git:1234567", "2026-01-01"), Became.MOVED, went=went)

    told = [*report([lost("a", 0), lost("b", number), Found(lost("c", 0).source, Became.GONE, why="it is gone")])]
    quoted = [line for line in told if line.startswith("      - ")]
    more = number - MOST_LINES
    assert [line[8:].split()[0] for line in quoted] == [
        *map(str, range(min(number, MOST_LINES))),
        *["and"] * (more > 0),
    ]
    assert more < 1 or quoted[-1] == f"      - and {more} line{'s' * (more > 1)} more"
    assert all(len(line) == len("      - ") + LONGEST for line in quoted[:MOST_LINES]) and quoted[0].endswith("x…")
    assert [line.split(":")[1] for line in told if line.startswith("http")] == ["//b.org/", "//a.org/", "//c.org/"]


def test_an_issue_lists_what_is_gone_and_no_page_ends_its_fence():
    gone = Found(Cited("https://a.org/", None, "2026-01-01"), Became.GONE, why="it is gone\n~~~\n")
    silent = [Found(Cited(f"https://b.org/{n}", None, "2026-01-01"), Became.SILENT, why="no answer") for n in "xy"]
    text = "\n".join(issue([gone, *silent]))
    assert "- https://a.org/\n" in text and "not asked, 2 sources of b.org: no answer." in text
    assert text.count("~~~") == 2
