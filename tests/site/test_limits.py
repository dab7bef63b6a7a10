"""Limits in a reader's own case: a script works them out of what is filled in; without it two sizes stand there."""

import pytest

from scripts.facts import load_all
from scripts.measure.limits import load_limits
from scripts.tables.limits import found
from tests.site.looks import DESK

ROWS = list(found(load_all()))
CELLS = "[...document.querySelectorAll('.limits-own tbody tr')].map(row => [...row.cells].map(e => e.textContent))"
PAGE = "learn/results.html"
COMPARED = ".compare tr:not(.job-cost)"  # what a job costs comes later
SHOWN = "part => [...document.querySelectorAll(part)].map(e => e.innerText).join()"


def test_a_reader_fills_in_an_operation_and_reads_its_limits(visit):
    page = visit(PAGE, DESK)
    first = page.evaluate(CELLS)
    assert [cells[0].partition(":")[0] for cells in first] == [row.cluster.name for row in ROWS]
    assert all("(arithmetic)" in cells[1] for cells in first), "a large product is bound by arithmetic"

    page.get_by_role("combobox", name="Operation", exact=True).select_option(label="Element by element")
    page.get_by_label("Numbers in each array").fill("2e9")
    page.get_by_role("combobox", name="Precision", exact=True).select_option("float64")
    page.get_by_role("combobox", name="System", exact=True).select_option("Narval")
    ((name, inside, linked, cpus),) = page.evaluate(CELLS)
    device = load_limits()["a100-sxm4-40gb"]
    assert name == f"Narval: {device.name}"
    assert inside == "does not fit", "48 GB in 40"
    assert linked == "1.02 s (link)", "32 GB at 31.5 GB/s"
    assert cpus.endswith("(memory), on a node with 48 cores and 4 GPUs")
    assert page.locator(".limits-own td strong").all_inner_texts() == [cpus.partition(",")[0]]

    # Each operation has its own sizes, and a copy no precision.
    page.reload()
    asked = {}
    for name in ("product", "elementwise", "copy", "training"):
        page.get_by_role("combobox", name="Operation", exact=True).select_option(name)
        asked[name] = page.locator(".limits-own input").count()
        assert page.get_by_role("combobox", name="Precision", exact=True).is_visible() == (name != "copy")
        assert len(page.evaluate(CELLS)) == len(ROWS)
    assert asked == {"product": 3, "elementwise": 4, "copy": 1, "training": 3}

    # What is no size is said.
    page.reload()
    for wrong in ("", "-1"):
        page.get_by_label("Rows of A", exact=True).fill(wrong)
        assert "must be a number" in page.get_by_role("status").inner_text()
        assert page.evaluate(CELLS) == []
    for label in ("Rows of A", "Columns of A, rows of B", "Columns of B"):
        page.get_by_label(label, exact=True).fill("8")
    assert {cells[1] for cells in page.evaluate(CELLS)} == {"3 µs (start)"}


@pytest.mark.parametrize(
    "name, role, label, key, part",
    [
        (PAGE, "combobox", "Operation", "c", ".limits-own"),
        ("learn/choose-a-gpu.html", "combobox", "Use", "f", ".fit"),
        ("clusters/compare.html#lumi+fir", "checkbox", "Show only rows that differ", "Space", COMPARED),
    ],
)
def test_after_the_way_back_the_fields_and_what_they_give_agree(name, role, label, key, part, visit):
    page = visit(name, DESK)
    shown = [page.evaluate(SHOWN, part)]
    page.get_by_role(role, name=label, exact=True).press(key)
    shown.append(page.evaluate(SHOWN, part))
    page.goto("about:blank")
    page.go_back()
    page.wait_for_function(f"([part, told]) => ({SHOWN})(part) === told", arg=[part, shown[1]])
    assert shown[0] != shown[1] and page.faults == []


def test_on_a_phone_each_limit_has_the_label_of_its_column(visit):
    page = visit(PAGE)
    heads = page.locator(".limits-own thead th").all_text_contents()
    label = "row => [...row.cells].map(cell => getComputedStyle(cell, '::before').content)"
    assert page.locator(".limits-own tbody tr").first.evaluate(label)[1:] == [f'"{head}: "' for head in heads[1:]]


def test_without_the_script_two_sizes_stand_there(site):
    html = (site / PAGE).read_text(encoding="utf-8")
    assert '<div class="limits-own" hidden' in html
    text = (site / PAGE.replace(".html", ".md")).read_text(encoding="utf-8")
    assert "| Multiplying two 8192 x 8192 matrices, float32 |" in text and "limits-own" not in text
    assert "<script" not in text
    assert "| Multiplying 10^9 pairs of float32 numbers |" in text
