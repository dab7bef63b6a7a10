"""Pages that lead: what one comes for is seen first, a message is found by typing, and leads to its explanation."""

import pytest

from tests.site.looks import DESK, HEIGHT, PHONE

SHOWN = "[...document.querySelectorAll('article h3')].filter(e => e.checkVisibility()).map(e => e.id)"


def test_messages_are_filtered_by_words_and_by_what_is_pasted(visit):
    page = visit("wrong/refused.html", DESK)
    every = page.evaluate(SHOWN)
    field = page.get_by_label("Filter messages")
    field.fill("QOS invalid")
    assert 0 < len(page.evaluate(SHOWN)) < 10 and "invalid-qos" in page.evaluate(SHOWN)
    field.fill("sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified")
    assert (
        page.evaluate(SHOWN) == ["invalid-account"] and page.locator("p.filter [role=status]").inner_text() == "1 shown"
    )
    field.fill("qwertzuiop")
    assert page.evaluate(SHOWN) == [] and "search" in page.locator("p.filter [role=status]").inner_text()
    field.fill("")
    assert page.evaluate(SHOWN) == every and page.faults == []


def test_each_message_leads_to_its_explanation(pages):
    for name in ("refused", "waiting", "gpu", "software", "ended"):
        headings = [heading["id"] for heading in pages[f"wrong/{name}.html"].select("h3[id]:has(> code:first-child)")]
        links = [link["href"] for link in pages[f"wrong/{name}.html"].select(".told > a:first-child")]
        assert links == [f"../jobscript.html?message={key}#mode=explain" for key in headings]


def test_a_message_of_the_link_is_filled_in_and_explained(visit):
    page = visit("jobscript.html?message=invalid-account#mode=explain", DESK)
    page.locator(".own-answers h2").first.wait_for()
    assert page.get_by_label("Error message").input_value() == page.locator(".own-answers h2").first.inner_text()
    assert page.faults == []


ENDS = "part => document.querySelector(part).getBoundingClientRect().bottom"
BEGINS = "part => document.querySelector(part).getBoundingClientRect().top"


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_what_one_comes_for_is_on_the_first_screens(width, visit):
    assert visit("index.html", width).evaluate(ENDS, ".doors.first") <= HEIGHT
    page = visit("clusters/roihu.html", width)
    assert page.evaluate(BEGINS, ".explained .highlight" if width == DESK else "#one-gpu") <= 1.5 * HEIGHT
    assert "Facts last checked on" in page.locator("h1 + p").inner_text()
