"""Each page as plain Markdown, and llms.txt: whole, its links lead somewhere, nothing that only a website needs."""

import posixpath
import re
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from scripts.paths import ROOT
from scripts.site.after import plain
from scripts.site.config import mkdocs_yml
from tests.site.pages import IDS, PAGES, included


def copy_of(page):
    return page.relative_to(ROOT / "docs").with_suffix(".md")


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_a_page_as_markdown_holds_every_included_file_and_no_directive(page, site):
    text = (site / copy_of(page)).read_text(encoding="utf-8")
    flat = re.sub(r"(?m)^[ \t]+", "", text)  # a closed block indents what it holds
    for name in included(page):
        held = (ROOT / name).read_text(encoding="utf-8")
        if name.endswith(".md"):  # a table: its rows, of which links may be rewritten
            assert all(row.split("](")[0] in flat for row in held.splitlines() if row.startswith("|")), name
        else:
            assert re.sub(r"(?m)^[ \t]+", "", held).rstrip() in flat, name
    assert text.startswith("# ") and "--8<--" not in text and "{: .evidence }" not in text and "<div" not in text
    if any(not name.endswith(".md") for name in included(page)):
        assert re.search(r"\]\((\.\./about/)?how-checked\.md#", text), "its lines of evidence are missing"


def test_links_of_the_markdown_pages_lead_to_files(site):
    dead, links = [], 0
    for name in map(str, map(copy_of, PAGES)):
        prose = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", (site / name).read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
            address = urlsplit(target)
            if not address.scheme:
                links += 1
                if not (site / posixpath.normpath(posixpath.join(posixpath.dirname(name), address.path))).is_file():
                    dead.append(f"{name}: {target}")
    assert links > 200 and dead == []


def test_each_page_links_its_markdown(site):
    for page in PAGES:
        html = (site / page.relative_to(ROOT / "docs").with_suffix(".html")).read_text(encoding="utf-8")
        assert f'<a href="{copy_of(page).name}">This page as Markdown</a>' in html
        head = BeautifulSoup(html[: html.index("</head>")], "html.parser")
        (link,) = head.select('link[rel~=alternate][type="text/markdown"]')
        assert link["href"] == copy_of(page).name


def test_llms_txt_lists_every_page_with_its_description(site):
    text = (site / "llms.txt").read_text(encoding="utf-8")
    pages, _, _ = text.partition("## Optional")
    listed = re.findall(r"^- \[(.+?)\]\((\S+\.md)\): (.+)$", pages, re.MULTILINE)
    rooms = re.findall(r"(?m)^## (.+)$", text)
    assert all(one != other for one, other in pairwise(rooms)) and set(rooms) - {"Start", "Optional"} <= {
        each.section for each in mkdocs_yml().pages
    }
    assert sorted(name for _, name, _ in listed) == sorted(str(copy_of(page)) for page in PAGES)
    assert text.startswith("# GPU Cluster Guide\n\n> ") and all(len(words) > 30 for _, _, words in listed)
    for name in re.findall(r"\]\((\S+)\)", text):
        assert (site / name).is_file()


def test_llms_full_txt_holds_every_page(site):
    text = (site / "llms-full.txt").read_text(encoding="utf-8")
    for page in map(copy_of, PAGES):
        assert f"<!-- {page} -->\n\n{(site / page).read_text(encoding='utf-8')}" in text


def test_a_file_inside_a_closed_block_keeps_its_indent():
    text = plain.expand(ROOT / "docs/clusters/arc4.md")
    script = (ROOT / "snippets/arc4/one_gpu.sh").read_text(encoding="utf-8").splitlines()
    assert any(all(f"{indent}{line}".rstrip() in text for line in script) for indent in ("", "    "))
