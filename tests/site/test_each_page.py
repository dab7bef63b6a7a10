"""Each page in a real browser: once on a phone, once at a desk, once in the offline folder; all is asked in that visit.

Asked are: what it fetches and from whom, its policy, whether it moves while it loads, whether it fits the screen, what
its copy buttons give, the keyboard alone, its search, and axe-core, which finds what a program can find of what keeps
people out; nobody with a screen reader has been asked. By day a page of each kind is visited once, and some of those
that changed; by night every page, each way.
"""

import pytest

from scripts.paths import ROOT
from tests.site import looks
from tests.site.looks import DESK, NARROWEST, OF_COLOURS, PHONE
from tests.site.pages import AT_A_DESK, NAMES, ON_A_PHONE, PAGES, WRONG_ADDRESS, changed, html_of, included
from tests.tiers import by_day

BYTES_A_PAGE = 100_000
EVERY = [*NAMES, WRONG_ADDRESS]
WANTED = {
    html_of(page): [
        (ROOT / name).read_text(encoding="utf-8").rstrip() for name in included(page) if not name.endswith(".md")
    ]
    for page in PAGES
}


def elsewhere(page) -> list[str]:
    return [f"another host is asked for {url}" for url in page.asked] + [
        f"the browser reports: {fault}" for fault in page.faults
    ]


def weight(sent: dict[str, int], name: str) -> list[str]:
    """What went out since the page was asked for: its files, compressed, and nothing that only a search needs."""
    assert f"/{name}" in sent and any("assets/search-later.js" in path for path in sent), "not everything was counted"
    total = sum(sent.values())
    return [f"a first view takes {total} bytes, more than {BYTES_A_PAGE}: {sent}"] if total > BYTES_A_PAGE else []


@pytest.mark.parametrize("name", by_day(EVERY, {*ON_A_PHONE, *changed()}))
def test_a_page_on_a_phone_in_dark_colours(name, visit, server):
    server.sent.clear()
    page = visit(name, PHONE, "dark", fresh=True)
    faults = looks.overhanging(page, PHONE) + looks.shifted(page)
    faults += looks.not_copied(page, WANTED.get(name, []))
    faults += weight(dict(server.sent), name)
    looks.search(page, "cuda")
    faults += elsewhere(page)
    page.keyboard.press("Escape")
    page.evaluate(looks.OPEN_ALL)
    looks.resize(page, NARROWEST)
    faults += looks.overhanging(page, NARROWEST) + looks.cut(page)
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    # Light and dark are one document with other colours, so here they are all there is to ask for.
    assert faults + looks.axe_at_widths(page, (PHONE, DESK), OF_COLOURS) == []


@pytest.mark.parametrize("name", by_day(EVERY, AT_A_DESK))
def test_a_page_at_a_desk_in_light_colours(name, visit):
    page = visit(name, DESK, "light")
    faults = looks.shifted(page)
    faults += looks.tab_through(page) + looks.missed(page)
    page.evaluate(looks.OPEN_ALL)
    hidden = "all => all.filter(e => !e.checkVisibility({opacityProperty: true})).map(e => e.textContent)"
    faults += page.eval_on_selector_all("article .evidence", hidden)
    assert page.evaluate("document.body.dataset.mdColorScheme") == "default"
    faults += looks.axe_at_widths(page, (DESK, PHONE))
    assert faults + elsewhere(page) == []


@pytest.mark.parametrize("name", by_day(NAMES, {"learn/pytorch.html"}))  # a folder has no wrong addresses
def test_a_page_of_the_folder(name, visit, folder):
    page = visit(name, home=folder.as_uri())
    page.keyboard.press("/")
    page.wait_for_selector(".md-search__input:focus")
    page.keyboard.type("cuda")
    page.wait_for_selector(".md-search-result__link")
    page.keyboard.press("Escape")
    assert looks.not_copied(page, WANTED.get(name, [])) + elsewhere(page) == []
