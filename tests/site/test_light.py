"""How much the reader's browser fetches, and whether the page stays where it is while it loads.

The server here compresses as GitHub Pages and any web server do, and counts what it sends: headers, workers, everything.
"""

import time

import pytest

from scripts.site.server import serve
from tests.snippets.sandbox import ROOT
from tests.site.test_browser import browser  # noqa: F401  (fixture)

DOCS = ROOT / "docs"
PAGES = sorted(str(p.relative_to(DOCS).with_suffix(".html")) for room in ("", "clusters", "learn", "about") for p in (DOCS / room).glob("*.md"))
BYTES_A_PAGE = 100_000
BYTES_OF_THE_INDEX = 60_000
SHIFTED = """() => {
  const arrived = performance.getEntriesByType('navigation')[0].domContentLoadedEventStart
  const sum = list => list.filter(shift => !shift.hadRecentInput).reduce((sum, shift) => sum + shift.value, 0)
  return {all: sum(shifts), arrived: sum(shifts.filter(shift => shift.startTime >= arrived))}
}"""


@pytest.fixture(scope="module")
def server(site):
    with serve(site) as server:
        yield server


@pytest.fixture
def first_view(server, browser):  # noqa: F811
    """Open a page with an empty cache, on a phone or a desk; returns the page. server.sent then says what it cost."""
    contexts = []

    def first_view(name, width=390):
        contexts.append(browser.new_context(viewport={"width": width, "height": 844}))
        server.sent.clear()
        page = contexts[-1].new_page()
        page.add_init_script("window.shifts = []; new PerformanceObserver(list => shifts.push(...list.getEntries())).observe({type: 'layout-shift', buffered: true})")
        page.goto(f"http://127.0.0.1:{server.server_port}/{name}")
        page.wait_for_load_state("networkidle")
        return page

    yield first_view
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_first_view_is_light(name, first_view, server):
    page = first_view(name)
    page.wait_for_timeout(500)  # what a script would still ask for
    assert f"/{name}" in server.sent and any("workers/search" in path for path in server.sent), "not everything was counted"
    assert sum(server.sent.values()) <= BYTES_A_PAGE, server.sent


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_the_layout_does_not_shift(name, width, first_view):
    page = first_view(name, width)
    for _ in range(5):
        page.mouse.wheel(0, 2000)
        page.wait_for_timeout(100)
    shifted = page.evaluate(SHIFTED)
    # While the page still arrives, a busy machine may paint a part of it: then the usual bound for a good page holds.
    assert shifted["arrived"] < 0.01 and shifted["all"] < 0.1


def test_the_search_index_waits_for_somebody_who_searches(first_view, server):
    page = first_view("index.html", 1280)
    assert not any("search_index" in path for path in server.sent)
    page.keyboard.press("/")
    page.wait_for_selector(".md-search__input:focus")
    for _ in range(100):
        if "/search/search_index.json" in server.sent:
            break
        time.sleep(0.1)
    assert 0 < server.sent["/search/search_index.json"] <= BYTES_OF_THE_INDEX


def test_a_page_opened_from_a_result_marks_the_words(first_view):
    page = first_view("learn/pytorch.html?h=memory", 1280)
    page.wait_for_selector("article mark")
    assert page.locator("article mark").first.inner_text().lower() == "memory"


def test_programs_and_sources_are_not_in_the_index(site):
    index = (site / "search" / "search_index.json").read_text()
    assert "set_float32_matmul_precision" in index, "prose is in it"
    assert "#SBATCH --job-name" not in index and "import torch" not in index and '#sources"' not in index
    assert "srun --jobid=123456" in index, "one-line commands are in it"
