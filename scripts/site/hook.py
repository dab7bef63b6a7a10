"""A hook of MkDocs for `make serve`: a page is built again when what it shows has changed, and not only when its own
file has; and the page on job scripts gets its engine and facts, which `make site` writes after the build.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from scripts.engine.bundle import JS
from scripts.errors import BadInput
from scripts.evidence.records import EVIDENCE
from scripts.evidence.rests import TWINS, started
from scripts.glossary import FILE as GLOSSARY
from scripts.markdown import INCLUDE
from scripts.paths import ROOT, SNIPPETS
from scripts.site.after import engine

THEME = Path(__file__).with_name("theme")
OF_ALL_PAGES = [ROOT / "mkdocs.yml", EVIDENCE, TWINS, GLOSSARY, *THEME.rglob("*.html")]


def shown(page: Path) -> set[Path]:
    """The page's file, every file that it includes, or that those include, and what their lines of evidence rest on."""
    found, todo = set(), [page]
    while todo:
        file = todo.pop()
        if file not in found and file.is_file():
            found.add(file)
            todo += (
                [ROOT / line["path"] for line in INCLUDE.finditer(file.read_text(encoding="utf-8"))]
                if file.suffix == ".md"
                else started(file)
            )
    return found


def on_files(files, config):
    """Take away the pages that are older than what they show: MkDocs builds what is missing."""
    for page in files.documentation_pages():
        built = Path(page.abs_dest_path)
        if built.exists() and any(
            file.stat().st_mtime > built.stat().st_mtime for file in (*shown(Path(page.abs_src_path)), *OF_ALL_PAGES)
        ):
            built.unlink()


def on_post_build(config):
    """Join the engine anew where it, or a fact, is newer; a wrong fact is told where the tables are written."""
    site = Path(config.site_dir)
    joined = site / engine.FOLDER / "joined" / "page.js"
    sources = (*JS.rglob("*.js"), *SNIPPETS.glob("*/cluster.yml"))
    if not joined.exists() or any(file.stat().st_mtime > joined.stat().st_mtime for file in sources):
        with suppress(BadInput):
            engine.write(site)
