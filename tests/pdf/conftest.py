"""The PDFs that the tests read: by day of a few pages, by night of all."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from bs4 import Tag

from scripts.pdf import chapters
from scripts.pdf.__main__ import COMPARE
from scripts.pdf.offer import GUIDE
from tests.conftest import tool
from tests.needs import need_browser
from tests.pdf.pdf_reader import article, spans

# Three sections; a system, a centre, a page of code, one of pictures and wide tables, a notebook, one of messages.
FEW = (
    "index.html",
    "clusters/csc.html",
    "clusters/lumi.html",
    "learn/pytorch.html",
    "learn/does-a-gpu-pay.html",
    "workshop/regression.html",
    "wrong/mpi.html",
)


@dataclass(frozen=True)
class Book:
    """A site with its PDFs. nav: (section, page as built) of what is printed, in order."""

    folder: Path
    nav: list[tuple[str | None, str]]

    @property
    def pages(self) -> list[str]:
        return [page for _, page in self.nav]

    @property
    def whole(self) -> bool:
        return len(self.nav) > len(FEW)

    @property
    def guide(self) -> Path:
        return self.folder / GUIDE

    @cached_property
    def articles(self) -> dict[str, Tag]:
        return {page: article(self.folder / page) for page in self.pages}

    @cached_property
    def spans(self) -> dict[str, tuple[int, int]]:
        return spans(self.guide, self.nav)

    @property
    def pdfs(self) -> dict[Path, list[str]]:
        """Each PDF with the pages that are in it: the guide, and each cluster page's own."""
        own = [page for page in self.pages if page.startswith("clusters/") and page != COMPARE]
        return {self.guide: self.pages} | {self.folder / page.replace(".html", ".pdf"): [page] for page in own}

    @property
    def own(self) -> dict[Path, str]:
        return {pdf: pages[0] for pdf, pages in self.pdfs.items() if pdf != self.guide}


@pytest.fixture(scope="session")
def few(once, site) -> Path:
    need_browser()

    def make(folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(site, folder)
        tool("pdf", folder, *FEW)

    return once("few", make)


@pytest.fixture(scope="session", params=["few", pytest.param("printed", marks=pytest.mark.nightly)])
def book(request) -> Book:
    """By day the PDFs of a few pages, by night those of all."""
    nav = [entry for entry in chapters.nav_pages() if request.param == "printed" or entry[1] in FEW]
    return Book(request.getfixturevalue(request.param), nav)
