"""Pages in a browser, and the offline folder."""

import zipfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.site import looks


@pytest.fixture(scope="session")
def pages(site) -> dict[str, BeautifulSoup]:
    """Every built page, parsed once for all tests, which leave it as it is."""
    return {
        str(path.relative_to(site)): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }


@pytest.fixture
def visit(browser, request):
    """visit(name, width, scheme, home): an open page of the site, or of the folder at the address `home`.

    The browser's cache is empty. `.asked` lists what goes to another place than `home`, `.faults` what the console
    reports, violations of the page's policy among it.
    Pages of one test share what a reader's browser keeps; with `fresh` a page has a browser of its own.
    """
    contexts = []

    def visit(name: str, width: int = looks.PHONE, scheme: str = "light", home: str | None = None, fresh: bool = True):
        home = home or request.getfixturevalue("address")
        if fresh or not contexts:
            contexts.append(
                browser.new_context(
                    viewport={"width": width, "height": looks.HEIGHT},
                    color_scheme=scheme,
                    permissions=["clipboard-read", "clipboard-write"],
                )
            )
            contexts[-1].set_default_timeout(60_000)
            contexts[-1].add_init_script(looks.WATCH)
        page = contexts[-1].new_page()
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
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def folder(site, tmp_path_factory) -> Path:
    """The zip, unpacked at a place with a blank and an accent in its name."""
    place = tmp_path_factory.mktemp("mémoire flash")
    with zipfile.ZipFile(site / "gpu-cluster-guide.zip") as packed:
        packed.extractall(place)
    return place / "gpu-cluster-guide"
