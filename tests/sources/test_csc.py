"""Two real states of CSC's guide, a year apart: Puhti ended in between, and Roihu began."""

from pathlib import Path

import pytest
import yaml

from scripts.facts.model import Source
from scripts.sources import origins
from scripts.sources.ask import Became, Found, ask
from scripts.sources.compare import numbered
from scripts.sources.fetch import Fetcher
from scripts.sources.report import issue, report
from tests.clusters import CLUSTERS
from tests.sources.server import plain, serve

FOLDER = Path(__file__).with_name("csc")
DRAWN = yaml.safe_load((FOLDER / "sources.yml").read_text(encoding="utf-8"))
THEN, NOW = DRAWN["commits"]
REPOSITORY = DRAWN["repository"].removeprefix("https://github.com/")
INCLUDED = "csc-overrides/assets/snippets/puhti-retirement-running-notice"  # what the later page of partitions includes
PARTITIONS, PUHTI = "computing/running/batch-job-partitions", "computing/systems-puhti"


def text(commit: str, page: str) -> str:
    return (FOLDER / f"{commit[:9]}-{Path(page).name}.txt").read_text(encoding="utf-8")


def reading(key: str, group: str, page: str, revision: str):
    """The system, with nothing but this group, read from this page at this revision."""
    url = f"https://docs.csc.fi/{page}/"
    source = Source(title="CSC's guide", url=url, read="2025-08-21", revision=revision)
    return CLUSTERS[key].model_copy(update={"sources": {group: [source]}})


@pytest.fixture
def github(monkeypatch, tmp_path):
    """GitHub with these two commits of these pages; the later one is the newest."""
    pages = {
        f"/{REPOSITORY}/{commit}/docs/{page}.md": plain(text(commit, page))
        for commit in (THEN, NOW)
        for page in (PARTITIONS, PUHTI)
    }
    notice = f"/{REPOSITORY}/{NOW}/{INCLUDED}.md"
    pages[notice] = plain(text(NOW, INCLUDED))
    with serve({**pages, f"/{REPOSITORY}/commits/master": plain(NOW)}) as (state, home):
        monkeypatch.setattr(origins, "API", home)
        monkeypatch.setattr(origins, "RAW", home)
        state.fetcher = Fetcher(tmp_path, pause=0)
        yield state


def ask_of(github, *wanted) -> list[Found]:
    return ask({each.key: each for each in wanted}, github.fetcher)


def test_puhtis_end_is_seen(github):
    (found,) = ask_of(github, reading("puhti", "partitions", PARTITIONS, f"git:{THEN}"))
    assert found.became is Became.MOVED and found.now == f"git:{NOW}"
    told = "\n".join(report([found]))
    assert "+ Puhti login nodes and storage services are planned to remain available until 15 October 2026" in told
    # Of its partitions only one was taken off the page; the others stand there still, and are not told.
    (gone,) = [line.words for line in found.went if line.heading.count("Puhti") and line.words.startswith("|")]
    assert gone.startswith("| `interactive` | 7 days |") and "- | `interactive` | 7 days |" in told


def test_roihu_is_seen_as_what_is_new(github):
    (found,) = ask_of(github, reading("roihu", "partitions", PARTITIONS, f"git:{THEN}"))
    came = {line.words for line in found.came if "Roihu" in line.heading}
    for name in ("gputest", "gpumedium", "gpularge", "hugemem"):
        assert any(line.startswith(f"| `{name}` |") for line in came), name
    rows = {line.words for line in numbered(text(NOW, PARTITIONS).splitlines()) if "Roihu" in line.heading}
    assert came == rows, "all of it is new"


def test_the_sentence_about_its_end_is_quoted(github):
    (found,) = ask_of(github, reading("puhti", "status", PUHTI, f"git:{THEN}"))
    told = "\n".join(report([found]))
    assert "+ Puhti computing services have been shut down 31 July 2026" in told
    assert "682" not in told, "the nodes are as they were"


def test_the_newest_commit_needs_no_text(github):
    (found,) = ask_of(github, reading("puhti", "status", PUHTI, f"git:{NOW[:9]}"))
    assert found.became is Became.SAME and github.asked == [f"/{REPOSITORY}/commits/master"]


def test_a_commit_that_left_the_page_alone_is_no_change(github):
    github.pages[f"/{REPOSITORY}/{NOW}/docs/{PUHTI}.md"] = plain(text(THEN, PUHTI).replace("\n", "\n\n"))
    (found,) = ask_of(github, reading("puhti", "status", PUHTI, f"git:{THEN}"))
    assert found.became is Became.SAME and list(issue([found])) == []


def test_a_page_that_was_taken_down_is_told(github):
    del github.pages[f"/{REPOSITORY}/{NOW}/docs/{PUHTI}.md"]
    (found,) = ask_of(github, reading("puhti", "status", PUHTI, f"git:{THEN}"))
    assert found.became is Became.GONE and f"commit {NOW[:9]} has no" in found.why


def test_an_issue_is_markdown_in_which_pages_can_write_nothing(github):
    hostile = text(NOW, PUHTI) + "\n~~~\n@everybody ![1](http://127.0.0.1/1.png) <img src=x> \x1b[31m 99\n"
    github.pages[f"/{REPOSITORY}/{NOW}/docs/{PUHTI}.md"] = plain(hostile)
    lines = list(issue(ask_of(github, reading("puhti", "status", PUHTI, f"git:{THEN}"))))
    opened = [number for number, line in enumerate(lines) if line.startswith("~~~")]
    (planted,) = [number for number, line in enumerate(lines) if "@everybody" in line]
    assert len(opened) == 2 and opened[0] < planted < opened[1] and "\x1b" not in "".join(lines)
    assert lines[0].startswith("These sources have changed")
    assert "- https://docs.csc.fi/computing/systems-puhti/" in lines
