"""What researchers ask, typed into the built site's search in a real browser: the right page is among the first three results.

The questions are from the peers' issues and forums, in the words that people type, spelling and all.
"""

import pytest

from tests.site.test_browser import address, browser  # noqa: F401  (fixtures)

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

# The pages of the results, best first, once the list belongs to the words in the box: Material says "3 matching documents".
RESULTS = """async () => {
  const list = document.querySelector('.md-search-result__list')
  for (let before = null, quiet = 0; quiet < 3;) {
    await new Promise(done => setTimeout(done, 100))
    const now = list.innerHTML
    quiet = now && now === before ? quiet + 1 : 0
    before = now
  }
  return [...list.querySelectorAll('.md-search-result__item')].map(item => new URL(item.querySelector('a').href).pathname.slice(1))
}"""


@pytest.fixture(scope="module")
def ask(browser, address):  # noqa: F811
    """Type a question into the search box of a page freshly opened; returns the pages found."""

    def ask(question):
        page = browser.new_page()
        page.goto(f"{address}/about/how-checked.html")
        page.keyboard.press("/")
        page.keyboard.type(question)
        page.wait_for_selector(".md-search-result__item", state="attached")
        found = page.evaluate(RESULTS)
        page.close()
        return found

    return ask


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_right_page_is_among_the_first_three(question, ask):
    found = ask(question)
    assert any(page.startswith(QUESTIONS[question]) for page in found[:3]), f"{question}: {found[:5]}"


def test_each_page_says_what_it_is_about(site):
    """Title, description and main heading: there, and each page's own."""
    from bs4 import BeautifulSoup

    seen = {"title": {}, "description": {}, "h1": {}}
    for path in site.rglob("*.html"):
        if path.name == "404.html":
            continue
        soup = BeautifulSoup(path.read_text(), "html.parser")
        name = str(path.relative_to(site))
        seen["title"][name] = soup.title.get_text()
        seen["description"][name] = soup.find("meta", attrs={"name": "description"})["content"]
        seen["h1"][name] = soup.h1.get_text()
        assert 50 <= len(seen["description"][name]) <= 220, f"{name}: a description of {len(seen['description'][name])} letters"
    for what, texts in seen.items():
        assert len(set(texts.values())) == len(texts), f"two pages have the same {what}"
