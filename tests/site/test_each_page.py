"""Each page in a real browser: once on a phone, once at a desk, once in the offline folder; all is asked in that visit.

Asked are: what it fetches and from whom, its policy, whether it moves while it loads, whether it fits the screen, what
its copy buttons give, the keyboard alone, its search, and axe-core, which finds what a program can find of what keeps
people out; nobody with a screen reader has been asked. By day a page of each kind is visited once, and some of those
that changed; by night every page, each way.
"""

from __future__ import annotations

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
    page = visit(name, PHONE, "dark")
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
    assert elsewhere(page) == []


@pytest.mark.nightly
def test_each_question_finds_its_fault(visit, server):
    """The questions themselves: on a good page, one fault of each kind is planted, and each must be told."""
    page = visit("learn/gpu-variables.html")
    page.evaluate("""() => {
      const wide = document.createElement('p')
      wide.style.width = '2000px'
      wide.textContent = 'wide'
      document.querySelector('article').prepend(wide)
    }""")
    assert "layout shifts" in looks.shifted(page)[0]
    assert "wide on a screen" in looks.overhanging(page, PHONE)[0] and ">wide<" in looks.cut(page)[0]
    assert "no button copies" in looks.not_copied(page, ["what is on no page"])[0]
    assert "takes 200000 bytes" in weight({"/index.html": 100_000, "/assets/search-later.js": 100_000}, "index.html")[0]
    with pytest.raises(AssertionError, match="not everything"):
        weight({"/index.html": 100}, "index.html")
    assert elsewhere(page) == []
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => null)")
    assert "Content Security Policy" in " ".join(elsewhere(page))
    with page.expect_event("requestfailed"):
        page.evaluate("location.assign('http://elsewhere.invalid/')")
    assert "another host is asked for http://elsewhere.invalid/" in elsewhere(page)


@pytest.mark.nightly
def test_axe_and_the_keyboard_would_find_a_fault(visit):
    """A picture without a text, a pale word, and a link that does not show its focus."""
    page = visit("index.html", DESK)
    page.evaluate("""() => {
      const picture = document.createElement('img'), pale = document.createElement('p')
      const link = document.createElement('a')
      picture.src = 'x.png'
      pale.textContent = 'pale'
      pale.style.color = '#bbb'
      link.href = link.textContent = 'index.html'
      link.style.setProperty('outline', 'none', 'important')
      document.querySelector('article').append(picture, pale, link)
    }""")
    faults = looks.tab_through(page)
    assert len(faults) == 1 and "has no outline" in faults[0], faults
    page.evaluate("document.querySelector('article a').removeAttribute('data-reached')")
    assert len(looks.missed(page)) == 1
    assert {fault.split(":")[0] for fault in looks.axe(page)} == {"image-alt", "color-contrast"}


@pytest.mark.nightly
def test_axe_would_find_a_fault_that_only_the_second_width_has(visit):
    """A word that turns pale, a ground that turns pale under one, a word that appears, and a picture that does."""
    page = visit("index.html", DESK)
    page.evaluate("""() => {
      const style = new CSSStyleSheet()
      style.replaceSync(`@media (max-width: 400px) { .fades { color: #bbb !important } .darkens { background: #222 } }
        @media (min-width: 401px) { .comes { display: none } } .comes { color: #bbb }`)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
      document.querySelector('article').insertAdjacentHTML('beforeend', `<p class="fades">one</p>
        <div class="darkens"><p>two</p></div><p class="comes">three</p>
        <img class="comes" src="x.png">`)
    }""")
    assert looks.axe_at_widths(page, (DESK,)) == []
    found = "\n".join(looks.axe_at_widths(page, (DESK, PHONE)))
    assert all(word in found for word in ("color-contrast", ">one<", ">two<", ">three<", "image-alt")), found
