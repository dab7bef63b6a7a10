"""What the search costs: its index is fetched by those who search, and holds prose and one-line commands.

The server here compresses as any web server does, and counts what it sends: headers, workers, everything. Each page is
weighed in test_each_page.
"""

from tests.site import looks
from tests.site.looks import DESK

INDEX = "/search/search_index.json"
BYTES_OF_THE_INDEX = 60_000


def test_the_search_index_waits_for_somebody_who_searches(visit, server):
    server.sent.clear()
    page = visit("index.html", DESK)
    page.evaluate(looks.READY)
    assert INDEX not in server.sent and any("workers/search" in path for path in server.sent)
    looks.search(page, "memory")
    assert 0 < server.sent[INDEX] <= BYTES_OF_THE_INDEX


def test_a_page_opened_from_a_result_marks_the_words(visit):
    page = visit("learn/pytorch.html?h=memory", DESK)
    page.wait_for_selector("article mark")
    assert page.locator("article mark").first.inner_text().lower() == "memory"


def test_programs_and_sources_are_not_in_the_index(site):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "set_float32_matmul_precision" in index, "prose is in it"
    assert "#SBATCH --job-name" not in index and "import torch" not in index and '#sources"' not in index
    assert "srun --jobid=123456" in index, "one-line commands are in it"
