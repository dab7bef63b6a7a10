"""Pages that lead: what one comes for is seen first, a message is found by typing, and leads to its explanation."""

import re
from posixpath import dirname, normpath
from urllib.parse import urlsplit

import pytest

from scripts import learning
from scripts.paths import ROOT
from tests.site.looks import DESK, HEIGHT, PHONE
from tests.site.pages import CENTRE_PAGES

SHOWN = "[...document.querySelectorAll('article h3')].filter(e => e.checkVisibility()).map(e => e.id)"

# The headings that are seen of groups, and those of the messages that are.
GROUPS = """() => {
  const seen = [...document.querySelectorAll('article :is(h2, h3)')], groups = new Set()
  let group
  for (const heading of seen) {
    if (heading.matches('h2')) group = heading.id
    else if (heading.checkVisibility()) groups.add(group)
  }
  return [seen.filter(each => each.matches('h2') && each.checkVisibility()).map(each => each.id), [...groups]]
}"""


def test_messages_are_filtered_by_words_and_by_what_is_pasted(visit):
    page = visit("wrong/refused.html", DESK)
    every = page.evaluate(SHOWN)
    field = page.get_by_label("Filter messages")
    field.fill("QOS invalid")
    assert 0 < len(page.evaluate(SHOWN)) < 10 and "invalid-qos" in page.evaluate(SHOWN)
    groups, theirs = page.evaluate(GROUPS)
    assert groups == theirs != [], "the headings above the messages that are shown, and no others"
    field.fill("sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified")
    assert page.evaluate(SHOWN) == ["invalid-account", "account-variable"]
    assert page.locator("p.filter [role=status]").inner_text() == "2 shown"
    field.fill("qwertzuiop")
    assert page.evaluate(SHOWN) == [] and "search" in page.locator("p.filter [role=status]").inner_text()
    field.fill("")
    assert page.evaluate(SHOWN) == every
    field.fill("QOS invalid")
    page.goto("about:blank")
    page.go_back()
    page.get_by_text(re.compile(r"^\d shown")).wait_for()
    assert len(page.evaluate(SHOWN)) < 10, "as what the browser keeps in the field says"
    page.locator(".md-sidebar--secondary a[href='#grid-engine']").click()
    page.wait_for_function(f"every => {SHOWN}.length === every", arg=len(every))
    assert field.input_value() == "" and page.evaluate("scrollY") > 0 and page.faults == []


def test_each_message_leads_to_its_explanation(pages):
    names = sorted(path.stem for path in (ROOT / "docs/wrong").glob("*.md") if path.stem != "index")
    assert len(names) > 5
    for name in names:
        headings = [
            heading.get("id") for heading in pages[f"wrong/{name}.html"].cssselect("h3[id]:has(> code:first-child)")
        ]
        links = [link.get("href") for link in pages[f"wrong/{name}.html"].cssselect(".told > a:first-child")]
        assert links == [f"../jobscript.html?message={key}#mode=explain" for key in headings]


@pytest.mark.parametrize(
    "key, told",
    [("invalid-account", "The account is missing"), ("disk-quota-files", "The number of files has its own limit")],
)
def test_a_message_of_the_link_is_filled_in_and_explained(key, told, visit):
    """Its text as it is printed; also where another message has the same."""
    page = visit(f"jobscript.html?message={key}#mode=explain", DESK)
    page.locator(".own-answers", has_text=told).wait_for()
    assert page.get_by_label("Error message").input_value() == page.locator(".own-answers h2").first.inner_text()
    assert page.faults == []


def test_a_finished_job_of_the_link_is_filled_in_and_explained(visit):
    page = visit("jobscript.html?message=seff#mode=explain&cluster=roihu", DESK)
    page.get_by_label("The job's script").fill("#!/bin/bash\n#SBATCH --mem=185G --time=1:00:00\nsrun ./a\n")
    page.locator(".own-answers .own-listing", has_text="--mem=15G").wait_for()
    assert page.faults == []


def of_the_site(name, article):
    for link in article.cssselect("a[href]"):
        if not urlsplit(link.get("href")).scheme and (path := urlsplit(link.get("href")).path):
            yield " ".join(link.text_content().split()), normpath(f"/{dirname(name)}/{path}").lstrip("/")


def test_a_link_in_the_words_of_a_page_leads_to_it(pages):
    """The words are the page's name in the navigation."""
    links = [*of_the_site("index.html", pages["index.html"].cssselect(".md-nav--primary")[0])]
    names = {words: to for words, to in links if len({page for same, page in links if same == words}) == 1}
    centres = {
        words for words, to in names.items() if to.removesuffix(".html") in {f"clusters/{c}" for c in CENTRE_PAGES}
    }
    found = [
        (name, words, to)
        for name in pages
        for article in pages[name].iter("article")  # an address that has moved has none
        for words, to in of_the_site(name, article)
        if words in names.keys() - centres
    ]
    assert len(found) > 50 and [each for each in found if each[2] != names[each[1]]] == []


def test_the_home_page_leads_to_the_front_of_what_has_one(pages):
    """As the pages of messages: who does not know when a job failed must not land on one of them. A lesson may."""
    links = {to for _, to in of_the_site("index.html", pages["index.html"].find(".//article"))}
    fronts = {name for name in pages if name.endswith("/index.html")}
    inner = {to for to in links if f"{dirname(to)}/index.html" in fronts and dirname(to) != learning.ROOM}
    assert {"wrong/index.html", "learn/index.html"} <= links and inner <= fronts


def test_a_lesson_leads_to_the_previous_and_the_next_of_each_of_its_paths(pages):
    for name, path in learning.load_paths().items():
        built = [learning.source(lesson).replace(".md", ".html") for lesson in path.lessons]
        for before, page, after in zip([None, *built], built, [*built[1:], None], strict=False):
            (part,) = [
                part
                for part in pages[page].cssselect("nav.order > div")
                if part.cssselect(f"a[href$='#{learning.anchor(name)}']")
            ]
            found = {link.get("rel"): normpath(f"learn/{link.get('href')}") for link in part.cssselect("a[rel]")}
            assert found == {rel: to for rel, to in (("prev", before), ("next", after)) if to}, page


ENDS = "part => document.querySelector(part).getBoundingClientRect().bottom"
BEGINS = "part => document.querySelector(part).getBoundingClientRect().top"


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_what_one_comes_for_is_on_the_first_screens(width, visit):
    assert visit("index.html", width).evaluate(ENDS, ".doors.first") <= HEIGHT
    page = visit("clusters/roihu.html", width)
    assert page.evaluate(BEGINS, ".explained .highlight" if width == DESK else "#one-gpu") <= 1.5 * HEIGHT
    assert "All facts were checked on" in page.locator("h1 + p").inner_text()
