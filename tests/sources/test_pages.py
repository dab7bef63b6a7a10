"""Pages that keep no history: known by a hash of their words, and compared line by line."""

from itertools import permutations

import pytest

from scripts.facts.model import Source
from scripts.facts.source import source as source_of
from scripts.sources.ask import Became, ask
from scripts.sources.cited import cited
from scripts.sources.fetch import Fetcher, Gone, Unreachable
from scripts.sources.origins import Git, Page, digest, origin_of
from scripts.sources.report import report
from scripts.sources.text import is_html, lines_of
from tests.clusters import CLUSTERS
from tests.sources.server import plain, serve

HTML = "text/html; charset=utf-8"
PAGE = """<!DOCTYPE html><html><head><title>t 1</title><style>p {{ width: {width}px }}</style></head><body>
<nav><ul><li>Menu of 12</li></ul></nav><h2>Kestrel partitions</h2><p>Jobs run for
two days &amp; more.</p><table><tr><th>Partition</th><th>Time</th></tr>
<tr><td><code>gpu-h100</code></td><td>{time}</td></tr></table><script>var x = {width} < 3</script>
<footer>read {width} times</footer></body></html>"""


def one(url: str, revision: str | None, fetcher: Fetcher):
    source = Source(title="A page", url="https://example.org/", read="2026-01-01", revision=revision)
    sources = {"partitions": [source.model_copy(update={"url": url})]}
    (found,) = ask({"kestrel": CLUSTERS["kestrel"].model_copy(update={"sources": sources})}, fetcher)
    return found


@pytest.fixture
def fetcher(tmp_path):
    """A new one each time, as another day's; all keep what they fetch in one folder."""
    return lambda: Fetcher(tmp_path, pause=0)


def test_a_page_is_what_is_read_on_it():
    page = PAGE.format(width=3, time="2 days")
    lines = lines_of(page)
    assert lines == [
        "## Kestrel partitions",
        "Jobs run for two days & more.",
        "| Partition | Time |",
        "| gpu-h100 | 2 days |",
    ]
    assert lines == lines_of(PAGE.format(width=4, time="2&nbsp;days").replace("<tr>", '<tr class="new">'))
    assert lines == lines_of(page.replace("</head>", "")), "which may be omitted"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>",
        "<!doctype html><nav><nav><p>1",
        "<html><b",
        "<html>&#x110000;&#0;<p>a",
        "<html><nav><nav>1</nav>2</nav>a",
    ],
)
def test_broken_pages_are_read_as_far_as_they_go(text):
    assert lines_of(text) in ([], ["a"], ["\ufffd\ufffd", "a"], ["<b"])


def test_a_page_is_known_by_its_beginning():
    assert is_html(" <!-- a --><?xml version='1.0'?>\n<!DOCTYPE html><html>") and is_html("<HTML>")
    assert not is_html("# A title\n<html>") and not is_html("<!-- no end") and not is_html("")
    assert not is_html("<!-- -->" * 40 + "a"), "at once"


def test_a_changed_limit_is_told_and_a_new_dress_is_not(fetcher):
    with serve({"/a": plain(PAGE.format(width=3, time="2 days"), HTML)}) as (state, home):
        first = one(f"{home}/a", None, fetcher())
        assert first.became is Became.UNKNOWN and first.now.startswith("sha256:")
        state.pages["/a"] = plain(PAGE.format(width=4, time="2 days"), HTML)
        assert one(f"{home}/a", first.now, fetcher()).became is Became.SAME
        state.pages["/a"] = plain(PAGE.format(width=4, time="1 day"), HTML)
        found = one(f"{home}/a", first.now, fetcher())
        assert found.became is Became.MOVED and found.now != first.now
        assert {"      - | gpu-h100 | 2 days |", "      + | gpu-h100 | 1 day |"} <= {*report([found])}


def test_what_was_not_kept_is_said_to_be_unknown(fetcher):
    with serve({"/a": plain(PAGE.format(width=3, time="2 days"), HTML)}) as (_, home):
        found = one(f"{home}/a", digest(["another text"]), fetcher())
    assert found.became is Became.MOVED and "was not kept" in found.why
    assert "Read it again." in "\n".join(report([found]))


def test_of_a_repository_only_its_files_are_read_and_silence_is_not_their_end():
    texts = {"a.md": '--8<-- "b.md"\n--8<-- "../b.md"\n--8<-- "c.md"', "in/b.md": "b", "in/../b.md": "secret"}

    class Files(Fetcher):
        def get(self, address, **how):
            name = address.partition("/1234567/")[2]
            if name not in texts:
                raise Unreachable("no answer") if name == "down.md" else Gone("it is gone")
            return texts[name]

    def lines(*files: str) -> list[str]:
        return Git("x/y", "main", files, "in").then(Files(), "git:1234567").lines

    assert lines("none.md", "a.md") == ["b", '--8<-- "../b.md"', '--8<-- "c.md"']
    with pytest.raises(Unreachable, match="no answer"):
        lines("down.md", "a.md")


@pytest.mark.parametrize("days", list(permutations(["2026-01-02", "2026-03-04", "2026-02-03"])))
def test_of_several_days_the_latest_counts(days):
    """Of one state of a page, whichever system cites it, and in whichever group."""
    source = Source(title="A page", url="https://example.org/", read="2026-01-01", revision="git:1234567")
    first, second, third = (source.model_copy(update={"read": day}) for day in days)
    systems = zip(("kestrel", "lumi"), ({"gpus": [first], "login": [second]}, {"gpus": [third]}), strict=True)
    (one,) = cited({key: CLUSTERS[key].model_copy(update={"sources": sources}) for key, sources in systems})
    several = CLUSTERS["kestrel"].model_copy(update={"sources": {"gpus": [first, second, third]}})
    assert source_of(several, "gpus.h100") == "NLR, checked 2026-03-04"
    assert (one.read, one.by) == ("2026-03-04", {"kestrel": ["gpus", "login"], "lumi": ["gpus"]})


def test_every_cited_address_has_its_origin():
    kinds = {
        source.url: origin_of(source.url)
        for cluster in CLUSTERS.values()
        for sources in cluster.sources.values()
        for source in sources
    }
    csc = kinds["https://docs.csc.fi/computing/systems-puhti/"]
    assert isinstance(csc, Git) and csc.files[0] == "docs/computing/systems-puhti.md"
    (fixed,) = [url for url, origin in kinds.items() if origin is None and "batch-job-partitions" in url]
    assert "8ed818d9d" in fixed, "a commit's file never changes"
    assert isinstance(kinds["https://arc.leeds.ac.uk/farewell-to-arc4"], Page)
    home = origin_of("https://natlabrockies.github.io/HPC/")
    assert isinstance(home, Git) and home.files == ("docs/index.md",)
    assert origin_of("https://github.com/a/b/blob/0123abc-fix/a%20b.md") == Git("a/b", "0123abc-fix", ("a b.md",))
    parts = {url: kinds[url] for url in kinds if isinstance(kinds[url], Git) and "github.com" not in url}
    assert {url: origin_of(f"{url}#part") for url in parts} == parts
    assert sum(isinstance(origin, Git) for origin in kinds.values()) > 60
