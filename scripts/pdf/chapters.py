"""The pages to print, in the navigation's order, each with the <article> of its built page."""

from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from scripts.errors import BadInput
from scripts.site.config import mkdocs_yml


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

    def fault(self, tag: Tag, what: str, cure: str) -> BadInput:
        """What is wrong with an element of the page, told with its line."""
        return BadInput(self.source, tag.sourceline, what, cure)


def nav_pages() -> list[tuple[str | None, str]]:
    """(section, page as built) of every entry of the navigation; a section in a section is told by the inner name."""
    return [(page.section or None, page.built) for page in mkdocs_yml().pages]


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
