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
from tests.site.pages import PAGES, WRONG_ADDRESS, html_of, included


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zensical") / "site"
    zensical.build(folder)
    return folder


def with_root_links() -> set[str]:
    """Pages on which a link begins with `/`: those that include a script (for its evidence) or a table with links."""
    found = {WRONG_ADDRESS}
    for page in PAGES:
        for name in included(page):
            if name.endswith(".md") and "](/" not in (ROOT / name).read_text(encoding="utf-8"):
                continue
            found.add(html_of(page))
    return found


def test_exactly_this_would_be_lost(site, built):
    lost = zensical.lost(site, built)
    assert lost.pop("files") == [
        "gpu-cluster-guide.zip",
        "search/search_index.json",
        "sitemap.xml.gz",
    ]  # the search's index is search.json there
    assert lost.pop("the text") == ["404.html"]  # its list of cluster pages
    assert set(lost.pop("links")) == with_root_links()  # links that begin with / stay as they are written
    assert lost == {}, "this is lost, too"


def test_links_that_begin_with_a_slash_are_all_that_links_lose(site, built):
    for name in with_root_links() - {"404.html"}:
        pages = [
            zensical.PARTS["links"](BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser"))
            for folder in (site, built)
        ]
        assert len(pages[0]) == len(pages[1])
        assert all(there.startswith("/") for here, there in zip(*pages, strict=True) if here != there), name


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
    page = (site / "clusters/leeds.html").read_text(encoding="utf-8")
    (tmp_path / "a/page.html").write_text(page, encoding="utf-8")
    soup = BeautifulSoup(page, "html.parser")
    for selector in (
        "article p",
        "article pre > code",
        "article .evidence",
        "article .tabbed-labels > label",
        "article caption",
        "article h2",
        "meta[name=description]",
        ".md-nav--primary > ul a.md-nav__link",
        "[role=dialog]",
    ):
        soup.select_one(selector).decompose()
    (tmp_path / "b/page.html").write_text(str(soup), encoding="utf-8")
    assert set(zensical.PARTS) - zensical.lost(tmp_path / "a", tmp_path / "b").keys() <= {"pictures", "links"}
