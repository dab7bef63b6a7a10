"""Every page's source, and its text: a page is written in Markdown, or as a notebook."""

from __future__ import annotations

from pathlib import Path

from scripts.paths import DOCS
from scripts.site import notebook


def pages() -> list[Path]:
    """Every page's file below docs/; what the links docs/made and docs/snippets lead to is none."""
    found = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    others = {"made", "snippets", ".ipynb_checkpoints"}
    return sorted(page for page in found if not others & {*page.relative_to(DOCS).parts})


def text_of(page: Path) -> str:
    """A page in Markdown, its front matter too. Raises BadInput for a notebook that a page cannot show."""
    return notebook.as_markdown(page) if page.suffix == ".ipynb" else page.read_text(encoding="utf-8")
