"""Build this guide's mkdocs.yml with Zensical, the successor of MkDocs and
Material, and say what would be lost by moving today.

MkDocs 1 has no maintainer and Material ends in 2027. Nothing depends on this build yet: it tells how far the guide is
from moving.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup, Tag

from scripts.errors import BadInput, run
from scripts.paths import ROOT
from scripts.site import after
from scripts.site.copy import copy_guide

# What a reader has of a page, and where it stands in the HTML.
PARTS = {
    "the text": lambda page: [
        tag.get_text(" ", strip=True) for tag in page.select("article :is(h1, h2, h3, h4, p, li, td, th, summary)")
    ],
    "programs and scripts": lambda page: [tag.get_text() for tag in page.select("article pre > code")],
    "lines of evidence": lambda page: [tag.get_text() for tag in page.select("article .evidence")],
    "captions of tables": lambda page: [tag.get_text() for tag in page.select("article caption")],
    "addresses of headings": lambda page: [tag["id"] for tag in page.select("article :is(h1, h2, h3, h4)[id]")],
    "pictures": lambda page: [(tag["src"], tag["alt"]) for tag in page.select("article img")],
    "links": lambda page: [tag["href"].removeprefix("./") for tag in page.select("article a[href]")],
    "the description": lambda page: [tag["content"] for tag in page.select("meta[name=description]")],
    "the menu": lambda page: [
        tag.get_text(" ", strip=True) for tag in page.select(".md-nav--primary > ul .md-nav__link[href$='.html']")
    ],
    "the search box's name": lambda page: [tag["aria-label"] for tag in page.select("[role=dialog][aria-label]")],
}


def build(folder: Path) -> None:
    """Build into `folder` (new), and take the steps after the build that need nothing but pages.

    Raises BadInput if Zensical fails.
    """
    with TemporaryDirectory(
        prefix="zensical-"
    ) as scratch:  # Zensical writes beside its configuration, and MkDocs' site/ must stay
        copy_guide(Path(scratch))
        command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
        done = subprocess.run(
            command,
            cwd=scratch,
            env={**os.environ, "PYTHONPATH": scratch},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode or not Path(scratch, "site", "index.html").exists():
            raise BadInput(
                "mkdocs.yml",
                None,
                f"Zensical does not build it: {(done.stdout + done.stderr)[-500:]}",
                "`make site` is not touched by this.",
            )
        shutil.copytree(Path(scratch, "site"), folder)
    after.take(folder, after.PAGES_ALONE)


def lost(mkdocs: Path, zensical: Path) -> dict[str, list[str]]:
    """What differs for readers: for each part, the pages on which it is not
    the same; for "files", the files that are missing.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(mkdocs.rglob("*")):
        name = str(path.relative_to(mkdocs))
        if path.is_dir() or name.startswith(
            ("assets/javascripts/", "assets/stylesheets/")
        ):  # each theme brings its own
            continue
        other = zensical / name
        if not other.is_file():
            found.setdefault("files", []).append(name)
        elif path.suffix == ".html":
            pages: list[Tag] = [
                BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser") for file in (path, other)
            ]
            for part, of in PARTS.items():
                if of(pages[0]) != of(pages[1]):
                    found.setdefault(part, []).append(name)
        elif (
            path.suffix in (".md", ".txt", ".ipynb", ".sh", ".py", ".svg", ".css")
            and path.read_bytes() != other.read_bytes()
        ):
            found.setdefault("changed files", []).append(name)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.site.zensical", description=__doc__)
    parser.add_argument(
        "--site-dir", type=Path, default=ROOT / "site", help="the guide as MkDocs built it (default: %(default)s)"
    )
    mkdocs = parser.parse_args().site_dir
    if not (mkdocs / "index.html").is_file():
        raise BadInput(mkdocs, None, "the guide is not built here.", "Run `make site` first.")
    with TemporaryDirectory(prefix="zensical-") as scratch:
        build(Path(scratch, "site"))
        for part, names in lost(mkdocs, Path(scratch, "site")).items():
            print(f"{part}: differs on {len(names)}: {', '.join(names[:4])}{' …' if len(names) > 4 else ''}")
    return 0


if __name__ == "__main__":
    run(main)
