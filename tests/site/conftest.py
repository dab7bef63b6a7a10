"""Pages in a browser, and the offline folder."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from tests.site import looks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


class Pages(Mapping):
    """Every built page by its name, parsed when a test asks for it, once for all tests, which leave it as it is."""

    def __init__(self, site: Path):
        self.files = {str(path.relative_to(site)): path for path in site.rglob("*.html")}
        self.parsed: dict[str, HtmlElement] = {}

    def __getitem__(self, name: str) -> HtmlElement:
        if name not in self.parsed:
            self.parsed[name] = document_fromstring(self.files[name].read_bytes(), HTMLParser(encoding="utf-8"))
        return self.parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@pytest.fixture(scope="session")
def pages(site) -> Pages:
    return Pages(site)


def reader(browser) -> BrowserContext:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(60_000)
    context.add_init_script(looks.WATCH)
    return context


@pytest.fixture(scope="session")
def kept(browser) -> BrowserContext:
    """The reader's browser that tests share; its empty page keeps alive the process of the next one."""
    context = reader(browser)
    context.new_page()
    return context


@pytest.fixture
def visit(kept, browser, request):
    """visit(name, width, scheme, home): an open page of the site, or of the folder at the address `home`.

    `.asked` lists what goes to another place than `home`, `.faults` what the console reports, violations of the page's
    policy among it. Pages of one test share what a reader's browser keeps, and the next test finds nothing of it; with
    `fresh` a page has a browser of its own, whose cache is empty.
    """
    pages = []

    def visit(name: str, width: int = looks.PHONE, scheme: str = "light", home: str | None = None, fresh: bool = False):
        home = home or request.getfixturevalue("address")
        page = (reader(browser) if fresh else kept).new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": looks.HEIGHT})
        page.emulate_media(color_scheme=scheme)
        page.asked, page.faults = [], []
        page.on(
            "request",
            lambda request: page.asked.append(request.url) if not request.url.startswith((home, "data:")) else None,
        )
        page.on("console", lambda said: page.faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: page.faults.append(str(fault)))
        page.goto(f"{home}/{name}")
        return page

    yield visit
    for page in pages:
        if page.context is not kept:
            page.context.close()
        elif not page.is_closed():
            page.evaluate("localStorage.clear()")
            page.close()


@pytest.fixture(scope="module")
def folder(site, tmp_path_factory) -> Path:
    """The zip, unpacked at a place with a blank and an accent in its name."""
    place = tmp_path_factory.mktemp("mémoire flash")
    with zipfile.ZipFile(site / "gpu-cluster-guide.zip") as packed:
        packed.extractall(place)
    return place / "gpu-cluster-guide"
