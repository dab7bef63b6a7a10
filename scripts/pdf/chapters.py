"""The pages to print, in the navigation's order, each with the <article> of its built page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

from scripts.errors import BadInput
from scripts.facts import ROOT


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without running the Python functions it names."""


Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)
Loader.add_constructor("!ENV", lambda loader, node: None)


@dataclass
class Chapter:
    page: str  # the built page, relative to the site's folder: clusters/uva.html
    section: str | None  # the navigation's section above it
    article: Tag
    source: Path  # the built file, for messages
    title: str  # its first heading

    @property
    def prefix(self) -> str:
        """What the ids of this page begin with in the book."""
        return self.page.removesuffix(".html").replace("/", "-")


def configuration() -> dict:
    return yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)


def nav_pages(nav: list, section: str | None = None) -> list[tuple[str | None, str]]:
    """(section, page as built) of every entry; a section in a section is told by the inner name."""
    found = []
    for entry in nav:
        (title, target), = entry.items()
        if isinstance(target, list):
            found += nav_pages(target, title)
        else:
            found.append((section, target.rsplit(".", 1)[0] + ".html"))
    return found


def read(site: Path, pages: list[tuple[str | None, str]]) -> list[Chapter]:
    """The chapters of these pages; raises BadInput where the site lacks one."""
    chapters = []
    for section, page in pages:
        file = site / page
        if not file.is_file():
            raise BadInput(file, None, "this page of the navigation has not been built.", "Run `make site` first.")
        article = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser").find("article")
        if article is None or article.h1 is None:
            raise BadInput(file, None, "the built page has no <article> with a title.", "Give it a first heading.")
        for link in article.select("a.headerlink"):
            link.decompose()
        article.h1["class"] = ["chapter-title"]
        chapters.append(Chapter(page, section, article, file, article.h1.get_text(" ", strip=True)))
    return chapters
