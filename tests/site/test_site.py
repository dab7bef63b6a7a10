"""The built site: what a reader gets. Built once, strictly, into a folder of its own."""

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from scripts.markdown import INCLUDE
from scripts.paths import ROOT
from scripts.programs import ON_GPU
from tests.site.pages import NAMES, NOTEBOOKS, PAGES, TEXT, html_of, included


def test_every_included_file_can_be_copied_byte_for_byte(pages):
    """The copy button takes the code's text without the last line's end; all before it must be the file."""
    checked = 0
    for page in PAGES:
        html = pages[html_of(page)]
        codes = {code.text_content().rstrip() for code in html.cssselect(".highlight pre > code")}
        for fence in re.findall(r"```\w+[^\n]*\n\s*(--8<--[^\n]*)\n", TEXT[page]):
            name = INCLUDE.search(fence)["path"]
            assert (ROOT / name).read_text(encoding="utf-8").rstrip() in codes, (
                f"{page.name}: what can be copied is not {name}"
            )
            checked += 1
    assert checked > 50, f"only {checked} includes were found"


def with_tables(page: Path) -> str:
    """The page's text, and that of the tables that it includes, some of which show scripts."""
    tables = [ROOT / name for name in included(page) if name.endswith(".md")]
    return TEXT[page] + "".join(path.read_text(encoding="utf-8") for path in tables)


def on_a_gpu(page: Path) -> int:
    """How many outputs of a GPU the site adds to those that the page includes."""
    stems = {Path(name).stem for name in included(page) if name.startswith("snippets/programs/")}
    return sum((ON_GPU / f"{stem}.out").exists() for stem in stems)


def test_no_fence_is_swallowed(pages):
    """As many code blocks on the built page as fences in its source and in what it includes."""
    for page in PAGES:
        html = pages[html_of(page)]
        fences = len(re.findall(r"(?m)^\s*```.*$", with_tables(page))) / 2
        assert len(html.cssselect("div.highlight")) == fences + on_a_gpu(page), page.name


def test_downloads_are_the_files(site, pages):
    links = {
        (page, a.get("href"))
        for page, html in pages.items()
        for a in html.cssselect(".evidence a")
        if "/snippets/" in a.get("href") or a.get("href").startswith("snippets/")
    }
    assert len(links) > 50
    for page, href in links:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), href))
        assert (site / target).read_bytes() == (ROOT / target).read_bytes()


def test_every_internal_link_and_anchor_resolves(site, pages):
    ids = {page: {*html.xpath("//@id | //a/@name")} for page, html in pages.items()}
    dead = []
    for page, html in pages.items():
        for link in html.xpath("//a/@href | //img/@src | //link/@href | //script/@src"):
            address, anchor = urldefrag(link)
            if urlsplit(address).scheme or address.startswith("//") or page == "404.html":
                continue
            path = urlsplit(address).path
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
            if not (site / target).is_file() or (
                anchor and target in ids and unquote(anchor) not in ids[target] and anchor != "__comments"
            ):
                dead.append(f"{page}: {link}")
    assert dead == []


def test_one_h1_and_no_heading_jump(pages):
    for page, html in pages.items():
        levels = [int(tag.tag[1]) for tag in html.cssselect("article :is(h1,h2,h3,h4,h5,h6)")]
        if page in NAMES:  # not the one for wrong addresses, nor those that lead on
            assert levels.count(1) == 1, page
        assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False)), (page, levels)


def test_no_include_or_directive_is_left_raw(pages):
    for page, html in pages.items():
        text = "".join(article.text_content() for article in html.iter("article"))
        assert "--8<--" not in text and ".evidence" not in text, page


def test_evidence_stands_under_every_included_script_and_program(pages):
    for page in PAGES:
        html = pages[html_of(page)]
        fences = len(re.findall(r'```\w+[^\n]*\n\s*--8<-- "snippets/', TEXT[page]))
        fences += with_tables(page).count('```bash title="')  # the applications' scripts
        assert len(html.cssselect("p.evidence")) == fences + (page in NOTEBOOKS) + on_a_gpu(page), page.name
