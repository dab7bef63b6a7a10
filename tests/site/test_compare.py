"""Two systems side by side: a script shows two columns of one table; without it those that run are a table."""

import re

from scripts.tables.compare import FIRST
from tests.site import looks
from tests.site.looks import DESK

HEADS = (
    "[...document.querySelectorAll('.compare th')].filter(cell => !cell.hidden).map(cell => cell.textContent.trim())"
)


def test_two_are_shown_and_the_reader_changes_them(visit):
    page = visit("clusters/compare.html#puhti+roihu", DESK)
    assert page.evaluate(HEADS) == ["Property", "Puhti", "Roihu"]
    cells = "[...document.querySelectorAll('.compare tbody tr')].map(row => row.cells[2].textContent)"
    assert "gpumedium" in "".join(page.evaluate(cells)), "the row's cells move with their heads"
    seen = "[...document.querySelectorAll('.compare tbody tr')].filter(row => {}).map(row => row.hidden)"
    of_one = "row.cells[1].textContent.trim() === '–' !== (row.cells[2].textContent.trim() === '–')"
    assert set(page.evaluate(seen.format(of_one))) == {False}, "a row that one of the two lacks is shown"
    page.get_by_label("Compare", exact=True).select_option(label="LUMI")
    assert page.evaluate(HEADS) == ["Property", "LUMI", "Roihu"]
    assert page.evaluate("location.hash") == "#lumi+roihu"
    page.evaluate("location.hash = 'kestrel+aire'")
    page.wait_for_function(f"() => {HEADS}[1] === 'Kestrel'")
    page.goto(page.url.partition("#")[0] + "#nowhere")
    page.reload()
    assert len(page.evaluate(HEADS)) == 3, "a wrong address shows two all the same"


def test_what_decides_stands_first_and_what_differs_is_marked_in_words(visit):
    page = visit("clusters/compare.html#lumi+roihu", DESK)
    shown = page.locator(".compare tbody tr:visible")
    labels = shown.locator("td:first-child").all_inner_texts()
    assert [label.partition("\n")[0] for label in labels[:4]] == FIRST[:4]
    assert all(label.endswith("differs") for label in labels[:4])
    text = page.locator(".compare").evaluate("table => table.textContent")
    assert "15.4 TB" in text and not re.search(r"\d [GT]iB\b", text), "14 TiB of Roihu, in the unit of others"
    marked, every = page.locator("tr.differs").count(), shown.count()
    assert 10 < marked < every and page.locator("tr.decides").count() <= 6, "only what people decide by is marked"
    page.get_by_label("Show only rows that differ").check()
    assert shown.count() == marked
    page.get_by_label("Compare with").select_option(label="LUMI")
    assert shown.count() == 1, "nothing differs from itself; the cost of a job stays"
    page.get_by_label("Show only rows that differ").uncheck()
    assert "differs" not in page.inner_text(".compare tbody") and looks.axe(page) == [] and page.faults == []


def test_without_the_script_the_running_systems_are_a_table(site):
    html = (site / "clusters" / "compare.html").read_text(encoding="utf-8")
    assert '<div class="compare" hidden' in html
    shown = html[html.index('id="all-that-run"') :]
    assert all(f">{name}</a>" in shown for name in ("Roihu", "LUMI", "Kestrel", "Rivanna/Afton"))
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "clusters/compare.html" in index and "Equivalent to omitting" not in "".join(
        part for part in index.split('{"location"') if "clusters/compare.html" in part
    )


def test_the_cost_of_a_whole_job_stands_beside_each_other(visit):
    page = visit("clusters/compare.html#lumi+roihu", DESK)
    row = page.locator("tr", has_text="Cost of 4 GPUs for 24 hours")
    row.hover()
    row.get_by_text("48 GPU-hours").wait_for()
    assert "19,200 GPU billing units" in row.inner_text() and "cannot be compared" in row.inner_text()
    page.get_by_label("Hours").fill("3e1")
    page.get_by_label("Compare with").select_option(label="Aire")
    page.locator("tr", has_text="Cost of 4 GPUs for 30 hours").get_by_text("free").wait_for()
    assert looks.axe(page) == [] and page.faults == []
