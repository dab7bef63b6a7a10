"""mkdocs.yml as every step reads it: the site's name and address, the pages in the navigation's order, moved pages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.errors import BadInput
from scripts.paths import FACTS, OURS, ROOT, shown
from scripts.yaml_lines import Lines, load

FILE = ROOT / "mkdocs.yml"
# MkDocs, which shows a traceback of its own where a folder is closed or the disk is full.
BUILD = ("-c", "from mkdocs.__main__ import cli; from scripts.errors import run; run(cli)", "build", "--strict")


@dataclass(frozen=True)
class Entry:
    """A page of the navigation. section: the words above it, those of the innermost; empty at the top."""

    section: str
    title: str
    source: str  # below docs/: clusters/uva.md

    @property
    def built(self) -> str:
        """Below the site's folder: clusters/uva.html."""
        return self.source.rsplit(".", 1)[0] + ".html"

    @property
    def plain(self) -> str:
        """Its copy in plain Markdown: clusters/uva.md."""
        return self.source.rsplit(".", 1)[0] + ".md"


@dataclass(frozen=True)
class Config:
    data: dict[str, Any]
    lines: Lines
    file: Path  # as messages name it

    @property
    def site_url(self) -> str:
        """With its last slash; empty where the guide has no address yet."""
        url = self.data.get("site_url") or ""
        return url and url.rstrip("/") + "/"

    @property
    def pages(self) -> list[Entry]:
        return _entries(self.data["nav"], "")


def mkdocs_yml(file: Path = FILE) -> Config:
    """Plain data: what the file asks Python to run is not run. Raises BadInput for anything that is not YAML."""
    data, lines = load(file, shown(file))
    if not isinstance(data, dict):
        raise BadInput(shown(file), 1, "this file must be a list of `key: value` lines.", "Start with `site_name:`.")
    return Config(data, lines, shown(file))


def site_yml() -> Config:
    """The file that names the site: ours, or that of another collection, which need not have one."""
    own = FACTS / "mkdocs.yml"
    return mkdocs_yml() if OURS else mkdocs_yml(own) if own.is_file() else Config({}, {}, own)


def _entries(nav: list, section: str) -> list[Entry]:
    found = []
    for item in nav:
        named = {section: item} if isinstance(item, str) else item  # a section's own page has the section's name
        for title, value in named.items():
            found += [Entry(section, title, value)] if isinstance(value, str) else _entries(value, title)
    return found
