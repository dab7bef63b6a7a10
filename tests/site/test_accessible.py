"""Can everybody use the built site? The open menu and search box, the keyboard alone, table captions.

Each page by itself is asked in test_each_page.
"""

import pytest

from tests.site import looks
from tests.site.looks import DESK, PHONE
from tests.site.pages import NAMES, WRONG_ADDRESS
from tests.tiers import by_day

EXPANDED = """Object.fromEntries([...document.querySelectorAll('button.md-header__button[for]')].map(button =>
  [button.ariaLabel, [button.ariaExpanded, String(document.getElementById(button.getAttribute('for')).checked)]]))"""


@pytest.mark.parametrize("width, scheme", by_day([(DESK, "dark"), (PHONE, "light")], {(PHONE, "light")}))
def test_axe_finds_nothing_in_the_open_menu_and_search(scheme, width, visit):
    page = visit("learn/pytorch.html", width, scheme)
    assert page.evaluate(EXPANDED) == {"Menu": ["false", "false"], "Search": ["false", "false"]}
    if width == PHONE:
        open_menu(page)
        assert looks.axe(page) == []
        assert page.evaluate(EXPANDED)["Menu"] == ["true", "true"], "what a screen reader says, and what is"
        page.keyboard.press("Escape")
        looks.at_rest(page)
        assert page.evaluate("document.activeElement.ariaLabel") == "Menu", "the focus is where it was"
        assert page.evaluate(EXPANDED)["Menu"] == ["false", "false"]
    looks.search(page, "cuda out of memory")
    assert looks.axe(page) == []
    assert page.evaluate(EXPANDED)["Search"] == ["true", "true"]
    page.evaluate(
        "scheme => document.body.dataset.mdColorScheme = scheme", {"dark": "default", "light": "slate"}[scheme]
    )
    assert looks.axe(page, looks.OF_COLOURS) == []


def open_menu(page):
    page.get_by_role("button", name="Menu").press("Enter")
    looks.at_rest(page)


def test_keys_open_the_menu_of_a_phone_and_reach_every_page(visit):
    page = visit("learn/watch-your-job.html", PHONE)
    assert looks.tab_through(page) == []
    assert page.evaluate("document.querySelectorAll('.md-sidebar--primary [data-reached]').length") == 0, (
        "the closed menu takes the focus"
    )
    open_menu(page)
    for _ in range(3 * len(NAMES)):
        page.keyboard.press("Tab")
        page.evaluate(looks.FOCUS)
    reached = page.evaluate(
        "[...document.querySelectorAll('.md-sidebar--primary a[data-reached]')]"
        ".map(a => a.href.replace(location.origin + '/', ''))"
    )
    assert set(NAMES) <= set(reached)
    page.keyboard.press("Escape")
    assert not page.is_checked("#__drawer")


def test_keys_search_and_follow_a_result(visit):
    page = visit("index.html", DESK)
    looks.search(page, "cuda out of memory")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/**")


def test_keys_open_what_is_closed_and_copy_a_script(visit):
    page = visit("clusters/puhti.html", DESK)
    closed = page.locator("details:has(.highlight > .filename)").last
    closed.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert closed.evaluate("block => block.open")
    button = closed.locator(".highlight:has(> .filename) button.md-code__button:visible").first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('#!/bin/bash'))")


def test_every_table_has_heads_and_a_caption_of_its_own(pages):
    for name in [*NAMES, WRONG_ADDRESS]:
        tables = pages[name].cssselect("article table")
        captions = {table.find("caption").text_content() for table in tables}  # fails where there is none
        assert len(captions) == len(tables), name
        assert all(table.cssselect("thead th[scope=col]") for table in tables), name


@pytest.mark.parametrize("name", ["learn/choose-a-gpu.html", "wrong/index.html"])
def test_a_screen_reader_says_the_caption_of_every_table(name, pages, visit):
    page = visit(name, DESK)
    captions = [caption.text_content().strip() for caption in pages[name].cssselect("article table > caption")]
    seen = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    said = [each["name"]["value"] for each in seen if each.get("role", {}).get("value") == "table"]
    assert captions and said == captions
