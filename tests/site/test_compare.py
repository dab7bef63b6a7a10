"""Two systems side by side: a script shows two columns of one table; without it those that run are a table."""

from tests.site.looks import DESK

HEADS = (
    "[...document.querySelectorAll('.compare th')].filter(cell => !cell.hidden).map(cell => cell.textContent.trim())"
)


def test_two_are_shown_and_the_reader_changes_them(visit):
    page = visit("clusters/compare.html#puhti+roihu", DESK)
    assert page.evaluate(HEADS) == ["Property", "Puhti", "Roihu"]
    cells = "[...document.querySelectorAll('.compare tbody tr')].map(row => row.cells[2].textContent)"
    assert "gpumedium" in "".join(page.evaluate(cells)), "the row's cells move with their heads"
    page.locator(".compare-two select").first.select_option(label="LUMI")
    assert page.evaluate(HEADS) == ["Property", "LUMI", "Roihu"]
    assert page.evaluate("location.hash") == "#lumi+roihu"
    page.goto(page.url.partition("#")[0] + "#nowhere")
    page.reload()
    assert len(page.evaluate(HEADS)) == 3, "a wrong address shows two all the same"


def test_without_the_script_the_running_systems_are_a_table(site):
    html = (site / "clusters" / "compare.html").read_text(encoding="utf-8")
    assert '<div class="compare" hidden' in html
    shown = html[html.index('id="all-that-run"') :]
    assert all(f">{name}</a>" in shown for name in ("Roihu", "LUMI", "Kestrel", "Rivanna/Afton"))
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "clusters/compare.html" in index and "Equivalent to no partition" not in "".join(
        part for part in index.split('{"location"') if "clusters/compare.html" in part
    )
