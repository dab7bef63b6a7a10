"""The slides of each notebook: whole, in order, for keys, without a script, on paper, and with nothing out of reach."""

import pytest
from bs4 import BeautifulSoup

from scripts.errors import BadInput
from scripts.site import notebook
from scripts.site.after import slides
from tests.site import looks
from tests.site.looks import PHONE
from tests.site.pages import NOTEBOOKS, html_of
from tests.tiers import by_day

LARGEST = "workshop/small-network-slides.html"  # most of its slides are higher than a screen
BEGINS = f"<!--{notebook.WORDS_CELL}-->", f"<!--{notebook.CODE_CELL}-->"
SCREEN = {"width": 1280, "height": 720}
AT = "() => [...document.querySelectorAll('main > section')].findIndex(e => e.getBoundingClientRect().bottom > 360)"
ENDS_IN_SIGHT = """number => {
  const {bottom} = document.getElementById(`slide-${number}`).getBoundingClientRect()
  return bottom <= innerHeight + 2
}"""


def name_of(page) -> str:
    return html_of(page).replace(".html", "-slides.html")


def split(*parts: str) -> list[list[str]]:
    article = BeautifulSoup(f"<article>{''.join(parts)}</article>", "html.parser").article
    return [[part.get_text() for part in slide] for slide in slides.split(article)]


def test_a_heading_or_a_cell_begins_a_slide_and_code_joins_the_words_before_it():
    words, code = BEGINS
    assert split("<h1>T</h1><p>a</p>", code, "<pre>b</pre><pre>out</pre>") == [["T", "a", "b", "out"]]
    assert split("<h1>T</h1>", code, "<pre>a</pre>", code, "<pre>b</pre>") == [["T", "a"], ["b"]]
    assert split("<h1>T</h1>", words, "<p>a</p>", words, "<p>b</p>") == [["T"], ["a"], ["b"]]
    assert split("<h1>T</h1>", code, "<pre>a</pre>", words, "<p>b</p><h2>H</h2>") == [["T", "a"], ["b"], ["H"]]


def test_above_a_slide_without_a_heading_stands_the_last_one():
    words, _ = BEGINS
    parts = ["<h1>T</h1>", words, "<p>a</p>", "<h2>H &amp; I</h2>", words, "<p>b</p>", words, "<p>c</p>"]
    html = slides.slides_of(f"<html><head></head><article>{''.join(parts)}</article></html>", "x.html")
    found = BeautifulSoup(html, "html.parser").select("section")
    topics = [[each.get_text() for each in slide.select(".topic")] for slide in found]
    assert topics == [[], ["T"], [], ["H & I"], ["H & I"]]
    steps = [[link["href"] for link in slide.select(".beside a")] for slide in found]
    assert steps[0] == ["#slide-2"] and steps[1] == ["#slide-1", "#slide-3"] and steps[-1] == ["#slide-4", "x.html"]


def test_a_notebook_without_its_page_is_refused(tmp_path):
    with pytest.raises(BadInput, match="the notebook's page has not been built"):
        slides.write(tmp_path)


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.stem)
def test_each_heading_begins_a_slide_and_each_cell_is_on_one_with_its_output(page, pages):
    found = pages[name_of(page)].cssselect("main > section")
    heads = [part for slide in found for part in slide.cssselect("h1, h2, h3, h4")]
    assert [head.text_content() for head in heads] == [
        head.text_content().removesuffix("¶") for head in pages[html_of(page)].cssselect("article :is(h1, h2, h3, h4)")
    ]
    assert all(head.getprevious() is None for head in heads)
    assert [slide.get("aria-label") for slide in found] == [f"{n} of {len(found)}" for n in range(1, len(found) + 1)]
    codes = [[code.text_content() for code in slide.cssselect("pre > code")] for slide in found]
    for cell in notebook.read(page).cells:
        if cell.cell_type == "code":
            (whole,) = [slide for slide, texts in zip(found, codes, strict=True) if cell.source + "\n" in texts]
            assert len(whole.cssselect("img")) >= sum("image/png" in each.get("data", {}) for each in cell.outputs)
            texts = [code.text_content() for code in whole.cssselect("pre > code")]
            assert all(each.text.rstrip() + "\n" in texts for each in cell.outputs if each.output_type == "stream")


def test_the_notebooks_pages_and_the_teachers_lead_to_them(pages):
    names = [name_of(page).removeprefix("workshop/") for page in NOTEBOOKS]
    assert len(names) == 5
    assert (
        sorted(a.get("href") for a in pages["workshop/teach.html"].cssselect("article a[href$='-slides.html']"))
        == names
    )
    for page, name in zip(NOTEBOOKS, names, strict=True):
        assert pages[html_of(page)].cssselect(f"article .md-button + a[href='{name}']")


@pytest.mark.parametrize("name", by_day([name_of(page) for page in NOTEBOOKS], {LARGEST}))
def test_keys_reach_the_end_of_every_slide(name, visit, folder):
    page = visit(name, home=folder.as_uri())
    page.set_viewport_size(SCREEN)
    number, seen, pressed = page.locator("main > section").count(), [], 0
    while pressed < 60 and len(seen) < number:
        if page.evaluate(ENDS_IN_SIGHT, page.evaluate(AT) + 1):
            seen.append(page.evaluate(AT) + 1)
        page.keyboard.press("ArrowRight" if pressed % 2 else "PageDown")
        page.evaluate(looks.TWO_FRAMES)
        pressed += 1
    assert seen == list(range(1, number + 1))
    assert page.evaluate("document.activeElement.id") == f"slide-{number}", "Tab goes on from here"
    for key in ("ArrowLeft", "PageUp"):
        before = page.evaluate("scrollY")
        page.keyboard.press(key)
        page.evaluate(looks.TWO_FRAMES)
        assert page.evaluate("scrollY") < before and page.evaluate(AT) < number - 1, key
    assert looks.overhanging(page, SCREEN["width"]) + page.asked + page.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_slides_can_be_read_by_everybody(scheme, visit):
    page = visit(LARGEST, PHONE, scheme)
    page.evaluate(looks.OPEN_ALL)
    assert page.evaluate("document.body.dataset.mdColorScheme") == {"light": "default", "dark": "slate"}[scheme]
    assert looks.overhanging(page, PHONE) + looks.axe_at_widths(page, (PHONE, SCREEN["width"])) == []
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('main > section')).breakAfter") == "page"


def test_without_their_script_the_slides_are_one_page_with_links(browser, address):
    context = browser.new_context(java_script_enabled=False, viewport=SCREEN)
    page = context.new_page()
    page.goto(f"{address}/{LARGEST}")
    assert page.locator("main > section").last.is_visible()
    page.locator("#slide-1").get_by_text("Next").click()
    assert page.locator("#slide-2").bounding_box()["y"] == 0
    context.close()
