"""The folder that works without a network, opened from file:// in a real browser, and the policy that every page obeys, online and there."""

import re
import zipfile
from pathlib import Path

import pytest

from scripts.site.after import csp, offline
from scripts.errors import BadInput
from tests.snippets.sandbox import ROOT
from tests.site.test_browser import BUTTONS, PRESS, address, browser  # noqa: F401  (fixtures)
from tests.site.test_pages import INCLUDE, PAGES

NAMES = sorted(str(page.relative_to(ROOT / "docs").with_suffix(".html")) for page in PAGES)
each_page = pytest.mark.parametrize("name", NAMES)

WATCH = "addEventListener('securitypolicyviolation', event => console.error('refused', event.violatedDirective, event.blockedURI, event.sample))"


@pytest.fixture(scope="module")
def folder(site, tmp_path_factory) -> Path:
    """The zip, unpacked at a place with a blank and an accent in its name."""
    place = tmp_path_factory.mktemp("mémoire flash")
    with zipfile.ZipFile(site / "gpu-cluster-guide.zip") as packed:
        packed.extractall(place)
    return place / "gpu-cluster-guide"


@pytest.fixture
def visit(browser):  # noqa: F811
    """Open pages in a browser without a network. `.asked` lists what goes to another place than `home`, `.faults` what the console reports."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(30_000)
    context.add_init_script(WATCH)

    def visit(home: str, name: str):
        page = context.new_page()
        page.asked, page.faults = [], []
        page.on("request", lambda request: page.asked.append(request.url) if not request.url.startswith((home, "data:")) else None)
        page.on("console", lambda message: page.faults.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: page.faults.append(str(fault)))
        page.goto(f"{home}/{name}")
        return page

    yield visit
    context.close()


def search(page, words: str):
    """Type into the search box as a person does; returns the results' links."""
    page.keyboard.press("/")
    page.keyboard.type(words, delay=20)
    page.wait_for_selector(".md-search-result__link")
    return page.locator(".md-search-result__link")


@each_page
def test_each_page_online_asks_no_other_host_and_obeys_its_policy(name, visit, address):  # noqa: F811
    page = visit(address, name)
    search(page, "cuda")
    assert (page.asked, page.faults) == ([], [])


@each_page
def test_each_page_of_the_folder_asks_no_other_host_and_obeys_its_policy(name, visit, folder):
    page = visit(folder.as_uri(), name)
    assert search(page, "cuda").count() > 0
    assert (page.asked, page.faults) == ([], [])


def test_search_in_the_folder_leads_to_the_page(visit, folder):
    page = visit(folder.as_uri(), "clusters/uva.html")
    found = search(page, "dataloader workers").first
    assert "/learn/feed-the-gpu.html" in found.get_attribute("href")
    found.click()
    page.wait_for_url("**/feed-the-gpu.html?h=*")
    assert "Feed the GPU" in page.title() and page.faults == []


def test_tabs_and_colours_are_kept_from_page_to_page_in_the_folder(visit, folder):
    page = visit(folder.as_uri(), "clusters/alliance.html")
    label = page.locator(".tabbed-labels label", has_text="Nibi").first
    label.click()
    page.locator("form[data-md-component=palette] label:visible").click()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    other = visit(folder.as_uri(), "learn/install-software.html")
    assert other.evaluate("document.body.dataset.mdColorScheme") == "slate"
    again = visit(folder.as_uri(), "clusters/alliance.html")
    shown = again.evaluate("[...document.querySelectorAll('.tabbed-set > input:checked')].map(i => document.querySelector(`label[for=${i.id}]`).textContent.trim())")
    assert "Nibi" in shown and page.faults == other.faults == again.faults == []


def test_copy_buttons_in_the_folder_give_the_files(visit, folder):
    source = ROOT / "docs/learn/pytorch.md"
    page = visit(folder.as_uri(), "learn/pytorch.html")
    page.wait_for_selector(BUTTONS, state="attached")
    copied = [button.evaluate(PRESS) for button in page.query_selector_all(BUTTONS)]
    wanted = [(ROOT / name).read_text().rstrip() for name in INCLUDE.findall(source.read_text()) if not name.endswith(".md")]
    assert len(wanted) > 3 and [text for text in wanted if text not in copied] == []


