"""Every page's source, and its text: a page is written in Markdown, or as a notebook."""

from pathlib import Path

from scripts.families.page import lines_of
from scripts.paths import DOCS
from scripts.site import notebook


def pages() -> list[Path]:
    """Every page's file below docs/; what the links docs/made and docs/snippets lead to is none."""
    found = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    others = {"made", "snippets", ".ipynb_checkpoints"}
    return sorted(page for page in found if not others & {*page.relative_to(DOCS).parts})


def text_of(page: Path) -> str:
    """A page in Markdown, its front matter and what its family shares too. Raises BadInput for what cannot be shown."""
    if page.suffix == ".ipynb":
        return notebook.as_markdown(page)
    return "\n".join(line.text for line in lines_of(page.read_text(encoding="utf-8"), page))
