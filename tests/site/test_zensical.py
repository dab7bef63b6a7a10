"""The same mkdocs.yml built with Zensical: exactly this would be lost by moving today.

When a line here fails, Zensical or the guide has moved on.
"""

import re

import pytest
from bs4 import BeautifulSoup

from scripts.errors import BadInput
from scripts.paths import ROOT
from scripts.site import zensical
from scripts.site.after import csp, offline
from tests.site.pages import NAMES, NOTEBOOKS, PAGES, TEXT, WRONG_ADDRESS, html_of, included


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zensical") / "site"
    zensical.build(folder)
    return folder


def with_root_links(site) -> set[str]:
    """Pages on which a link begins with `/`: with a script (for its evidence), a table with links, or a term."""
    found = {WRONG_ADDRESS}
    for page in sorted({*PAGES} - {*NOTEBOOKS}):
        if '<a class="term"' in (site / html_of(page)).read_text(encoding="utf-8"):
            found.add(html_of(page))
        for name in included(page):
            if name.endswith(".md") and "](/" not in (ROOT / name).read_text(encoding="utf-8"):
                continue
            found.add(html_of(page))
    return found


def with_notebooks() -> set[str]:
    """Pages with a link to a notebook."""
    return {html_of(page) for page in PAGES if page not in NOTEBOOKS and ".ipynb)" in TEXT[page]}


def test_exactly_this_would_be_lost(site, built):
    lost = zensical.lost(site, built)
    assert lost.pop("files") == [
        "gpu-cluster-guide.zip",
        "search/search_index.js",
        "search/search_index.json",
        "sitemap.xml.gz",
        *sorted(map(html_of, NOTEBOOKS)),  # it has no mkdocs-jupyter, and gives the file alone
    ]  # the search's index is search.json there
    assert lost.pop("the text") == ["404.html"]  # its list of cluster pages
    # Links that begin with / stay as they are written; those to a notebook's page lead to the file, in the menu too.
    assert set(lost.pop("links")) == with_root_links(site) | with_notebooks()
    assert set(lost.pop("the menu")) == {WRONG_ADDRESS, *NAMES} - set(map(html_of, NOTEBOOKS))
    assert lost == {}, "this is lost, too"


def test_links_that_begin_with_a_slash_are_all_that_links_lose(site, built):
    for name in (with_root_links(site) | with_notebooks()) - {"404.html"}:
        pages = [
            zensical.PARTS["links"](BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser"))
            for folder in (site, built)
        ]
        assert len(pages[0]) == len(pages[1])
        differ = [(here, there) for here, there in zip(*pages, strict=True) if here != there]
        assert all(there.startswith("/") or there == here.replace(".html", ".ipynb") for here, there in differ), name


def test_the_steps_after_the_build_need_no_mkdocs(site, built):
    """Markdown pages, llms.txt, feed and policy are the same kind on Zensical's pages; the folder's search is not."""
    assert (built / "llms.txt").read_bytes() == (site / "llms.txt").read_bytes()
    for page in built.rglob("*.html"):
        (policy,) = csp.META.findall(page.read_text(encoding="utf-8"))
        assert re.search("script-src 'self' 'sha256-", policy)
    with pytest.raises(BadInput):
        offline.write(built)


def test_the_comparison_finds_a_loss(site, built, tmp_path):
    """Take one thing of each kind out of a page: each must be named."""
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    page = (site / "clusters/aire.html").read_text(encoding="utf-8")
    (tmp_path / "a/page.html").write_text(page, encoding="utf-8")
    soup = BeautifulSoup(page, "html.parser")
    for selector in (
        "article p",
        "article pre > code",
        "article .evidence",
        "article caption",
        "article h2",
        "meta[name=description]",
        ".md-nav--primary > ul a.md-nav__link",
        "[role=dialog]",
    ):
        soup.select_one(selector).decompose()
    (tmp_path / "b/page.html").write_text(str(soup), encoding="utf-8")
    assert set(zensical.PARTS) - zensical.lost(tmp_path / "a", tmp_path / "b").keys() <= {"pictures", "links"}
