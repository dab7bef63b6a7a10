"""A reader's own record is drawn in the page, on the reader's machine alone; what is none is told in a sentence."""

import copy
import json

import pytest

from tests.measure.test_records import SOUND, least, retimed
from tests.site.looks import DESK, axe

PAGE = "learn/your-gpu.html"
SAYS = "words => document.querySelector('.own-record [role=status]').textContent.includes(words)"
LAZY = ("/made/own-record.js", "/assets/judge-record.js")


def choose(page, content, name="record.json") -> None:
    """As a reader chooses a file, and what the page then says."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    page.get_by_label("Your record").set_input_files({"name": name, "mimeType": "application/json", "buffer": body})
    page.locator(".own-record [role=status]:not(:empty)").wait_for()


def said(page) -> str:
    return page.locator(".own-record [role=status]").inner_text()


def test_a_record_is_drawn_beside_its_limits_and_sent_nowhere(visit, server):
    server.sent.clear()
    page = visit(PAGE, DESK, fresh=True)
    page.locator(".own-record input").wait_for()
    assert not any(path in server.sent for path in LAZY), "who has no record needs none of it"
    choose(page, SOUND)
    assert said(page) == f"NVIDIA H200 SXM5: {len(SOUND['cases'])} cases hold, 0 refused."
    assert all(path in server.sent for path in LAZY)
    (bars,) = page.locator(".own-record svg").all()
    assert bars.locator("rect.reached").count() == len(SOUND["cases"]) and "33%" in bars.text_content()
    rows = page.locator(".own-record tbody tr")
    assert rows.count() == len(SOUND["cases"]) and "(arithmetic)" in rows.first.inner_text()
    assert page.asked == [] and page.faults == []
    assert axe(page) == []


def test_what_cannot_be_is_refused_with_the_reason(visit):
    record = copy.deepcopy(SOUND)
    retimed(record["cases"][0], least(record["cases"][0]) / 2)
    page = visit(PAGE)
    choose(page, record)
    assert said(page).endswith(f"{len(SOUND['cases']) - 1} cases hold, 1 refused.")
    (reason,) = page.locator(".own-record li").all_inner_texts()
    assert reason.startswith("matmul.py, product, 8192 x 8192, float64: faster than possible")


NO_RECORD = [
    (b"", "not JSON"),
    (b"\xff\xfe{", "not JSON"),
    (b'{"cases": 1}', "not a record of"),
    (b"[" * 100_000, "not JSON"),
    (b"x" * 4_000_001, "larger than 4 MB"),
    ({**SOUND, "device": "<img src=x onerror=alert(1)>"}, "no limits for the device <img src=x"),
]


@pytest.mark.nightly
def test_what_is_no_record_is_told(visit):
    page = visit(PAGE)
    for content, sentence in NO_RECORD:
        choose(page, content)
        page.wait_for_function(SAYS, arg=sentence)
        assert page.locator(".own-record :is(svg, table, img)").count() == 0
    assert page.faults == []


def test_words_of_a_file_are_only_words(visit):
    hostile = '"><img src=http://127.0.0.1:1/x onerror=alert(1)><script>alert(1)</script>'
    case = {"program": hostile, "label": hostile, "size": hostile}
    record = {**SOUND, "date": hostile, "cases": [*SOUND["cases"], case]}
    page = visit(PAGE)
    choose(page, record)
    assert page.locator(".own-record :is(img, script)").count() == 0
    assert hostile[:40] in page.locator(".own-record").inner_text() and page.asked == [] and page.faults == []


@pytest.mark.nightly
def test_it_works_in_a_folder_too(visit, folder):
    page = visit(PAGE, home=folder.as_uri())
    choose(page, SOUND)
    assert "0 refused" in said(page) and page.asked == [] and page.faults == []
