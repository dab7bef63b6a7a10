"""Can everybody use the built site? axe-core on every page, the keyboard alone, a screen of 320 px, table captions.

axe-core comes with the package axe-playwright-python. It finds what a program can find; nobody with a screen reader has been asked.
"""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup

from tests.snippets.sandbox import ROOT
from tests.site.test_browser import address, browser  # noqa: F401  (fixtures)
from tests.site.test_search import RESULTS

DOCS = ROOT / "docs"
PAGES = ["404.html"] + sorted(str(p.relative_to(DOCS).with_suffix(".html")) for room in ("", "clusters", "learn", "about") for p in (DOCS / room).glob("*.md"))
each_page = pytest.mark.parametrize("name", PAGES)

RULES = "wcag2a wcag2aa wcag21a wcag21aa wcag22aa best-practice".split()
OPEN_ALL = """() => {
  document.head.insertAdjacentHTML('beforeend', '<style>.tabbed-block { display: block !important }</style>')
  document.querySelectorAll('details').forEach(details => details.open = true)
}"""


TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def visit(browser, address):  # noqa: F811
    """Open a page at a width in px and in a colour scheme; a page is closed with its test. Its policy is set aside for what the tests put into it."""
    contexts = []

    def visit(name, width=1280, scheme="light"):
        contexts.append(browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True))
        page = contexts[-1].new_page()
        page.goto(f"{address}/{name}")
        page.wait_for_load_state("networkidle")
        return page

    yield visit
    for context in contexts:
        context.close()


def findings(page, rules=RULES, leave_out=()) -> list[str]:
    """What axe-core objects to: the rule, and the HTML of the first three places."""
    page.evaluate(AXE_SCRIPT)
    context = {"include": [["html"]], "exclude": [[place] for place in leave_out]}
    violations = page.evaluate("([context, rules]) => axe.run(context, {runOnly: rules, resultTypes: ['violations']})", [context, rules])["violations"]
    return [f"{v['id']}: {[node['html'][:120] for node in v['nodes'][:3]]}" for v in violations]


@each_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(name, scheme, visit):
    page = visit(name, 1280, scheme)
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.body.dataset.mdColorScheme") == {"light": "default", "dark": "slate"}[scheme]
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(TWO_FRAMES)  # what is laid out anew is drawn, and scripts have seen it
        # Light and dark are one document with other colours, so the second time colours are all there is to ask for.
        rules = RULES if scheme == "light" else ["color-contrast", "link-in-text-block"]
        # The words inside code are the same at any width, and there are tens of thousands.
        assert findings(page, rules, ["pre > code"] if width < 1280 else []) == [], f"{name}, {scheme}, {width} px wide"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_the_open_menu_and_search(scheme, width, visit):
    page = visit("learn/pytorch.html", width, scheme)
    if width == 390:
        open_menu(page)
        assert findings(page) == []
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)
    search(page, "cuda out of memory")
    assert findings(page) == []


def open_menu(page):
    page.get_by_role("button", name="Menu").press("Enter")
    page.wait_for_timeout(300)


def search(page, words):
    """Open the search box by its key, type, and wait until the results stay."""
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.wait_for_selector(".md-search-result__item")
    assert page.input_value(".md-search__input") == words and page.evaluate(RESULTS)


def test_axe_would_find_a_fault(visit):
    """The check itself: a picture without a text, a pale word and a table without heads are found."""
    page = visit("index.html")
    page.evaluate("document.querySelector('article').insertAdjacentHTML('beforeend', '<img src=x.png><p style=\"color:#bbb\">pale</p>')")
    assert {finding.split(":")[0] for finding in findings(page)} == {"image-alt", "color-contrast"}


# What has the focus, and what is wrong with it; the element that is seen in place of a hidden radio button or check box.
FOCUS = """() => {
  const e = document.activeElement
  if (e === document.body || e === null) return null
  const seen = e.matches('.tabbed-set > input') ? e.parentElement.querySelector(':scope > .tabbed-labels')
    : e.matches('.md-option') ? e.nextElementSibling : e
  const box = seen.getBoundingClientRect(), style = getComputedStyle(seen), faults = []
  const across = [box.left + 2, box.left + box.width / 2, box.right - 2], down = [box.top + 2, box.top + box.height / 2, box.bottom - 2]
  const points = across.flatMap(x => down.map(y => document.elementFromPoint(x, y)))
  if (!points.some(point => point && (seen.contains(point) || point.contains(seen)))) faults.push('cannot be seen')
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) faults.push('has no outline')
  e.dataset.reached = 'yes'
  return [e.outerHTML.slice(0, 120), faults.join(', ')]
}"""
# What a mouse can use and Tab did not come to. What Material takes out of the order has a radio button that is in it.
MISSED = """() => [...document.querySelectorAll('article :is(a[href], button, summary), .md-header a, nav a.md-nav__link')]
  .filter(e => e.tabIndex >= 0)
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.dataset.reached && e.getBoundingClientRect().width && e.getBoundingClientRect().right > 0)
  .map(e => e.outerHTML.slice(0, 120))"""


def tab_through(page) -> list[str]:
    """Press Tab from the page's start to its end. Returns what is wrong with any stop."""
    faults, stops = [], 0
    while stops < 1000:
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None:
            break
        stops += 1
        faults += [f"{at[1]}: {at[0]}"] if at[1] else []
    assert 5 < stops < 1000
    return faults


@each_page
def test_tab_reaches_everything_and_is_seen(name, visit):
    page = visit(name)
    assert tab_through(page) == []
    assert page.evaluate(MISSED) == []


def test_keys_open_the_menu_of_a_phone_and_reach_every_page(visit):
    page = visit("learn/watch-your-job.html", 390)
    assert tab_through(page) == []
    assert page.evaluate("document.querySelectorAll('.md-sidebar--primary [data-reached]').length") == 0, "the closed menu takes the focus"
    open_menu(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        page.evaluate(FOCUS)
    reached = page.evaluate("[...document.querySelectorAll('.md-sidebar--primary a[data-reached]')].map(a => a.href.replace(location.origin + '/', ''))")
    assert {name for name in PAGES if name != "404.html"} <= set(reached)


def test_keys_search_and_follow_a_result(visit):
    page = visit("index.html")
    search(page, "cuda out of memory")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/**")


def test_keys_change_a_tab_and_copy_a_script(visit, address):  # noqa: F811
    page = visit("clusters/csc-lumi.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first = page.locator(".tabbed-set > input").first
    first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tabbed-set").first.locator(":scope > input").nth(1).is_checked()
    button = page.locator(".tabbed-block button.md-code__button:visible").first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.evaluate("navigator.clipboard.readText()").startswith("#!/bin/bash")


# What is cut off or hangs over: text whose box ends right of the screen and that no code block or table scrolls into sight.
CUT = """() => [...document.querySelectorAll('article *, .md-footer *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility()
    && !e.closest('pre, .md-typeset__scrollwrap, .tabbed-labels, caption'))
  .map(e => e.outerHTML.slice(0, 120))"""


@each_page
def test_nothing_is_cut_off_at_320_px(name, visit):
    page = visit(name, 320)
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(CUT) == []


@each_page
def test_every_table_has_heads_and_a_caption_of_its_own(name, site):
    tables = BeautifulSoup((site / name).read_text(), "html.parser").select("article table")
    captions = [table.caption.get_text() if table.caption else None for table in tables]
    assert None not in captions and len(set(captions)) == len(captions)
    assert all(table.select("thead th[scope=col]") for table in tables)
