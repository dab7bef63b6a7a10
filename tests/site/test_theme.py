"""What the guide adds to the theme: a page for wrong addresses, links to edit and report, and paper."""

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pypdfium2
import pytest
from bs4 import BeautifulSoup

from scripts.paths import ROOT
from scripts.site.after import plain
from scripts.site.config import mkdocs_yml
from tests.pdf.pdf_reader import flat
from tests.run import run
from tests.site import looks
from tests.site.pages import CLUSTER_PAGES, PAGES, html_of
from tests.tiers import by_day


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    """The guide as built once the three lines of mkdocs.yml are filled in."""
    folder = tmp_path_factory.mktemp("published")
    config = ROOT / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    for key in ("site_url", "repo_url", "edit_uri"):
        text, found = re.subn(rf"(?m)^# ({key}: \S+)$", r"\1", text)
        assert found == 1, f"mkdocs.yml has no line `# {key}: …` to fill in"
    text = (
        text.replace("site_dir: site", f"site_dir: {folder / 'site'}")
        .replace("docs_dir: docs", f"docs_dir: {ROOT / 'docs'}")
        .replace("custom_dir: scripts", f"custom_dir: {ROOT / 'scripts'}")
        .replace("  - scripts/", f"  - {ROOT / 'scripts'}/")
    )
    (folder / "mkdocs.yml").write_text(text.replace("watch: [snippets, scripts]", ""), encoding="utf-8")
    run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", folder / "mkdocs.yml", status=0)
    return folder / "site"


def test_a_wrong_address_leads_on(site):
    leads_on(site, urlsplit(mkdocs_yml().site_url).path or "/")


def leads_on(folder: Path, root: str) -> None:
    """The server shows it for any address, so its links begin at the site's root, which may lie below its host's."""
    article = BeautifulSoup((folder / "404.html").read_text(encoding="utf-8"), "html.parser").find("article")
    links = [a["href"] for a in article.select("a[href]")]
    assert links[0] == f"{root}index.html"
    assert {f"{root}clusters/{page.stem}.html" for page in CLUSTER_PAGES} <= set(links)
    assert all((folder / link.removeprefix(root)).is_file() for link in links)
    assert not article.select(".page-links")


@pytest.mark.nightly
def test_once_published_links_lead_to_the_repository_and_no_page_asks_its_host(published, site, browser):
    """The theme would ask api.github.com for stars."""
    leads_on(published, "/guide/")
    for page in PAGES:
        name = page.relative_to(ROOT / "docs")
        soup = BeautifulSoup((published / name.with_suffix(".html")).read_text(encoding="utf-8"), "html.parser")
        links = {a.get_text(): a["href"] for a in soup.select(".page-links a")}
        assert links["Edit this page"] == f"https://github.com/example/guide/edit/main/docs/{name}"
        report = r"https://github\.com/example/guide/issues/new\?title=[\w%./~-]+%3A%20"
        assert re.fullmatch(report, links["Report a problem"])
        assert "github.com/example" not in (site / name.with_suffix(".html")).read_text(encoding="utf-8")
    asked = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url) if not request.url.startswith("file:") else None)
    page.goto((published / "index.html").as_uri())
    page.wait_for_function("() => window.component$")  # the theme's script has run
    page.evaluate(looks.READY)
    assert page.locator("a.md-source").count() > 0 and asked == []


def on_paper(browser, address, name, tmp_path):
    """Print a page as a reader would, from the dark colours; returns the PDF and its text without blanks."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{address}/{name}")
    page.wait_for_load_state("load")
    page.pdf(path=tmp_path / "page.pdf", format="A4", print_background=True)
    context.close()
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as pdf:
        return tmp_path / "page.pdf", flat("".join(page.get_textpage().get_text_bounded() for page in pdf))


@pytest.mark.parametrize(
    "name",
    by_day(
        [
            "clusters/narval.md",
            "learn/install-software.md",
            "learn/does-a-gpu-pay.md",
            "workshop/regression.ipynb",
            "clusters/vermilion.md",
        ],
        {"clusters/narval.md"},
    ),
)
def test_a_printed_page_is_whole(name, browser, address, tmp_path):
    """Every line of code, in every collapsed block, too."""
    _, text = on_paper(browser, address, html_of(ROOT / "docs" / name), tmp_path)
    fences = re.findall(r"(?ms)^[ ]*```\w+[^\n]*\n(.*?)^[ ]*```$", plain.expand(ROOT / "docs" / name))
    lines = [re.sub(r"\s", "", line) for fence in fences for line in fence.splitlines() if line.strip()]
    assert len(lines) > 30 and [line for line in lines if line not in text] == []
    assert "ThispageasMarkdown" not in text and "Skiptocontent" not in text


def test_a_page_is_printed_in_light_colours(browser, address, tmp_path):
    pdf, _ = on_paper(browser, address, "learn/pytorch.html", tmp_path)
    with pypdfium2.PdfDocument(pdf) as pages:
        assert len(pages)
        for number, page in enumerate(pages, 1):
            pixels = page.render(grayscale=True).to_numpy()
            assert pixels.mean() > 200 and pixels[0, 0].min() > 250, f"page {number} is dark"
