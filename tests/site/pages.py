"""The guide's pages, what each shows, and which of them a browser visits in this run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scripts.facts import load_all
from scripts.facts.centres import load_centres
from scripts.markdown import INCLUDE
from scripts.paths import DOCS, ROOT
from scripts.site.hook import shown
from scripts.site.text import pages, text_of

PAGES = pages()
SYSTEM_PAGES = {key: DOCS / "clusters" / f"{key}.md" for key in load_all()}
CENTRE_PAGES = {key: DOCS / "clusters" / f"{key}.md" for key in load_centres()}
CLUSTER_PAGES = [*SYSTEM_PAGES.values(), *CENTRE_PAGES.values()]
NOTEBOOKS = [page for page in PAGES if page.suffix == ".ipynb"]
TEXT = {page: text_of(page) for page in PAGES}
IDS = [str(page.relative_to(DOCS)) for page in PAGES]


def html_of(page: Path) -> str:
    """Below the site's folder: clusters/uva.html."""
    return str(page.relative_to(DOCS).with_suffix(".html"))


NAMES = sorted(map(html_of, PAGES))
WRONG_ADDRESS = "404.html"  # the one built page that no file in docs/ is the source of

# One page of each kind: what the theme, a style sheet or a script breaks, it breaks on one of these.
KINDS = {
    "jobscript.html",
    "index.html",
    "clusters/csc.html",
    "clusters/lumi.html",
    "clusters/puhti.html",
    "learn/pytorch.html",
    "learn/does-a-gpu-pay.html",
    "workshop/regression.html",
    "learn/results.html",
    "about/how-checked.html",
    "about/changes.html",
    WRONG_ADDRESS,
}


def included(page: Path) -> list[str]:
    """The paths, from the repository's root, that the page's include lines name."""
    return [line["path"] for line in INCLUDE.finditer(TEXT[page])]


def changed_files(root: Path = ROOT) -> set[str] | None:
    """What differs from where the branch left main, or on main from the commit before; None where git cannot tell."""

    def git(*words: str) -> list[str]:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=True
        ).stdout.splitlines()

    try:
        (head,) = git("rev-parse", "HEAD")
        (base,) = git("merge-base", "HEAD", "main")
        return {
            *git("diff", "--name-only", "HEAD~" if base == head else base),
            *git("ls-files", "--others", "--exclude-standard"),
        }
    except (OSError, subprocess.CalledProcessError):
        return None


def to_visit() -> list[str]:
    """Under CI=true every built page; else one of each kind, and those that show a changed file."""
    changed = changed_files()
    if os.environ.get("CI") == "true" or changed is None:
        return sorted({*NAMES, WRONG_ADDRESS})
    return sorted(
        KINDS | {html_of(page) for page in PAGES if changed & {str(file.relative_to(ROOT)) for file in shown(page)}}
    )
