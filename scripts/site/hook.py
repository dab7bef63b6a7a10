"""A hook of MkDocs for `make serve`.

When a file in snippets/ is saved, the tables are written first. A wrong facts file is reported in one line, and the
tables stay as they were until it is mended. A page is built again when what it shows has changed, and not only when its
own file has. The page on job scripts gets its engine and facts, which `make site` writes after the build.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from scripts.engine.bundle import JS
from scripts.errors import BadInput
from scripts.evidence.dependencies import started
from scripts.evidence.records import EVIDENCE
from scripts.families import shared
from scripts.families.page import lines_of
from scripts.glossary import FILE as GLOSSARY
from scripts.markdown import INCLUDE
from scripts.paths import ROOT, SNIPPETS
from scripts.site.after import engine
from scripts.tables.made import LOCK, write_made

THEME = Path(__file__).with_name("theme")
OF_ALL_PAGES = [ROOT / "mkdocs.yml", EVIDENCE, GLOSSARY, *THEME.rglob("*.html")]


def shown(page: Path) -> set[Path]:
    """The page's file, every file that it includes, or that those include, and what their lines of evidence rest on;
    and the files of its family that these were made of. What is from a cluster's folder rests on that cluster's facts.
    """
    found, todo = set(), [page]
    while todo:
        file = todo.pop()
        if file not in found and file.is_file():
            found |= {file, shared.source(file)}
            todo.append(SNIPPETS / file.parent.name / "cluster.yml")
            if file.suffix != ".md":
                todo += started(file)
                continue
            lines = lines_of(file.read_text(encoding="utf-8"), file)
            found |= {line.file for line in lines}
            todo += [ROOT / include["path"] for line in lines if (include := INCLUDE.match(line.text))]
    return found


def on_pre_build(config):
    """Bring the tables up to date, where a file or a folder in snippets/ is newer than they are."""
    made = LOCK.stat().st_mtime
    if any(path.stat().st_mtime > made for path in (SNIPPETS, *SNIPPETS.rglob("*"))):
        try:
            for path in write_made():
                print(f"wrote {path}", flush=True)
        except BadInput as fault:
            print(fault, file=sys.stderr, flush=True)


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
