"""What the search costs: those who search fetch it, and its index holds prose and one-line commands.

The server here compresses as any web server does, and counts what it sends: headers, workers, everything. Each page is
weighed in test_each_page.
"""

import json

from scripts.paths import ROOT
from scripts.site.after import index
from scripts.site.search_scope import SearchScope
from tests.site import looks
from tests.site.looks import DESK

INDEX = "/search/search_index.json"
RANKING = "/assets/search.js"
BYTES_OF_A_SEARCH = 155_000  # for those who search, once: every system, message, lesson and term, and what ranks them


def test_the_search_waits_for_somebody_who_searches(visit, server):
    server.sent.clear()
    page = visit("index.html", DESK, fresh=True)
    page.evaluate(looks.READY)
    assert not {INDEX, RANKING} & server.sent.keys() and "/assets/search-later.js" in server.sent
    looks.search(page, "memory")
    assert server.sent[RANKING] and 0 < server.sent[INDEX] + server.sent[RANKING] <= BYTES_OF_A_SEARCH


def test_a_page_opened_from_a_result_gives_its_code_as_it_is(visit):
    """Material's way of marking the words there made `&amp;` of each `&` in code."""
    wanted = (ROOT / "snippets/software/log_gpu.sh").read_text(encoding="utf-8").rstrip()
    assert "&" in wanted
    page = visit("index.html", DESK)
    looks.search(page, "is the gpu used")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/watch-your-job.html#is-the-gpu-used*")
    assert looks.not_copied(page, [wanted]) == [] and page.faults == []


def test_the_index_has_whole_words_and_what_is_alike_together(tmp_path):
    places = ["index.html", "clusters/a.html#data", "learn/x.html", "clusters/a.html#costs", "clusters/b.html#data"]
    places += ["index.html#more", "clusters/b.html#costs"]
    (tmp_path / "search").mkdir()
    docs = [{"location": place, "text": "<p>a <code>b</code>c</p><p>d</p>"} for place in places]
    (tmp_path / "search/search_index.json").write_text(json.dumps({"docs": docs}), encoding="utf-8")
    index.write(tmp_path)
    text = (tmp_path / "search/search_index.js").read_text(encoding="utf-8").removeprefix("var __index = ")
    docs = json.loads(text)["docs"]
    assert [each["location"] for each in docs] == [places[at] for at in (1, 4, 3, 6, 0, 5, 2)]
    assert {each["text"] for each in docs} == {"a bc d"}
    assert SearchScope().run("a<br>b<br />c") == "a<br> b<br /> c"


def test_programs_and_sources_are_not_in_the_index(site):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "set_float32_matmul_precision" in index, "prose is in it"
    assert "gpu-h100s" in index and "Ran on a CPU without changes" not in index, "tables are in it, and no evidence"
    assert "#SBATCH --job-name=one-gpu" not in index and "import argparse" not in index and '#sources"' not in index
    assert "srun --jobid=123456" in index, "one-line commands are in it"
