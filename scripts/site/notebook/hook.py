"""A hook of MkDocs: a notebook is a page like any other, and the notebook itself lies beside it for a download."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from mkdocs.structure.files import File, Files

from scripts.site import notebook


class Notebook(File):
    """A page's source that MkDocs reads as Markdown."""

    def is_documentation_page(self) -> bool:
        return True

    @property
    def content_string(self) -> str:
        return notebook.as_markdown(Path(self.abs_src_path))


def on_files(files, config):
    return Files([_as_page(file) if file.src_uri.endswith(".ipynb") else file for file in files])


def _as_page(file: File) -> Notebook:
    return Notebook(file.src_uri, file.src_dir, file.dest_dir, file.use_directory_urls, inclusion=file.inclusion)


def on_page_markdown(markdown, page, config, files):
    if not isinstance(page.file, Notebook):
        return markdown
    page.meta.setdefault("search", {"boost": 0.7})  # the lessons come first
    # To MkDocs the notebook's name is this page; the link is to the file.
    return re.sub(
        rf"\[([^\]]+)\]\(([\w-]+\.ipynb)\){re.escape(notebook.BUTTON)}",
        r'<a class="md-button md-button--primary" href="\2" download>\1</a>',
        markdown,
    )


def on_post_page(output, page, config):
    if isinstance(page.file, Notebook):
        whole = nbformat.writes(notebook.read(Path(page.file.abs_src_path))) + "\n"
        Path(page.file.abs_dest_path).with_suffix(".ipynb").write_text(whole, encoding="utf-8")
    return output