def test_the_notebook_is_in_the_folder(folder):
    assert (folder / "learn/does-a-gpu-pay.ipynb").read_bytes() == (ROOT / "docs/learn/does-a-gpu-pay.ipynb").read_bytes()
    assert re.search(r'href="does-a-gpu-pay.ipynb"', (folder / "learn/does-a-gpu-pay.html").read_text())


def test_every_link_of_the_folder_leads_to_a_file(folder):
    dead, links = [], 0
    for page in folder.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#?:]+)[^":]*"', page.read_text()):
            links += 1
            if not (page.parent / target).is_file():
                dead.append(f"{page.relative_to(folder)}: {target}")
    assert links > 500 and dead == []


def test_the_zip_is_small_and_without_a_pdf_unless_one_is_built(site, tmp_path):
    packed = site / "gpu-cluster-guide.zip"
    names = zipfile.ZipFile(packed).namelist()
    assert not [name for name in names if name.endswith((".map", "404.html")) or not name.startswith("gpu-cluster-guide/")]
    pdfs = sum(entry.compress_size for entry in zipfile.ZipFile(packed).infolist() if entry.filename.endswith(".pdf"))
    assert packed.stat().st_size - pdfs < 3_000_000


@pytest.fixture
def tiny(tmp_path) -> Path:
    site = tmp_path / "site"
    for name, text in {"index.html": '<meta charset="utf-8"></head><a href="guide.pdf">The <b>PDF</b></a> <a href="gone.html">gone</a>', "assets/x.css": "", "search/search_index.json": "{}"}.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    return site


def test_a_pdf_is_packed_once_it_is_built_and_linked_only_then(tiny):
    def packed():
        with zipfile.ZipFile(offline.write(tiny)) as archive:
            return archive.read("gpu-cluster-guide/index.html").decode(), archive.namelist()

    html, names = packed()
    assert "guide.pdf" not in html and "The <b>PDF</b>" in html and "gone.html" in html
    (tiny / "guide.pdf").write_bytes(b"%PDF")
    html, names = packed()
    assert 'href="guide.pdf"' in html and "gpu-cluster-guide/guide.pdf" in names
    assert names == packed()[1], "the zip does not hold itself"


def test_packing_what_is_not_built_is_refused(tmp_path):
    with pytest.raises(BadInput, match="make site"):
        offline.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_page_has_one_policy_without_a_loophole(site):
    for page in site.rglob("*.html"):
        policies = csp.META.findall(page.read_text())
        assert len(policies) == 1, page
        assert "'none'" in policies[0] and "unsafe" not in policies[0] and not re.search(r"https?:|\*", policies[0]), page


def test_a_script_put_into_a_page_afterwards_does_not_run(site, tmp_path, visit):
    html = (site / "index.html").read_text()
    (tmp_path / "index.html").write_text(html.replace("</body>", "<script>document.title = 'taken over'</script></body>"))
    page = visit(tmp_path.as_uri(), "index.html")
    assert page.title() != "taken over" and any("refused script-src" in fault for fault in page.faults)


TRUSTED = "; require-trusted-types-for 'script'"


def test_what_the_theme_does_not_permit_is_still_so(site, folder, tmp_path, visit):
    """about/offline.md says why the policy stops where it does. When the theme learns better, so can the policy."""
    html = (folder / "index.html").read_text()
    assert re.findall(r"<script>(?!</script>)", html), "no inline script is left: take the hashes out of the policy"
    for page in folder.rglob("*.html"):
        page.write_text(page.read_text().replace("form-action 'none'", "form-action 'none'" + TRUSTED))
    page = visit(folder.as_uri(), "index.html")
    assert any("TrustedHTML" in fault or "trusted" in fault.lower() for fault in page.faults), "the theme obeys trusted types now: require them"
    for page in folder.rglob("*.html"):
        page.write_text(page.read_text().replace(TRUSTED, ""))
