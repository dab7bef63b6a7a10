"""The site and its PDFs, each made once for all tests that read it; a server of the site, and a browser."""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.paths import ROOT
from scripts.site.server import serve
from tests import engine_in_node
from tests.made import made
from tests.needs import need_browser


def pytest_addoption(parser):
    parser.addoption(
        "--keep-site", metavar="FOLDER", type=Path, help="keep the site that is tested, with its PDFs, in FOLDER"
    )


def pytest_configure(config):
    engine_in_node.use("not nightly" in config.option.markexpr)


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Callable[[str, Callable[[Path], None]], Path]:
    """once(name, make): a folder that make(folder) fills; under xdist the first worker does it and the others wait."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "popen" in base.name else base

    def get(name: str, make: Callable[[Path], None]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                make(folder)
                done.touch()
        return folder

    return get


def tool(name: str, folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", f"scripts.{name}", "--site-dir", folder, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="session", name="made")
def made_fixture() -> Path:
    """The folder `build/made/`: for tests that read it, or include a file of it."""
    return made()


@pytest.fixture(scope="session")
def site(once) -> Path:
    return once("site", lambda folder: tool("build", folder))


@pytest.fixture(scope="session")
def printed(once, site, pytestconfig) -> Path:
    """A copy of the built site with its PDFs; `--keep-site` keeps another of it."""
    need_browser()

    def make(folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)  # what a failed try has left
        shutil.copytree(site, folder)
        tool("pdf", folder)
        if kept := pytestconfig.getoption("--keep-site"):
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)

    return once("printed", make)


@pytest.fixture(scope="session")
def server(site) -> Iterator[ThreadingHTTPServer]:
    """The built site, served compressed; `server.sent` says what went out, see scripts.site.server."""
    with serve(site) as server:
        yield server


@pytest.fixture(scope="session")
def address(server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(scope="session")
def browser():
    """A browser. Whatever asks for it carries the mark `browser`, see below.

    Playwright keeps an event loop in this thread from then on: what else needs one gets a thread of its own.
    """
    need_browser()
    from scripts.pdf.printer import chromium  # here, since most tests need neither playwright nor a PDF library

    with chromium() as browser:
        yield browser


@pytest.hookimpl(tryfirst=True)  # before items are chosen by their marks
def pytest_collection_modifyitems(items) -> None:
    for item in items:
        fixtures = {*getattr(item, "fixturenames", ())}
        if fixtures & {"book", "browser", "printed"}:
            item.add_marker("browser")
        if fixtures & {"book", "site"}:
            item.add_marker("built")
