"""A hook of MkDocs: what our template made of a notebook is rendered by MkDocs like any other page; see __init__.py."""

import re
from pathlib import Path

import nbformat
from mkdocs.structure.pages import Page
from mkdocs.utils.meta import get_data

from scripts.site import notebook


def on_config(config):
    notebook.use_template()


def on_page_content(html, page, config, files):
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    text, meta = get_data(notebook.from_template(html))
    # To MkDocs the notebook's name is this page; the link is to the file.
    page.markdown = re.sub(
        rf"\[([^\]]+)\]\(([\w-]+)\.ipynb\){re.escape(notebook.BUTTON)}",
        r'<a class="md-button md-button--primary" href="\2.ipynb" download>\1</a>'
        r' <a href="\2-slides.html">Show as slides</a>',
        text,
    )
    page.meta.update({"search": {"boost": 0.7}} | meta)  # the lessons come first
    Page.render(page, config, files)
    return page.content


def on_post_page(output, page, config):
    if page.file.src_uri.endswith(".ipynb"):
        whole = nbformat.writes(notebook.read(Path(page.file.abs_src_path))) + "\n"
        Path(page.file.abs_dest_path).with_suffix(".ipynb").write_text(whole, encoding="utf-8")
    return output
