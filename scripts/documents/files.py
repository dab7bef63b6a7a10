"""The documents of a folder, and the job scripts that stand in each."""

import os
from collections.abc import Iterator
from pathlib import Path

from scripts.check.files import ENDINGS, read, unreadable
from scripts.documents.page import Page
from scripts.documents.profile import nextflow, snakemake, tables
from scripts.documents.script import Script
from scripts.documents.statements import statements
from scripts.errors import BadInput

PAGES = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".rst", ".txt", ".html")
TEMPLATES = (".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".template", ".in")
SKIPPED = {".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", "node_modules", "__pycache__"}


def documents(names: list[str]) -> Iterator[tuple[str, str, bytes | BadInput]]:
    """(what findings call it, its path with the name of its folder, its bytes or why it cannot be read) of each file.

    A folder stands for all that it has below it; links and what is no file are left out there.
    """
    for name in names:
        path = Path(name)
        if path.is_dir():
            root, closed = path.resolve(), []
            for base, folders, files in os.walk(path, onerror=closed.append):
                folders[:] = sorted(set(folders) - SKIPPED)
                for file in sorted(files):
                    found = Path(base, file)
                    if may_have(found) and found.is_file() and not found.is_symlink():
                        yield str(found), str(Path(root.name, found.relative_to(path))), read(found)
            yield from ((fault.filename, fault.filename, unreadable(fault)) for fault in closed)
        else:
            yield name, name, read(path)


def may_have(path: Path) -> bool:
    """Is it of a kind in which job scripts are looked for?"""
    return path.suffix.lower() in (*PAGES, *ENDINGS, *TEMPLATES, ".config", ".yaml", ".yml")


def scripts(file: str, path: str, data: bytes) -> list[Script]:
    """The job scripts of a document."""
    ending = Path(path).suffix.lower()
    text = data.decode("utf-8", "surrogateescape")
    if ending == ".config":
        return list(nextflow(file, text, path))
    if ending in (".yaml", ".yml"):
        return list(snakemake(file, text, path))
    if ending in PAGES:
        page = Page(file, text, path)
        return sorted([*page.scripts(), *tables(page), *statements(page)], key=lambda script: script.at[0])
    numbers = tuple(range(1, text.count("\n") + 2))
    whole = Script(file, text, numbers, (text, path), text, template=ending in TEMPLATES)
    return [whole] if whole.kind and text.removeprefix("\ufeff").startswith("#!") else []
