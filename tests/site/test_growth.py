"""A site of 31 systems and 11 centers: the bounds of our own hold, and a reader finds a system."""

from pathlib import Path

import pytest

from tests.site.growth import opened, python, weights, write_facts
from tests.site.test_each_page import BYTES_A_PAGE
from tests.site.test_light import BYTES_OF_A_SEARCH

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Path:
    facts = tmp_path_factory.mktemp("growth") / "facts"
    write_facts(facts, 31)
    python(facts, "-m", "scripts.build")
    return facts / "site"


def test_its_pages_hold_the_bounds_of_ours(browser, many):
    found = weights(browser, many)  # which asks, too, that a page loads the facts of one system
    assert max(found["page"], found["tool"]) <= BYTES_A_PAGE and found["search"] <= BYTES_OF_A_SEARCH, found


def test_a_reader_finds_a_system(browser, many):
    center, systems = "center 7", ["Skerry1", "Tarn1", "Yardang1"]
    with opened(browser, many, "index.html") as (page, _):
        page.get_by_label("Filter systems").fill(center)
        assert page.locator("tbody tr:visible td:first-child").all_inner_texts() == systems
    with opened(browser, many, "jobscript.html") as (page, _):
        assert page.locator(".md-nav a[href^='clusters/']").count() == 1, "the navigation names every system"
        page.get_by_label("System: find").fill(center)
        assert page.locator(".own-side select").first.locator("option").all_inner_texts() == systems
        page.keyboard.press("Enter")
        page.wait_for_url("**#cluster=skerry1")
