"""The notebook page: its cells are its source's, and its outputs are those of a real run, numbers aside."""

import nbformat
import pytest

from scripts.site import notebook
from tests.snippets.sandbox import ROOT, normalised

SOURCES = sorted(notebook.SOURCES.glob("*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_page_is_the_source_run(source):
    page = notebook.PAGES / f"{source.stem}.ipynb"
    assert not notebook.differs(source, page), "run `make notebook`"
    now = notebook.read(source)
    notebook.execute(now)
    for old, new in zip(nbformat.read(page, as_version=4).cells, now.cells, strict=True):
        if old.cell_type == "code":
            shown, real = ("".join(output.get("text", "") for output in cell.outputs) for cell in (old, new))
            assert normalised(shown) == normalised(real), f"{page.relative_to(ROOT)}: run `make notebook`"
            assert all(output.output_type == "stream" and output.name == "stdout" for output in old.outputs), (
                "a page shows no warnings"
            )


def test_a_changed_cell_is_noticed(tmp_path):
    changed = tmp_path / "changed.py"
    changed.write_text(SOURCES[0].read_text(encoding="utf-8").replace("108 * 64", "128 * 64"), encoding="utf-8")
    assert notebook.differs(changed, notebook.PAGES / f"{SOURCES[0].stem}.ipynb")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_pages_text_is_the_notebooks(source):
    cells = nbformat.read(notebook.PAGES / f"{source.stem}.ipynb", as_version=4)
    part = (notebook.PARTS / f"{source.stem}.md").read_text(encoding="utf-8")
    assert part == notebook.as_markdown(cells), "run `make notebook`"
    assert all(
        cell.source in part and all(output.text.rstrip() in part for output in cell.outputs)
        for cell in cells.cells
        if cell.cell_type == "code"
    )
