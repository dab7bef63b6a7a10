"""A hook of MkDocs for `make serve`.

When a file in snippets/ is saved, the tables are written and all pages built again. A wrong facts file is reported in
one line, and all stays as it was until it is mended. The page on job scripts gets its engine and facts, which
`make site` writes after the build.
"""

import sys
from contextlib import suppress
from pathlib import Path

from scripts.engine.bundle import JS
from scripts.errors import BadInput
from scripts.paths import ROOT, SNIPPETS
from scripts.site.after import engine
from scripts.tables.made import LOCK, write_made

THEME = Path(__file__).with_name("theme")
again: list[bool] = []  # whether the build that begins is one of all pages


def on_pre_build(config):
    """Bring the tables up to date, where a file or a folder in snippets/ is newer than they are."""
    made = LOCK.stat().st_mtime
    of_all_pages = (ROOT / "mkdocs.yml", *THEME.rglob("*.html"), SNIPPETS, *SNIPPETS.rglob("*"))
    again[:] = [any(path.stat().st_mtime > made for path in of_all_pages)]
    if again[0]:
        try:
            for path in write_made():
                print(f"wrote {path}", flush=True)
        except BadInput as fault:
            again[:] = [False]
            print(fault, file=sys.stderr, flush=True)


def on_files(files, config):
    """Take the pages away that show something older: MkDocs builds what is missing, and a page that was saved."""
    for page in files.documentation_pages() if again[0] else ():
        Path(page.abs_dest_path).unlink(missing_ok=True)


def on_post_build(config):
    """Join the engine anew where it, or a fact, is newer; a wrong fact is told where the tables are written."""
    site = Path(config.site_dir)
    joined = site / engine.FOLDER / "joined" / "page.js"
    sources = (*JS.rglob("*.js"), *SNIPPETS.glob("*/cluster.yml"))
    if not joined.exists() or any(file.stat().st_mtime > joined.stat().st_mtime for file in sources):
        with suppress(BadInput):
            engine.write(site)
