"""What researchers ask, typed into the site's search in a real browser: the right page is among the first three.

The questions are from the peers' issues and forums, in the words that people type, spelling and all.
"""

import pytest
from bs4 import BeautifulSoup

from tests.site import looks
from tests.site.looks import DESK
from tests.site.pages import NAMES

QUESTIONS = {
    "gpu on puhti": "clusters/csc-lumi",
    "gpu on lumi": "clusters/csc-lumi",
    "roihu partitions": "clusters/csc-lumi",
    "amd gpu": "clusters/csc-lumi",
    "arc4 replacement": "clusters/leeds",
    "narval a100": "clusters/alliance",
    "kestrel gpu job": "clusters/nlr",
    "rivanna gpu": "clusters/uva",
    "interactive session": "clusters/",
    "scratch storage": "clusters/",
    "slurm script gpu example": "clusters/",
    "which partition": "learn/what-to-ask-for",
    "how many cpus per gpu": "learn/what-to-ask-for",
    "how much memory": "learn/what-to-ask-for",
    "job time limit": "learn/what-to-ask-for",
    "array job": "learn/what-to-ask-for",
    "checkpoint": "learn/what-to-ask-for",
    "jupyter notebook": "learn/what-to-ask-for",
    "cuda out of memory": "learn/pytorch",
    "torch.cuda.OutOfMemoryError": "learn/pytorch",
    "torch.cuda.is_available false": "learn/pytorch",
    "pytorch not using gpu": "learn/pytorch",
    "multiple gpus": "learn/pytorch",
    "torchrun": "learn/pytorch",
    "mixed precision": "learn/pytorch",
    "job pending": "learn/watch-your-job",
    "why is my job not starting": "learn/watch-your-job",
    "invalid account or account/partition combination": "learn/watch-your-job",
    "out of memory killed": "learn/watch-your-job",
    "nvidia-smi": "learn/watch-your-job",
    "energy": "learn/watch-your-job",
    "profiling": "learn/watch-your-job",
    "no kernel image is available": "learn/install-software",
    "gpu utilization low": "learn/feed-the-gpu",
    "gpu idle": "learn/feed-the-gpu",
    "num_workers": "learn/feed-the-gpu",
    "install pytorch": "learn/install-software",
    "conda environment gpu": "learn/install-software",
    "cuda version": "learn/install-software",
    "apptainer container": "learn/install-software",
    "module load pytorch": "learn/install-software",
    "tensorflow": "learn/install-software",
    "omp_num_threads": "learn/threads-and-cores",
    "cuda_visible_devices": "learn/gpu-variables",
    "is a gpu worth it": "learn/does-a-gpu-pay",
    "cpu or gpu": "learn/does-a-gpu-pay",
}

FIRST = 3


@pytest.fixture(scope="module")
def ask(browser, address):
    """Type a question into the search box; returns the pages found, best first."""
    context = browser.new_context(viewport={"width": DESK, "height": looks.HEIGHT})
    context.set_default_timeout(60_000)
    context.add_init_script(looks.WATCH)
    page = context.new_page()
    page.goto(f"{address}/about/how-checked.html")

    def ask(question):
        page.fill(".md-search__input", "")  # of the question before
        page.keyboard.press("Escape")
        return looks.search(page, question)

    yield ask
    context.close()


def fault(question: str, wanted: str, found: list[str]) -> str | None:
    """What is wrong with an answer, and what to do about it; None if a wanted page is among the first."""
    ranks = [rank for rank, page in enumerate(found, 1) if page.startswith(wanted)]
    if ranks and ranks[0] <= FIRST:
        return None
    page = f"docs/{wanted}.md" if f"{wanted}.html" in NAMES else f"a page in docs/{wanted}"
    stands = f"stands at rank {ranks[0]} of {len(found)}" if ranks else f"is not among the {len(found)} found"
    first = ", ".join(f"{rank} {name}" for rank, name in enumerate(found[: FIRST + 2], 1)) or "nothing"
    return (
        f"who searches for `{question}` needs {page}, which {stands}. Found were: {first}. "
        f"Put the question's words into a heading or the first sentence of a part of {page}, "
        "or take them out of a heading of the pages before it; "
        "if one of those answers the question now, name it in QUESTIONS in tests/site/test_search.py."
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_right_page_is_among_the_first_three(question, ask):
    if wrong := fault(question, QUESTIONS[question], ask(question)):
        pytest.fail(wrong, pytrace=False)


def test_a_question_that_turned_red_is_told_with_ranks_page_and_cure():
    found = ["learn/a.html", "learn/b.html", "learn/c.html", "learn/feed-the-gpu.html"]
    assert fault("gpu idle", "learn/feed-the-gpu", ["x.html", "y.html", "learn/feed-the-gpu.html"]) is None
    told = fault("gpu idle", "learn/feed-the-gpu", found)
    assert (
        "`gpu idle` needs docs/learn/feed-the-gpu.md, which stands at rank 4 of 4" in told
        and "3 learn/c.html" in told
        and "heading" in told
    )
    assert "a page in docs/clusters/, which is not among the 4 found" in fault("scratch", "clusters/", found)
    assert "Found were: nothing" in fault("scratch", "clusters/", [])


def test_each_page_says_what_it_is_about(site):
    """Title, description and main heading: there, and each page's own."""
    seen = {"title": {}, "description": {}, "h1": {}}
    for path in site.rglob("*.html"):
        if path.name == "404.html":
            continue
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        name = str(path.relative_to(site))
        seen["title"][name] = soup.title.get_text()
        seen["description"][name] = soup.find("meta", attrs={"name": "description"})["content"]
        seen["h1"][name] = soup.h1.get_text()
        assert 50 <= len(seen["description"][name]) <= 220, (
            f"{name}: a description of {len(seen['description'][name])} letters"
        )
    for what, texts in seen.items():
        assert len(set(texts.values())) == len(texts), f"two pages have the same {what}"
