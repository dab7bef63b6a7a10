"""The folder that works without a network, opened from file:// in a real browser, and the policy of every page."""

import re
import zipfile
from html import unescape
from pathlib import Path

import nbformat
import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.paths import DOCS, write_whole
from scripts.site import notebook
from scripts.site.after import agents, csp, offline
from scripts.site.config import mkdocs_yml
from tests.site import looks
from tests.site.looks import DESK
from tests.site.pages import NOTEBOOKS


@pytest.mark.parametrize("where", ["folder", "site"])  # `make site` prints the address of a file, too
def test_search_in_a_page_opened_as_a_file_leads_to_the_page(where, visit, request):
    page = visit("clusters/uva.html", DESK, home=request.getfixturevalue(where).as_uri())
    assert looks.search(page, "dataloader workers")[0].startswith("learn/feed-the-gpu.html")
    page.locator(".md-search-result__link").first.click()
    page.wait_for_url("**/feed-the-gpu.html*")
    assert "Feed the GPU" in page.title() and page.faults == []


def test_colours_are_kept_from_page_to_page_in_the_folder(visit, folder):
    page = visit("clusters/narval.html", DESK, home=folder.as_uri())
    page.locator("form[data-md-component=palette] label:visible").click()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    other = visit("learn/install-software.html", home=folder.as_uri())
    assert other.evaluate("document.body.dataset.mdColorScheme") == "slate"
    assert page.faults == other.faults == []


def test_the_notebooks_are_in_the_folder(folder):
    for page in NOTEBOOKS:
        name = page.relative_to(DOCS)
        assert nbformat.read(folder / name, as_version=4) == notebook.read(page)
        assert f'href="{name.name}"' in (folder / name.with_suffix(".html")).read_text(encoding="utf-8")


def test_what_assistants_read_is_in_the_folder(site, folder):
    made = agents.files(load_all(), mkdocs_yml().site_url)
    assert len(made) > 40 and all((folder / path).read_bytes() == data for path, data in made.items())
    api = [{path.name for path in (place / "api/v1").iterdir()} for place in (site, folder)]
    assert api[0] - api[1] == {"engine.js", "common.json"}, "the source of `guide` has them"


def test_every_link_of_the_folder_leads_to_a_file(folder):
    dead, links = [], 0
    for page in folder.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#?:]+)[^":]*"', unescape(page.read_text(encoding="utf-8"))):
            links += 1
            if not (page.parent / target).is_file():
                dead.append(f"{page.relative_to(folder)}: {target}")
    assert links > 500 and dead == []


def test_the_zip_is_small_and_without_a_pdf_unless_one_is_built(site, tmp_path):
    packed = site / "gpu-cluster-guide.zip"
    names = zipfile.ZipFile(packed).namelist()
    assert not [
        name for name in names if name.endswith((".map", "404.html")) or not name.startswith("gpu-cluster-guide/")
    ]
    pdfs = sum(entry.compress_size for entry in zipfile.ZipFile(packed).infolist() if entry.filename.endswith(".pdf"))
    assert packed.stat().st_size - pdfs < 5_000_000  # of these, 1.3 MB are the source of the command `guide`


@pytest.fixture
def tiny(tmp_path) -> Path:
    site = tmp_path / "site"
    for name, text in {
        "index.html": '<meta charset="utf-8"></head>'
        '<a href="guide.pdf">The <b>PDF</b></a> <a href="gone.html">gone</a>',
        "assets/x.css": "",
        "search/search_index.js": "",
    }.items():
        write_whole(site / name, text)
    return site


def test_a_pdf_is_packed_once_it_is_built_and_linked_only_then(tiny):
    def packed():
        with zipfile.ZipFile(offline.write(tiny)) as archive:
            modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
            return archive.read("gpu-cluster-guide/index.html").decode(), modes

    (tiny / "assets/x.css").chmod(0o755)
    html, names = packed()
    assert "guide.pdf" not in html and "The <b>PDF</b>" in html and "gone.html" in html
    (tiny / "guide.pdf").write_bytes(b"%PDF")
    html, names = packed()
    assert 'href="guide.pdf"' in html and "gpu-cluster-guide/guide.pdf" in names
    assert list(names) == list(packed()[1]), "the zip does not hold itself"
    assert [names[f"gpu-cluster-guide/{name}"] for name in ("assets/x.css", "index.html")] == [0o755, 0o644]


def test_packing_what_is_not_built_is_refused(tmp_path):
    with pytest.raises(BadInput, match="make site"):
        offline.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_page_has_one_policy_without_a_loophole(site):
    for page in site.rglob("*.html"):
        policies = csp.META.findall(page.read_text(encoding="utf-8"))
        assert len(policies) == 1, page
        rules = re.sub(r" 'sha256-[^']+'", "", policies[0].split('"')[-2])
        assert rules == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'"
        ), page


def test_a_script_put_into_a_page_afterwards_does_not_run(site, tmp_path, visit):
    html = (site / "index.html").read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(
        html.replace("</body>", "<script>document.title = 'taken over'</script></body>"), encoding="utf-8"
    )
    page = visit("index.html", home=tmp_path.as_uri())
    assert page.title() != "taken over" and any("refused script-src" in fault for fault in page.faults)
